// The piece of a section that shows why it was found.
import { fold, type QueryTerm } from './terms.ts'

const EXCERPT_CHARACTERS_MAX = 280
const LEAD_CHARACTERS = 60

/** Up to 280 characters around the first wanted term, cut between words, with `…` where something was left out. */
export function excerptOf(text: string, terms: readonly QueryTerm[]): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  if (flat.length <= EXCERPT_CHARACTERS_MAX) return flat
  const at = firstMatch(flat, terms)
  const start = at <= LEAD_CHARACTERS ? 0 : wordStart(flat, at - LEAD_CHARACTERS)
  const end = wordEnd(flat, start + EXCERPT_CHARACTERS_MAX)
  return `${start === 0 ? '' : '…'}${flat.slice(start, end).trim()}${end === flat.length ? '' : '…'}`
}

/** Where the first term stands; folding can change lengths a little, which an excerpt forgives. */
function firstMatch(text: string, terms: readonly QueryTerm[]): number {
  const folded = fold(text)
  const places = terms.map(term => folded.indexOf(term.text)).filter(place => place >= 0)
  return places.length === 0 ? 0 : Math.min(...places)
}

// How far a cut may move to reach a space; scripts without spaces are cut where they are.
const SHIFT_CHARACTERS_MAX = 20

function wordStart(text: string, index: number): number {
  const space = text.indexOf(' ', index)
  return space >= 0 && space - index <= SHIFT_CHARACTERS_MAX ? space + 1 : index
}

function wordEnd(text: string, index: number): number {
  if (index >= text.length) return text.length
  const space = text.lastIndexOf(' ', index)
  return space >= 0 && index - space <= SHIFT_CHARACTERS_MAX ? space : index
}
