// The text of a diagram as lines, without what is no part of its picture.

export type DiagramText = {
  /** The first line, which says what kind of diagram it is. */
  readonly head: string
  /** With single spaces between words. */
  readonly lines: readonly string[]
  readonly title: string | undefined
  /** What its author says to those who do not see it. */
  readonly description: string | undefined
}

/** Longer ones are not drawn: the layout takes more than in proportion to what it lays out. */
const CHARACTERS_MAX = 20_000

/** `accDescr { … }` takes several lines. */
const DESCRIPTION = /^([ \t]*accDescr)[ \t]*\{([^{}]*)\}[ \t]*$/gm

const inOneLine = (_: string, key: string, words: string): string =>
  `${key}: ${words.replace(/\s+/g, ' ').trim()}`

/** Undefined if there is nothing in it, or too much. */
export function readText(source: string): DiagramText | undefined {
  if (source.length > CHARACTERS_MAX) return undefined
  const { rest, title } = withoutFrontmatter(
    source
      .replace(DESCRIPTION, inOneLine)
      .split(/\r\n?|\n/)
      .map(line => line.replace(/\s+/g, ' ').trim()),
  )
  const spoken: string[] = []
  const kept: string[] = []
  for (const whole of rest) {
    const line = whole.startsWith('%%') ? '' : (whole.split(' %% ', 1)[0] ?? '')
    if (line === '') continue
    const words = /^acc(?:Title|Descr)\s*:\s*(\S.*)$/.exec(line)?.[1]
    if (words === undefined) kept.push(line)
    else spoken.push(words)
  }
  const [head, ...lines] = kept
  return head === undefined
    ? undefined
    : { head, lines, title, description: spoken.length > 0 ? spoken.join('. ') : undefined }
}

/** A text may begin with settings between two lines of dashes, of which the title is shown. */
function withoutFrontmatter(lines: readonly string[]) {
  const start = lines.findIndex(line => line !== '')
  const end = lines[start] === '---' ? lines.indexOf('---', start + 1) : -1
  if (end === -1) return { rest: lines, title: undefined }
  const title = lines
    .slice(start + 1, end)
    .map(line => /^title:\s*(\S.*)$/.exec(line)?.[1])
    .find(words => words !== undefined)
  return { rest: lines.slice(end + 1), title: title === undefined ? undefined : unquoted(title) }
}

/** Words without the quotation marks around them. */
export const unquoted = (words: string): string => /^(["'])(.*)\1$/.exec(words)?.[2] ?? words
