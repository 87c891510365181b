// The wire of search (specification "Space content", api-facts §2.1, §8-55).
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Url } from '../../http/list.ts'

export const QUERY_CHARACTERS_MAX = 512
export const SEARCH_LIMIT_DEFAULT = 20

export const SearchQuery = PageOf({
  query: Type.String({ minLength: 1, maxLength: QUERY_CHARACTERS_MAX, description: 'What to look for.' }),
})

export const SearchSection = model(
  'SearchSectionResult',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    path: Type.String({ description: 'The path of the page with the anchor of the section.' }),
    body: Type.String({ description: 'The piece of the section that was found.' }),
    urls: Type.Object({ app: Url }),
  }),
)
export type SearchSection = Static<typeof SearchSection>

export const SearchPage = model(
  'SearchPageResult',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    path: Type.String(),
    sections: Type.Optional(Type.Array(SearchSection)),
    urls: Type.Object({ app: Url }),
  }),
)
export type SearchPage = Static<typeof SearchPage>

export const SearchPages = ListOf(SearchPage)

export const SearchSpace = model(
  'SearchSpaceResult',
  Type.Object({
    type: OneOf(['space']),
    id: Type.String(),
    title: Type.String(),
    score: Type.Number({ minimum: 0, description: 'Of its best page.' }),
    pages: Type.Array(SearchPage),
  }),
)
export type SearchSpace = Static<typeof SearchSpace>

export const SearchSpaces = ListOf(SearchSpace)
export const SearchBody = Type.Object({ query: SearchQuery.properties.query })
