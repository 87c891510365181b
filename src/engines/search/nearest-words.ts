// Words of the searched pages that are near those of a query which finds nothing. They are further from it than what is
// read as a slip (`corrections.ts`): they are offered, and not searched for.

import { uint32At } from '../../base/typed-arrays.ts'
import { editDistance } from './edit-distance.ts'
import type { Query } from './query-terms.ts'
import { type Collection, pagesWith } from './searched-part.ts'
import { differingBits, signatureOf } from './signature.ts'
import { findString, prefixRange, stringAt, stringLength } from './string-table.ts'

const OFFERED_MAX = 3
/** Of a query. */
const WORDS_MAX = 3
const CHARACTERS_MIN = 3
const CHARACTERS_MAX = 32
/** The share of its letters that may be others. */
const SLIPS_SHARE = 0.4
/** Of all words, compared letter by letter: about 20 ms. */
const COMPARED_MAX = 20_000

type Near = { readonly slips: number; readonly pages: number }

/** The nearest first; of equals the most common. They begin with the letter that the written word begins with. */
export function nearestWords(collection: Collection, { terms }: Query): string[] {
  const words = new Set(terms.flatMap(term => term.words.map(({ text }) => text)))
  const absent = [...words].filter(word => isComparable(word) && !occurs(collection, word))
  const near = new Map<string, Near>()
  const budget = { compared: COMPARED_MAX }
  for (const word of absent.slice(0, WORDS_MAX)) addNear(near, collection, word, budget)
  return [...near]
    .sort(([one, a], [other, b]) => a.slips - b.slips || b.pages - a.pages || (one < other ? -1 : 1))
    .slice(0, OFFERED_MAX)
    .map(([text]) => text)
}

const isComparable = (word: string): boolean =>
  word.length >= CHARACTERS_MIN && word.length <= CHARACTERS_MAX && IS_WORD.test(word)

const IS_WORD = /^\p{L}+$/u

const occurs = ({ parts }: Collection, word: string): boolean =>
  parts.some(part => {
    const term = findString(part.segment.terms, word)
    return term !== undefined && pagesWith(part, term) > 0
  })

function addNear(
  near: Map<string, Near>,
  { parts }: Collection,
  word: string,
  budget: { compared: number },
): void {
  const allowed = Math.max(1, Math.floor(word.length * SLIPS_SHARE))
  const signature = signatureOf(word)
  for (const part of parts) {
    const { terms, arrays } = part.segment
    const { from, to } = prefixRange(terms, word.slice(0, 1))
    for (let term = from; term < to && budget.compared > 0; term++) {
      if (differingBits(signature, uint32At(arrays.signatures, term)) > 2 * allowed) continue
      const length = stringLength(terms, term)
      if (length < CHARACTERS_MIN || Math.abs(length - word.length) > allowed) continue
      budget.compared -= 1
      const slips = editDistance(word, terms, term, allowed)
      const pages = slips <= allowed ? pagesWith(part, term) : 0
      if (pages === 0) continue
      const text = stringAt(terms, term)
      const known = near.get(text)
      if (IS_WORD.test(text))
        near.set(text, { slips: Math.min(slips, known?.slips ?? slips), pages: pages + (known?.pages ?? 0) })
    }
  }
}
