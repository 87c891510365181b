// A query as it is read over what is searched: which words are known, what the others may mean, and how rare each is.
import { correctionsOf } from './corrections.ts'
import type { Language } from './language.ts'
import { frequencies } from './matching.ts'
import type { Query, QueryTerm } from './query.ts'
import { type Reading, readingAs, readingsOf } from './readings.ts'
import type { Collection } from './searched-part.ts'
import { isStopWord } from './stop-words.ts'
import { findString } from './string-table.ts'

export type MatchedTerm = {
  readonly term: QueryTerm
  readonly readings: readonly Reading[]
  /** The words it is read as instead. */
  readonly corrected: readonly string[]
  /** How many pages have it. */
  readonly pages: number
  readonly idf: number
  /** By part its frequency on each page. */
  readonly frequencies: readonly (Float32Array | undefined)[]
}

export type MatchedQuery = {
  readonly terms: readonly MatchedTerm[]
  /** How much each term counts in a language: 0 for words that say nothing. */
  readonly weights: ReadonlyMap<Language, readonly number[]>
}

const CORRECTED_WEIGHT = 0.7
const COMPOUND_WEIGHT = 0.8

export function matchQuery(collection: Collection, query: Query): MatchedQuery {
  const telling = tellingTerms(collection, query)
  const terms = query.terms.flatMap((term, index) =>
    telling.has(term) ? matchTerm(collection, term, compoundReadings(collection, query.terms, index)) : [],
  )
  return {
    terms,
    weights: new Map(collection.languages.map(language => [language, weightsOf(terms, language)])),
  }
}

/** Words that say nothing in any of the languages are left out, but where one of them would have nothing else. */
function tellingTerms({ languages }: Collection, { terms }: Query): ReadonlySet<QueryTerm> {
  return new Set(
    languages.flatMap(language => {
      const telling = terms.filter(term => !isStopTerm(term, language))
      return telling.some(term => term.weight > 0) ? telling : terms
    }),
  )
}

function weightsOf(terms: readonly MatchedTerm[], language: Language): number[] {
  const weights = terms.map(({ term }) => (isStopTerm(term, language) ? 0 : term.weight))
  return weights.some(weight => weight > 0) ? weights : terms.map(({ term }) => term.weight)
}

const isStopTerm = (term: QueryTerm, language: Language): boolean =>
  term.kind === 'word' && isStopWord(term.text, language)

/** A row of words that stands nowhere is read as its words. */
function matchTerm(collection: Collection, term: QueryTerm, others: readonly Reading[]): MatchedTerm[] {
  const written = match(collection, term, [...readingsOf(term), ...others], [])
  if (term.kind === 'joined' && written.pages === 0)
    return term.words.flatMap(word =>
      matchTerm(
        collection,
        { kind: 'word', text: word.text, words: [{ ...word, offset: 0 }], whole: undefined, weight: 1 },
        [],
      ),
    )
  return [term.kind === 'word' ? corrected(collection, written) : written]
}

function corrected(collection: Collection, written: MatchedTerm): MatchedTerm {
  const { term, pages, readings } = written
  if (collection.languages.every(language => isStopTerm(term, language))) return written
  const words = correctionsOf(collection, term.words[0]!, pages).map(({ text }) => text)
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
  const byPart = collection.parts.map(part => frequencies(part, readings, collection))
  let pages = 0
  for (const frequency of byPart) if (frequency !== undefined) pages += countPositive(frequency)
  return { term, readings, corrected, pages, idf: idfOf(pages, collection.pages), frequencies: byPart }
}

function countPositive(numbers: Float32Array): number {
  let count = 0
  for (let index = 0; index < numbers.length; index++) if (numbers[index]! > 0) count++
  return count
}

const idfOf = (pages: number, all: number): number => Math.log(1 + (all - pages + 0.5) / (pages + 0.5))

/** Two words of a query may be one where it is searched: "web hook". */
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
