// Searching a space, or all spaces of an organization that somebody may read, for the API and for the reader.
import type { Person } from '../../access/roles.ts'
import type { Json } from '../../base/canonical.ts'
import { decodeCursor, encodeCursor } from '../../base/cursor.ts'
import { invalid } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import type { PageQuery } from '../../platform/db/page.ts'
import { findSeenHeads, type SeenHead } from '../spaces/lists.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type After, findPages, type Hit, type Hits } from './find.ts'
import { readQuery } from './read-query.ts'
import { SEARCH_LIMIT_DEFAULT } from './schema.ts'
import type { Asked, SearchedSpace, Searching } from './scopes.ts'

export type SearchRequest = PageQuery & { readonly query: string }
export type FoundHits = Pick<Hits, 'count' | 'corrections'> & {
  readonly items: readonly Hit[]
  readonly next?: string
}

/** Pages of the space's head that have what is asked for, best first. */
export async function searchSpace(
  services: Searching,
  space: Head & Pick<SpaceRow, 'organization_id'>,
  request: SearchRequest,
): Promise<FoundHits> {
  const query = await readQuery(services, space.organization_id, request.query)
  const place = { list: 'search', space: space.id }
  return searchIn(services, { lane: space.id, spaces: [toSearchedSpace(space)], query }, place, request)
}

/** The same of every space of an organization that the person may see: decided before anything is ranked. */
export async function searchOrganization(
  services: Searching & Pick<Services, 'decisions'>,
  organizationId: string,
  person: Person,
  request: SearchRequest,
): Promise<FoundHits> {
  const spaces = await findSearchedSpaces(services, organizationId, person)
  const query = await readQuery(services, organizationId, request.query)
  const place = { list: 'search', organization: organizationId }
  return searchIn(services, { lane: organizationId, spaces, query }, place, request)
}

/** The spaces of an organization that somebody may see, as they are searched. */
export const findSearchedSpaces = async (
  services: Pick<Services, 'db' | 'fresh' | 'decisions'>,
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
  services: Searching,
  asked: Asked,
  place: { readonly [name: string]: Json },
  { query: text, page, limit = SEARCH_LIMIT_DEFAULT }: SearchRequest,
): Promise<FoundHits> {
  if (text.trim() === '') throw invalid('query_empty', 'query: say what to look for.')
  const question = { ...place, query: text.trim() }
  const after = page === undefined ? undefined : readAfter(question, page)
  const { hits, count, corrections, next } = await findPages(services, asked, { limit, after })
  return {
    items: hits,
    count,
    corrections,
    ...(next === undefined ? {} : { next: writeAfter(question, next) }),
  }
}

function readAfter(question: Json, token: string): After {
  const [score, spaceId, pageId, ...rest] = decodeCursor(question, token)
  const isOurs =
    typeof score === 'number' &&
    Number.isFinite(score) &&
    typeof spaceId === 'string' &&
    typeof pageId === 'string'
  if (!isOurs || rest.length > 0)
    throw invalid('page_invalid', 'page: this is not a token of this search. Take it from next.page.')
  return { score, spaceId, pageId }
}

const writeAfter = (question: Json, { score, spaceId, pageId }: After): string =>
  encodeCursor(question, [score, spaceId, pageId])
