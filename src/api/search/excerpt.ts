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

// A text may be long, and most of what is found stands near its beginning.
const LOOKED_AT_ONCE = 1_000
/** Words that belong together may stand across two looks. */
const OVERLAP_CHARACTERS = 100

/** Where the first match begins; 0 without one. */
function firstMatch(text: string, highlight: Highlight): number {
  for (let from = 0; from < text.length; from = wordEnd(text, from + LOOKED_AT_ONCE)) {
    const to = wordEnd(text, from + LOOKED_AT_ONCE + OVERLAP_CHARACTERS)
    const [first] = highlight(text.slice(from, to))
    if (first !== undefined) return from + first.start
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
