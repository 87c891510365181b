// A query matched against the searched pages: which words are known, what the others may mean, and how rare each is.
import { withSynonyms } from './alternative-words.ts'
import { type WeighedTerm, withAlternatives } from './alternatives.ts'
import { correctionsOf } from './corrections.ts'
import { isEverydayWord } from './everyday-words.ts'
import type { Language } from './language.ts'
import { strengthsIn } from './matching.ts'
import { toWordTerm } from './query.ts'
import type { Query, QueryTerm } from './query-terms.ts'
import { countPages, rarity } from './rarity.ts'
import { type Reading, readingAs, readingsOf } from './readings.ts'
import type { Collection } from './searched-part.ts'
import { isStopWord } from './stop-words.ts'
import { findString } from './string-table.ts'

export type MatchedTerm = WeighedTerm & {
  readonly term: QueryTerm
  /** The words it is read as instead. */
  readonly corrected: readonly string[]
  /** How many pages have the term as it is read. */
  readonly pages: number
}

export type MatchedQuery = {
  readonly terms: readonly MatchedTerm[]
  /** How much each term counts in a language: 0 for words that say nothing. */
  readonly weights: ReadonlyMap<Language, readonly number[]>
}

const EVERYDAY_WEIGHT = 0.4
const CORRECTED_WEIGHT = 0.7
const COMPOUND_WEIGHT = 0.8

export function matchQuery(collection: Collection, asked: Query): MatchedQuery {
  const query = withSynonyms(asked, collection.languages)
  const telling = tellingTerms(collection, query)
  const terms = query.terms.flatMap((term, index) =>
    telling.has(term) ? matchTerm(collection, term, compoundReadings(collection, query.terms, index)) : [],
  )
  return {
    terms,
    weights: new Map(collection.languages.map(language => [language, weightsOf(terms, language)])),
  }
}

/** Leaves out words that say nothing in any of the languages, unless a language would have no others. */
function tellingTerms({ languages }: Collection, { terms }: Query): ReadonlySet<QueryTerm> {
  return new Set(
    languages.flatMap(language => {
      const telling = terms.filter(term => !isStopTerm(term, language))
      return telling.some(term => term.weight > 0) ? telling : terms
    }),
  )
}

function weightsOf(terms: readonly MatchedTerm[], language: Language): number[] {
  const weights = terms.map(({ term }) =>
    isStopTerm(term, language) ? 0 : term.weight * (isEverydayTerm(term, language) ? EVERYDAY_WEIGHT : 1),
  )
  return weights.some(weight => weight > 0) ? weights : terms.map(({ term }) => term.weight)
}

const isEverydayTerm = ({ kind, words }: QueryTerm, language: Language): boolean =>
  kind === 'word' && words.every(({ written, isPrefix }) => !isPrefix && isEverydayWord(written, language))

const isStopTerm = (term: QueryTerm, language: Language): boolean =>
  term.kind === 'word' && isStopWord(term.text, language)

/** Joined words that are adjacent nowhere are read as single words. */
function matchTerm(collection: Collection, term: QueryTerm, others: readonly Reading[]): MatchedTerm[] {
  const written = match(collection, term, [...readingsOf(term), ...others], [])
  const met = withAlternatives(collection, term, written)
  // A word with known alternatives is not misspelled.
  if (met !== written) return [met]
  if (term.kind === 'joined' && written.pages === 0)
    return term.words.flatMap(word => matchTerm(collection, toWordTerm(word), []))
  return [term.kind === 'word' ? corrected(collection, written) : written]
}

function corrected(collection: Collection, written: MatchedTerm): MatchedTerm {
  const { term, pages, readings } = written
  if (collection.languages.every(language => isStopTerm(term, language))) return written
  const words = term.words.flatMap(word => correctionsOf(collection, word, pages).map(({ text }) => text))
  if (words.length === 0) return written
  const others = words.map(text => readingAs(text, CORRECTED_WEIGHT))
  return match(collection, term, [...readings, ...others], words)
}

function match(
  collection: Collection,
  term: QueryTerm,
  readings: readonly Reading[],
  corrected: readonly string[],
): MatchedTerm {
  const byPart = collection.parts.map(part => strengthsIn(part, readings, collection))
  const pages = countPages(byPart)
  const idf = rarity(pages, collection)
  return { term, readings, corrected, pages, idf, strengths: byPart, shares: [] }
}

/** Two words of a query may be one word on the searched pages: "web hook". */
function compoundReadings(
  { parts }: Collection,
  terms: readonly QueryTerm[],
  index: number,
): readonly Reading[] {
  const readings: Reading[] = []
  for (const [first, second] of [
    [terms[index - 1], terms[index]],
    [terms[index], terms[index + 1]],
  ]) {
    if (first?.kind !== 'word' || second?.kind !== 'word') continue
    const text = first.text + second.text
    if (parts.some(({ segment }) => findString(segment.terms, text) !== undefined))
      readings.push(readingAs(text, COMPOUND_WEIGHT))
  }
  return readings
}
