// Search in every space that the caller may read.
import type { SearchSpace } from '../api/search/schema.ts'
import type { List } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { foundOf, toHit, toLine } from './text.ts'

export async function searchOrganization(
  api: Api,
  organization: string,
  { query, limit }: { readonly query: string; readonly limit?: number },
): Promise<string> {
  const { items, count } = await api.call<List<SearchSpace>>('GET', at`/orgs/${organization}/search`, {
    query: { query, limit },
  })
  if (items.length === 0) return 'Nothing was found.'
  const shown = items.reduce((sum, { pages }) => sum + pages.length, 0)
  return [
    foundOf(count, shown),
    ...items.map(({ id, title, pages }) =>
      [`In ${toLine(title)} (space ${id}):`, ...pages.map(toHit)].join('\n'),
    ),
  ].join('\n\n')
}
