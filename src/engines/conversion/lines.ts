// A Markdown text outside of its code: what looks like a directive inside code is code.

/** In UTF-16 code units. */
export type Range = { readonly start: number; readonly end: number }

/** The text without a byte order mark, with line feeds as its only line ends. */
export const withLineFeeds = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')

const FENCE = /^[ \t]*(?:[-*+>][ \t]+)?(`{3,}|~{3,})/

type TextLine = {
  readonly line: string
  /** Whether it is a fence or between fences. */
  readonly isCode: boolean
  /** Whether it is the fence above the code. */
  readonly beginsCode: boolean
}

/** The lines of a text, and which of them are code. */
export function* textLines(text: string): Generator<TextLine> {
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const [start = '', marks = ''] = FENCE.exec(line) ?? []
    const rest = line.slice(start.length)
    if (fence !== undefined) {
      if (marks[0] === fence[0] && marks.length >= fence.length && rest.trim() === '') fence = undefined
      yield { line, isCode: true, beginsCode: false }
      continue
    }
    const isFence = marks !== '' && !(marks[0] === '`' && rest.includes('`'))
    if (isFence) fence = marks
    yield { line, isCode: isFence, beginsCode: isFence }
  }
}

/** Replaces each line that is not code by the result of `change`. */
export const changeLines = (text: string, change: (line: string) => string): string =>
  Array.from(textLines(text), ({ line, isCode }) => (isCode ? line : change(line))).join('\n')

/** Removes the matches of a pattern that do not begin in code, which is looked for at the first match. */
export const leaveOut = (text: string, pattern: RegExp, findCode: () => readonly Range[]): string =>
  changeOutside(text, pattern, findCode, () => '')

/**
 * Replaces the matches of a pattern that neither begin nor end in one of the ranges, which are looked for at the first
 * match. They are in order, and none is in another.
 */
export function changeOutside(
  text: string,
  pattern: RegExp,
  findRanges: () => readonly Range[],
  change: (found: RegExpExecArray) => string,
): string {
  let ranges: readonly Range[] | undefined
  let next = 0
  let from = 0
  let changed = ''
  for (const found of text.matchAll(pattern)) {
    const start = found.index
    const end = start + found[0].length
    ranges ??= findRanges()
    next = firstEndingAfter(ranges, start, next)
    const last = firstEndingAfter(ranges, end - 1, next)
    if (contains(ranges[next], start) || contains(ranges[last], end - 1)) continue
    changed += text.slice(from, start) + change(found)
    from = end
  }
  return changed + text.slice(from)
}

const contains = (range: Range | undefined, at: number): boolean => range !== undefined && range.start <= at

function firstEndingAfter(ranges: readonly Range[], at: number, from: number): number {
  let index = from
  while ((ranges[index]?.end ?? Number.POSITIVE_INFINITY) <= at) index += 1
  return index
}

/** The indentation of a line, with a tab counted as four. */
export const indentOf = (line: string): number =>
  (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length

/** Styles of hints, by their names in other formats. */
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

/** Words between tags of HTML. */
export const htmlWords = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{%', '{&#37;')
