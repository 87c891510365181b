// The piece of a section that shows why it was found.
import type { Highlight } from './find.ts'

const EXCERPT_CHARACTERS_MAX = 280
const LEAD_CHARACTERS = 60

/** Up to 280 characters around the first match, cut between words, with `…` where something was left out. */
export function excerptOf(text: string, highlight: Highlight): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  if (flat.length <= EXCERPT_CHARACTERS_MAX) return flat
  const at = firstMatch(flat, highlight)
  const start = at <= LEAD_CHARACTERS ? 0 : wordStart(flat, at - LEAD_CHARACTERS)
  const end = wordEnd(flat, start + EXCERPT_CHARACTERS_MAX)
  return `${start === 0 ? '' : '…'}${flat.slice(start, end).trim()}${end === flat.length ? '' : '…'}`.toWellFormed()
}

// A text may be long, and most of what is found stands near its beginning: each look is twice as long as the last.
const LOOKED_AT_FIRST = 150
const LOOKED_AT_ONCE = 1_200
/** Words that belong together may stand across two looks. */
const OVERLAP_CHARACTERS = 100

/** Where the first match begins; 0 without one. */
function firstMatch(text: string, highlight: Highlight): number {
  let length = LOOKED_AT_FIRST
  for (let from = 0; from < text.length; ) {
    const to = wordEnd(text, from + length + OVERLAP_CHARACTERS)
    const [first] = highlight(text.slice(from, to))
    if (first !== undefined) return from + first.start
    from = wordEnd(text, from + length)
    length = Math.min(2 * length, LOOKED_AT_ONCE)
  }
  return 0
}

// How far a cut may move to reach a space; scripts without spaces are cut where they are.
const SHIFT_CHARACTERS_MAX = 20

function wordStart(text: string, index: number): number {
  const space = text.slice(index, index + SHIFT_CHARACTERS_MAX + 1).indexOf(' ')
  return space >= 0 ? index + space + 1 : index
}

function wordEnd(text: string, index: number): number {
  if (index >= text.length) return text.length
  const from = Math.max(0, index - SHIFT_CHARACTERS_MAX)
  const space = text.slice(from, index + 1).lastIndexOf(' ')
  return space >= 0 ? from + space : index
}
