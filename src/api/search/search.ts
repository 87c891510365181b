// Searching a space, or all spaces of an organization that somebody may read, for the API and for the reader.
import type { Person } from '../../access/roles.ts'
import type { Json } from '../../base/canonical.ts'
import { invalid } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import type { PageQuery } from '../../platform/db/page.ts'
import { findSeenHeads, type SeenHead } from '../spaces/lists.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { decodeSearchCursor, encodeSearchCursor } from './cursor.ts'
import { type FindServices, findPages, type Hit, type Hits } from './find.ts'
import { findNearPages } from './near.ts'
import { readQuery } from './read-query.ts'
import { SEARCH_LIMIT_DEFAULT } from './schema.ts'
import type { ScopedSearch, SearchedSpace } from './scopes.ts'

export type SearchRequest = PageQuery & {
  readonly query: string
  /**
   * With embeddings, pages near in meaning are searched too, until this is aborted. Absent: words alone, for queries
   * sent while typing.
   */
  readonly meaning?: AbortSignal | undefined
}
export type FoundHits = Pick<Hits, 'count' | 'corrections' | 'suggestions'> & {
  readonly items: readonly Hit[]
  readonly next?: string
}

/** Pages of the space's head that match, best first. */
export async function searchSpace(
  services: FindServices,
  space: Head & Pick<SpaceRow, 'organization_id'>,
  request: SearchRequest,
): Promise<FoundHits> {
  const query = await readQuery(services, space.organization_id, request.query)
  const place = { list: 'search', space: space.id }
  const asked = { lane: space.id, spaces: [toSearchedSpace(space)], query }
  return searchIn(services, space.organization_id, asked, place, request)
}

/** The same for every space of an organization that the person may see, which is decided before anything is ranked. */
export async function searchOrganization(
  services: FindServices & Pick<Services, 'decisions'>,
  organizationId: string,
  person: Person,
  request: SearchRequest,
): Promise<FoundHits> {
  const spaces = await findSearchedSpaces(services, organizationId, person)
  const query = await readQuery(services, organizationId, request.query)
  const place = { list: 'search', organization: organizationId }
  return searchIn(services, organizationId, { lane: organizationId, spaces, query }, place, request)
}

/** The spaces of an organization that somebody may see, for searching. */
const findSearchedSpaces = async (
  services: Pick<Services, 'db' | 'rowCache' | 'decisions'>,
  organizationId: string,
  person: Person,
): Promise<SearchedSpace[]> => (await findSeenHeads(services, organizationId, person)).map(toSearchedSpace)

type Head = Pick<SpaceRow, keyof SeenHead>

export const toSearchedSpace = (space: Head): SearchedSpace => ({
  id: space.id,
  title: space.title,
  language: space.language,
  revisionId: space.revision_id,
  projectionId: space.projection_id,
  root: space.root_hash.toString('hex'),
})

async function searchIn(
  services: FindServices,
  organizationId: string,
  asked: ScopedSearch,
  place: { readonly [name: string]: Json },
  { query: text, page, limit = SEARCH_LIMIT_DEFAULT, meaning }: SearchRequest,
): Promise<FoundHits> {
  if (text.trim() === '') throw invalid('query_empty', 'query: say what to look for.')
  const question = { ...place, query: text.trim() }
  const after = page === undefined ? undefined : decodeSearchCursor(question, page)
  const near =
    meaning === undefined || after !== undefined
      ? Promise.resolve([])
      : findNearPages(services, { ...asked, organizationId, signal: meaning })
  const { hits, count, corrections, suggestions, next } = await findPages(services, asked, {
    limit,
    after,
    near,
  })
  return {
    items: hits,
    count,
    corrections,
    suggestions,
    ...(next === undefined ? {} : { next: encodeSearchCursor(question, next) }),
  }
}
