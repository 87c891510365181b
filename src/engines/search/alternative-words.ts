// Alternatives to the words of a query: from a thesaurus, and from the synonyms of a language.
import type { Language } from './language.ts'
import type { Query, QueryTerm } from './query-terms.ts'
import type { Alternative } from './query-words.ts'
import { readSynonyms } from './synonyms.ts'
import { substitutionsIn, type Thesaurus } from './thesaurus.ts'

/** The query with the synonyms of its words in the searched languages. */
export const withSynonyms = (query: Query, languages: readonly Language[]): Query =>
  withThesauri(query, [...new Set(languages.flatMap(readSynonyms))])

export function withThesauri(query: Query, thesauri: readonly Thesaurus[]): Query {
  const named = query.rows.flatMap(words =>
    thesauri.flatMap(thesaurus =>
      Array.from(substitutionsIn(thesaurus, words), ({ from, to, alternatives }) => ({
        names: new Set(words.slice(from, to).map(word => word.text)),
        alternatives,
      })),
    ),
  )
  if (named.length === 0) return query
  const terms = query.terms.map(term => ({
    ...term,
    alternatives: [...term.alternatives, ...alternativesFor(term, named)],
  }))
  return { ...query, terms }
}

type Named = { readonly names: ReadonlySet<string>; readonly alternatives: readonly Alternative[] }

/** An alternative to several words applies to each of them. Quoted words have no alternatives. */
const alternativesFor = ({ kind, words }: QueryTerm, named: readonly Named[]): Alternative[] =>
  kind === 'phrase'
    ? []
    : named
        .filter(({ names }) => words.every(({ text }) => names.has(text)))
        .flatMap(({ alternatives }) => alternatives)
