// Hides `{% tags %}` from the CommonMark parser, which knows nothing of them, without moving a single character.
//
// Each tag becomes `<?…?>` of the same length: to CommonMark a processing instruction, which may interrupt a
// paragraph and may stand in a line, and whose inside is never read as Markdown. What stands inside the mask is the
// tag's number in private-use characters, so a mask can be recognised wherever the parser puts it (an HTML block, a
// link's address, a fence's info string) and the tag's own text be put back.

export type MaskedTag = { readonly start: number; readonly end: number; readonly text: string }

export type Masked = {
  /** The source with every tag hidden; offsets are those of the source. */
  readonly text: string
  readonly tags: readonly MaskedTag[]
  /** Puts the tags back into any piece of text the parser made of `text`. */
  readonly unmask: (value: string) => string
}

const FIRST_DIGIT = 0xe000
const BASE = 0x1900
/** A mask inside the value of a node; the group is the number of its tag. */
export const MASK = /<\?([\uE000-\uF8FF]+)\?>/g
// In `[a](<?…?>)` the parser takes the angle brackets for those of an address.
const MASK_WITH_OR_WITHOUT_BRACKETS = /<?\?([\uE000-\uF8FF]+)\?>?/g

// A source that already holds what looks like a mask keeps its tags as text rather than have them mistaken.
const LOOKS_MASKED = /\?[\uE000-\uF8FF]+\?/

export function maskTags(source: string): Masked {
  if (!source.includes('{%') || LOOKS_MASKED.test(source))
    return { text: source, tags: [], unmask: value => value }
  const tags: MaskedTag[] = []
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of findTags(source)) {
    const digits = encodeNumber(tags.length, end - start - 4)
    if (digits === undefined) continue
    tags.push({ start, end, text: source.slice(start, end) })
    pieces.push(source.slice(at, start), '<?', digits, '?>')
    at = end
  }
  pieces.push(source.slice(at))
  const unmask = (value: string) =>
    value.includes('?')
      ? value.replace(MASK_WITH_OR_WITHOUT_BRACKETS, (mask, digits) => tags[maskNumber(digits)]?.text ?? mask)
      : value
  return { text: pieces.join(''), tags, unmask }
}

/** The number of the tag behind a mask's digits. */
export function maskNumber(digits: string): number {
  let number = 0
  for (let i = 0; i < digits.length; i++) number = number * BASE + (digits.charCodeAt(i) - FIRST_DIGIT)
  return number
}

// Undefined where the tag is too short for its number: `{%x%}` as the 6,400th tag stays text.
function encodeNumber(number: number, length: number): string | undefined {
  let rest = number
  let digits = ''
  for (let i = 0; i < length; i++) {
    digits = String.fromCharCode(FIRST_DIGIT + (rest % BASE)) + digits
    rest = Math.floor(rest / BASE)
    if (rest === 0) return digits.padStart(length, String.fromCharCode(FIRST_DIGIT))
  }
  return undefined
}

/**
 * Where tags stand, code and all: the parser decides which of them count. A tag is one line from `{%` to the first
 * `%}` that is not between straight quotes. Every character is looked at a bounded number of times.
 */
function* findTags(source: string): Generator<{ start: number; end: number }> {
  const quotes = quoteFinder(source)
  let start = source.indexOf('{%')
  while (start !== -1) {
    let at = start + 2
    let end = -1
    let next = -1
    for (; at < source.length; at++) {
      const char = source[at]
      if (char === '\n' || char === '\r') break
      if (char === '"') at = quotes.closing(at)
      else if (char === '%' && source[at + 1] === '}') {
        end = at + 2
        break
      } else if (char === '{' && source[at + 1] === '%') {
        next = at
        break
      }
    }
    if (end !== -1 && end - start > 4) yield { start, end }
    start = next === -1 ? source.indexOf('{%', end === -1 ? at : end) : next
  }
}

/** Finds the quote that closes one, on the same line, or answers the same position where there is none. */
function quoteFinder(source: string) {
  let lineEnd = -1
  const endOfLine = (at: number) => {
    if (lineEnd >= at) return lineEnd
    lineEnd = at
    while (lineEnd < source.length && source[lineEnd] !== '\n' && source[lineEnd] !== '\r') lineEnd++
    return lineEnd
  }
  let known = -1
  return {
    closing(at: number): number {
      // The next quote is looked for once, however many tags ask for it.
      if (known <= at) {
        known = source.indexOf('"', at + 1)
        if (known === -1) known = source.length
      }
      return known < endOfLine(at) ? known : at
    },
  }
}
