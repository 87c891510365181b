// Hides `{% tags %}` from the CommonMark parser, which does not know them, without moving a single character.
//
// Each tag becomes `<?…?>` of the same length: to CommonMark a processing instruction, which may interrupt a
// paragraph and be part of a line, and whose inside is never read as Markdown. Inside the mask is the tag's number in
// control characters, so a mask is recognised wherever the parser puts it (an HTML block, a link's address, a fence's
// info string) and the tag's own text can be put back. They are ASCII, because the parser is much slower with lines
// that are not.
import type { Position } from './ast.ts'
import { disguiseCjk } from './cjk.ts'
import { hideCostlyReferences } from './commonmark.ts'
import { findCostly } from './costly-lines.ts'
import { matchAt } from './sticky.ts'

export type MaskedTag = { readonly position: Position; readonly text: string }

export type Masked = {
  /** The source with every tag hidden; offsets are those of the source. */
  readonly text: string
  /** The tag behind a mask at the beginning of the text. */
  readonly tagAt: (value: string) => MaskedTag | undefined
  /** Puts the tags back into text that the parser made from `text` without decoding character references. */
  readonly unmask: (value: string) => string
  /** The same for text in which it decoded them. */
  readonly unmaskDecoded: (value: string) => string
}

// Control characters that nobody types, apart from the replacements of delimiters.
const DIGITS = '\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19'
const BASE = DIGITS.length
/** A mask inside the value of a node; the group is the number of its tag. */
const MASK = /<\?([\x01-\x08\x0e-\x19]+)\?>/g
// In `[a](<?…?>)` the parser takes the angle brackets for those of an address.
const MASK_WITH_OR_WITHOUT_BRACKETS = /<?\?([\x01-\x08\x0e-\x19]+)\?>?/g
/** Text of the source that looks like a mask; no tag gets its number. */
const LOOKS_MASKED = /\?([\x01-\x08\x0e-\x19]+)(?=\?)/g

// Replacements of delimiters that must mean nothing. A hostile page that holds these characters itself shows the
// delimiters in their place.
const DELIMITERS = '*_~@:.'
const STAND_INS = '\x1a\x1b\x1c\x1d\x1e\x1f'

/** Where the next mask begins, or the end of the text. */
export const nextMask = (text: string, from: number): number =>
  matchAt(MASK, text, from)?.index ?? text.length

/** Hides the tags of a source, and what would cost too much to read. */
export function maskTags(source: string): Masked {
  const { tails, inert } = findCostly(source)
  const references = hideCostlyReferences(source)
  const cjk = disguiseCjk(source)
  const imitated = new Set(Array.from(source.matchAll(LOOKS_MASKED), ([, digits]) => numberOf(digits)))
  const tags = new Map<number, MaskedTag>()
  let number = 0
  const masks = merge(findTags(source), tails).flatMap(position => {
    while (imitated.has(number)) number++
    const digits = encodeNumber(number, position.end - position.start - 4)
    if (digits === undefined) return []
    tags.set(number++, { position, text: source.slice(position.start, position.end) })
    return [{ ...position, text: `<?${digits}?>` }]
  })
  // The parser can turn `\\?` and `&quest;` into what looks like a mask. Checking the length keeps text from growing.
  const tagOf = (digits = ''): MaskedTag | undefined => {
    const tag = tags.get(numberOf(digits))
    return tag?.text.length === digits.length + 4 ? tag : undefined
  }
  const disguised = replaceSpans(references.text, cjk.replacements)
  const calm = replaceSpans(
    disguised,
    inert.map(({ start, end }) => {
      const text = disguised.slice(start, end)
      return {
        start,
        end,
        text: text.replace(/[*_~@:.]/g, char => STAND_INS.charAt(DELIMITERS.indexOf(char))),
      }
    }),
  )
  const withTags = (parsed: string): string => {
    const value = cjk.restore(parsed)
    const restored =
      inert.length === 0
        ? value
        : value.replace(/[\x1a-\x1f]/g, standIn => DELIMITERS.charAt(STAND_INS.indexOf(standIn)))
    return tags.size > 0 && restored.includes('?')
      ? restored.replace(MASK_WITH_OR_WITHOUT_BRACKETS, (mask, digits) => tagOf(digits)?.text ?? mask)
      : restored
  }
  return {
    text: replaceSpans(calm, masks),
    tagAt: value => {
      const mask = tags.size > 0 ? matchAt(MASK, value, 0) : null
      return mask?.index === 0 ? tagOf(mask[1]) : undefined
    },
    unmask: value => withTags(references.restore(value)),
    unmaskDecoded: value => withTags(references.decode(value)),
  }
}

/** The tags that do not touch the tails, and the tails, in order. */
function merge(tags: Iterable<Position>, tails: readonly Position[]): Position[] {
  if (tails.length === 0) return [...tags]
  const left = tails.values()
  let tail = left.next().value
  const apart = [...tags].filter(({ start, end }) => {
    while (tail && tail.end <= start) tail = left.next().value
    return !tail || end <= tail.start
  })
  return [...apart, ...tails].sort((a, b) => a.start - b.start)
}

/** Replaces spans of the source, which are in order. */
function replaceSpans(source: string, spans: readonly (Position & { readonly text: string })[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text } of spans) {
    pieces.push(source.slice(at, start), text)
    at = end
  }
  pieces.push(source.slice(at))
  return pieces.join('')
}

/** The number of the tag behind a mask's digits. */
function numberOf(digits = ''): number {
  let number = 0
  for (const digit of digits) number = number * BASE + DIGITS.indexOf(digit)
  return number
}

// Undefined if the tag is too short for its number: `{%x%}` as the 21st tag stays text.
function encodeNumber(number: number, length: number): string | undefined {
  let rest = number
  let digits = ''
  for (let i = 0; i < length; i++) {
    digits = DIGITS[rest % BASE] + digits
    rest = Math.floor(rest / BASE)
    if (rest === 0) return digits.padStart(length, DIGITS[0])
  }
  return undefined
}

/**
 * Finds tags, including those in code: the parser decides which of them count. A tag is one line from `{%` to the first
 * `%}` that is not between straight quotes. Every character is read a bounded number of times.
 */
function* findTags(source: string): Generator<Position> {
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

/** Finds the closing quote on the same line; returns the same position if there is none. */
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
      // The next quote is searched for once, however many tags ask for it.
      if (known <= at) {
        known = source.indexOf('"', at + 1)
        if (known === -1) known = source.length
      }
      return known < endOfLine(at) ? known : at
    },
  }
}
