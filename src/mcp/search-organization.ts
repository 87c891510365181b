// Search in every space that the caller may read.
import { type Static, Type } from 'typebox'
import type { SearchSpace } from '../api/search/schema.ts'
import type { List } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { FoundPage, toFoundPage } from './outputs.ts'
import { foundOf, toHit, toLine } from './text.ts'
import type { ToolAnswer } from './tool.ts'

/** `space`: absent where the search was in one. */
export const Found = Type.Object({
  count: Type.Integer({ description: 'All pages that were found.' }),
  pages: Type.Array(Type.Object({ space: Type.Optional(Type.String()), ...FoundPage.properties })),
})

export async function searchOrganization(
  api: Api,
  organization: string,
  { query, limit }: { readonly query: string; readonly limit?: number },
): Promise<ToolAnswer<Static<typeof Found>>> {
  const { items, count } = await api.call<List<SearchSpace>>('GET', at`/orgs/${organization}/search`, {
    query: { query, limit },
  })
  const pages = items.flatMap(({ id, pages: found }) =>
    found.map(one => ({ space: id, ...toFoundPage(one) })),
  )
  const text = [
    foundOf(count, pages.length),
    ...items.map(({ id, title, pages: found }) =>
      [`In ${toLine(title)} (space ${id}):`, ...found.map(toHit)].join('\n'),
    ),
  ].join('\n\n')
  return { text: items.length === 0 ? 'Nothing was found.' : text, data: { count, pages } }
}
