// The lines of a Markdown text outside of its code: what looks like a directive inside of code is code.

/** The text without a byte order mark, and with line feeds alone between its lines. */
export const withLineFeeds = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')

const FENCE = /^[ \t]*(?:[-*+>][ \t]+)?(`{3,}|~{3,})/

/** Calls `change` for each line that is no code; what it answers is written in its place. */
export function changeLines(text: string, change: (line: string) => string): string {
  let fence: string | undefined
  return text
    .split('\n')
    .map(line => {
      const [start = '', marks = ''] = FENCE.exec(line) ?? []
      const rest = line.slice(start.length)
      if (fence !== undefined) {
        if (marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === '') fence = undefined
        return line
      }
      if (marks !== '' && !(marks[0] === '`' && rest.includes('`'))) {
        fence = marks
        return line
      }
      return change(line)
    })
    .join('\n')
}

/** How far a line is indented, a tab counted as four. */
export const indentOf = (line: string): number =>
  (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length

/** Styles of hints, by what others call them. */
const STYLES: Readonly<Record<string, string>> = {
  ...{ note: 'info', info: 'info', abstract: 'info', summary: 'info', question: 'info', quote: 'info' },
  ...{ example: 'info', todo: 'info', important: 'info', secondary: 'info', seealso: 'info' },
  ...{ tip: 'success', success: 'success', hint: 'success', check: 'success', done: 'success' },
  ...{ warning: 'warning', caution: 'warning', attention: 'warning' },
  ...{ danger: 'danger', error: 'danger', failure: 'danger', bug: 'danger', fail: 'danger' },
}

export const styleOf = (kind: string): string | undefined => STYLES[kind.toLowerCase()]

/** The first line of a hint. Its title is its first paragraph, in bold. */
export const openHint = (style: string, title: string, indent: string): string =>
  `${indent}{% hint style="${style}" %}${title === '' ? '' : `\n${indent}**${title}**\n`}`

export const closeHint = (indent: string): string => `${indent}{% endhint %}`

/** A value between quotes in a tag. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '&quot;').replaceAll('%}', '% }')}"`
