// The wire of search.
import { type Static, type TSchema, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Url } from '../../http/list.ts'

export const QUERY_CHARACTERS_MAX = 512
export const SEARCH_LIMIT_DEFAULT = 20

export const SearchQuery = PageOf({
  query: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS_MAX, description: 'What to look for.' }),
})

const Score = Type.Number({ minimum: 0, description: 'Higher is better; it has no upper bound.' })

export const SearchSection = model('SearchSectionResult', {
  id: Type.String(),
  title: Type.String(),
  path: Type.String({ description: 'The path of the page with the anchor of the section.' }),
  score: Score,
  body: Type.String({ description: 'The matching excerpt of the section.' }),
  urls: Type.Object({ app: Url }),
})
export type SearchSection = Static<typeof SearchSection>

export const SearchPage = model('SearchPageResult', {
  id: Type.String(),
  title: Type.String(),
  description: Type.String({ description: 'Empty if the page has none.' }),
  path: Type.String(),
  score: Score,
  rank: Type.Integer({ minimum: 1, description: 'Its rank among all pages found.' }),
  ancestors: Type.Array(Type.Object({ title: Type.String() }), {
    description: 'The pages and groups above it, from the top.',
  }),
  sections: Type.Optional(Type.Array(SearchSection)),
  urls: Type.Object({ app: Url }),
})
export type SearchPage = Static<typeof SearchPage>

/** A list of what was found. */
const FoundOf = <T extends TSchema>(item: T) =>
  Type.Object({
    ...ListOf(item).properties,
    suggestions: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'If nothing was found: words near those of the query that pages here have, nearest first. Octavo extension.',
      }),
    ),
  })

export const SearchPages = FoundOf(SearchPage)

export const SearchSpace = model('SearchSpaceResult', {
  type: OneOf(['space']),
  id: Type.String(),
  title: Type.String(),
  score: Type.Number({ minimum: 0, description: 'Of its best page.' }),
  pages: Type.Array(SearchPage),
})
export type SearchSpace = Static<typeof SearchSpace>

export const SearchSpaces = FoundOf(SearchSpace)
export const SearchBody = Type.Object({ query: SearchQuery.properties.query })
