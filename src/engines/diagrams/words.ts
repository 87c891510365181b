// The words in a diagram: read from its text, measured without a browser, and broken into lines.

/** Of the letters of the fonts that the picture may be shown in, the widest, in parts of their size. */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/u, 1],
  [/[\u{1f000}-\u{3fffd}]/u, 1.3],
  [/\p{M}|[\u200b-\u200d]/u, 0],
  [/[ijl.,:;'|!]/, 0.3],
  [/[ft()[\]{}rI /\\"`-]/, 0.41],
  [/[mwMW@%]/, 0.95],
  [/[A-Z&\u0410-\u042f]/, 0.7],
]
const WIDTH_OF_OTHERS = 0.59

/** How wide a line is, as a multiple of the size of its letters. */
export function widthOf(line: string): number {
  let width = 0
  for (const character of line)
    width += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? WIDTH_OF_OTHERS
  return width
}

export const widest = (lines: readonly string[]): number => Math.max(0, ...lines.map(widthOf))

const NAMED: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/** What XML cannot hold, and what turns the direction of words outside of a label. */
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** The lines that the author of a label wrote, as words. */
export function readLabel(written: string): string[] {
  const marked = /^`(.*)`$/.exec(written)?.[1]
  const words = marked === undefined ? written : withoutMarks(marked)
  return words
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replace(/<br ?\/?>|\\n/gi, '\n')
    .replace(/<\/?(?:b|i|u|em|strong|small|code)>/gi, '')
    .replace(/\bfa[bsrl]?:fa-[a-z0-9-]+/g, '')
    .replace(/(?:&#|#|&)(\d{1,6}|[a-z]{2,6});/g, (whole, name: string) => characterNamed(name) ?? whole)
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
}

/** Words between backticks are Markdown, of which Mermaid reads bold and italic ones; the picture has one kind of letters. */
const withoutMarks = (words: string): string =>
  words.replace(/\*{1,3}([^*]+)\*{1,3}/g, '$1').replace(/(?<!\w)_{1,3}([^_]+)_{1,3}(?!\w)/g, '$1')

export const unquotedLabel = (written: string): string => /^"(.*)"$/.exec(written)?.[1] ?? written

/** The words on a line; none if they are empty. */
export const labelOf = (written: string): string[] => {
  const label = readLabel(unquotedLabel(written.trim()))
  return label.every(line => line === '') ? [] : label
}

function characterNamed(name: string): string | undefined {
  if (!/^\d/.test(name)) return NAMED.get(name)
  const code = Number(name)
  return code < 32 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? undefined
    : String.fromCodePoint(code).replace(UNWRITABLE, '')
}

/** A word, a space, or a character after which a line may end. */
const PIECE =
  /[\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\s+|[^\s\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]+/gu

/** `lines` broken so that none is wider than `widthMax`, unless a word is. */
function broken(lines: readonly string[], widthMax: number): string[] {
  return lines.flatMap(line => {
    const shorter: string[] = []
    let current = ''
    let width = 0
    for (const [piece] of line.matchAll(PIECE)) {
      const taken = widthOf(piece)
      if (width > 0 && width + taken > widthMax && piece.trim() !== '') {
        shorter.push(current.trimEnd())
        current = ''
        width = 0
      }
      current += piece
      width += taken
    }
    return [...shorter, current.trimEnd()]
  })
}

/** `lines` broken into no more than `linesMax`, each as narrow as that allows, but none for being under `widthMin`. */
export function brokenInto(lines: readonly string[], linesMax: number, widthMin: number): string[] {
  const whole = lines.length > linesMax ? [lines.join(' ')] : lines
  const total = whole.reduce((sum, line) => sum + widthOf(line), 0)
  for (let width = Math.max(widthMin, total / linesMax); width < total; width *= 1.15) {
    const shorter = broken(whole, width)
    if (shorter.length <= linesMax) return shorter
  }
  return [...whole]
}

/** A line without its end, where it is wider than `widthMax`. */
export function cut(line: string, widthMax: number): string {
  if (widthOf(line) <= widthMax) return line
  let kept = ''
  let width = widthOf('…')
  for (const character of line) {
    width += widthOf(character)
    if (width > widthMax) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}
