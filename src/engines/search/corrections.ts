// Corrections of a misspelled word, from the words of the searched pages only.

import { uint32At } from '../../base/typed-arrays.ts'
import { editDistance } from './edit-distance.ts'
import type { QueryWord } from './query-words.ts'
import { type Collection, pagesWith } from './searched-part.ts'
import { differingBits, signatureOf } from './signature.ts'
import { prefixRange, type StringTable, stringAt, stringCount, stringLength } from './string-table.ts'

export type Correction = { readonly text: string; readonly pages: number; readonly slips: number }

const ONE_SLIP_CHARACTERS_MIN = 4
const TWO_SLIPS_CHARACTERS_MIN = 8
const CORRECTIONS_MAX = 3
/** A word that occurs is still read as its neighbour if that is this many times as common. */
const LIKELIER_FACTOR = 20

/** Slips that are forgiven in a word. */
const slipsAllowed = ({ length }: string): number =>
  length >= TWO_SLIPS_CHARACTERS_MIN ? 2 : length >= ONE_SLIP_CHARACTERS_MIN ? 1 : 0

/** The likeliest first. `pages`: how many pages have the word as written. */
export function correctionsOf(collection: Collection, word: QueryWord, pages: number): Correction[] {
  const allowed = pages === 0 ? slipsAllowed(word.text) : Math.min(1, slipsAllowed(word.text))
  if (allowed === 0 || !/^\p{L}+$/u.test(word.text)) return []
  const pagesMin = pages === 0 ? 1 : LIKELIER_FACTOR * pages
  if (pagesMin > collection.pages) return []
  // A word that is being typed counts as a slip only if no word begins with it.
  const meant = pages === 0 ? word : { ...word, isPrefix: false }
  const found = [...nearWords(collection, meant, allowed).values()].filter(near => near.pages >= pagesMin)
  const least = Math.min(...found.map(({ slips }) => slips))
  return found
    .filter(({ slips }) => slips === least)
    .sort((one, other) => other.pages - one.pages || (one.text < other.text ? -1 : 1))
    .slice(0, CORRECTIONS_MAX)
}

function nearWords({ parts }: Collection, word: QueryWord, allowed: number): Map<string, Correction> {
  const near = new Map<string, Correction>()
  const signature = signatureOf(word.text)
  for (const part of parts) {
    const { terms } = part.segment
    const take = (term: number, slips: number) => {
      const pages = pagesWith(part, term)
      if (pages === 0) return
      const text = stringAt(terms, term)
      near.set(text, { text, slips, pages: pages + (near.get(text)?.pages ?? 0) })
    }
    const { signatures } = part.segment.arrays
    for (let term = 0; term < stringCount(terms); term++) {
      // A slip changes two letters at most. Every term has a signature, hence `!`.
      if (differingBits(signature, signatures[term]!) > 2 * allowed) continue
      if (Math.abs(stringLength(terms, term) - word.text.length) > allowed) continue
      const slips = editDistance(word.text, terms, term, allowed)
      if (slips > 0 && slips <= allowed && isLikely(slips, word.text, terms, term)) take(term, slips)
    }
    if (!word.isPrefix) continue
    const { from, to } = prefixRange(terms, word.text.slice(0, SAME_CHARACTERS))
    for (let term = from; term < to; term++)
      if (editDistance(word.text, terms, term, 1, true) === 1) take(term, 1)
  }
  return near
}

// In a word that is being typed, these characters have to match.
const SAME_CHARACTERS = 2

/** Two slips rarely include the first letter. */
const isLikely = (
  slips: number,
  written: string,
  { starts, characters }: StringTable,
  term: number,
): boolean => slips === 1 || characters[uint32At(starts, term)] === written.charCodeAt(0)
