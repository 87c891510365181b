// Lists of spaces that somebody may see, with the count of all of them.

import { sql } from 'kysely'
import { findSpaceView } from '../../access/member-access.ts'
import type { Person } from '../../access/roles.ts'
import { ADMIN_RANK, rankOnSpace, type SpaceView } from '../../access/visibility-snapshot.ts'
import { countVisibleSpaces, countVisibleSpacesIn } from '../../access/visible-space-counts.ts'
import { isVisible } from '../../access/visible-space-filter.ts'
import type { Services } from '../../http/context.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { SeenSpace, SpaceRow } from './rows.ts'

type ListServices = Pick<Services, 'db' | 'rowCache' | 'decisions'>

type SpacesQuery = PageQuery & { readonly searchScope?: SpaceRow['search_scope'] }

/**
 * The spaces of an organization that somebody may see, by position; with `parentId`, those of one collection. The
 * person's rights are known before the query, so the rows are found by index, and counting ten thousand spaces visits
 * none.
 */
export async function listSpaces(
  kept: ListServices,
  organizationId: string,
  person: Person,
  { searchScope, ...query }: SpacesQuery,
  parentId?: string,
): Promise<Page<SeenSpace>> {
  const view = await findSpaceView(kept, organizationId, person)
  const visible = kept.db
    .selectFrom('spaces')
    .select(['id', 'position', 'parent_id as parent', 'level_rank as level', 'visibility'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where(isVisible(view))
    .$if(parentId !== undefined, list => list.where('parent_id', '=', parentId ?? null))
    .$if(searchScope !== undefined, list => list.where('search_scope', '=', searchScope ?? 'organization'))
  const seen = await page(visible, {
    question: {
      list: 'spaces',
      organization: organizationId,
      person: person.userId,
      parent: parentId ?? null,
      ...(searchScope === undefined ? {} : { searchScope }),
    },
    by: [
      ['position', 'asc'],
      ['id', 'asc'],
    ],
    ...(searchScope === undefined ? { count: countSpaces(view, parentId) } : {}),
    ...query,
  })
  return { ...seen, items: seen.items.map(space => ({ id: space.id, rank: rankOnSpace(view, space) })) }
}

const countSpaces = ({ snapshot, member }: SpaceView, parentId: string | undefined): number =>
  parentId === undefined
    ? countVisibleSpaces(snapshot, member)
    : countVisibleSpacesIn(snapshot, member, parentId)

/** Those that can still be restored, the last one deleted first, for admins of the organization, who see every space. */
export async function listDeletedSpaces(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  deletedAfter: Date,
  query: PageQuery,
): Promise<Page<SeenSpace>> {
  const deleted = db
    .selectFrom('spaces')
    .select(['id', 'deleted_at'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', '>', deletedAfter)
  const seen = await page(deleted, {
    question: { list: 'deleted spaces', organization: organizationId },
    by: [
      ['deleted_at', 'desc', 'nullable'],
      ['id', 'desc'],
    ],
    ...query,
  })
  return { ...seen, items: seen.items.map(({ id }) => ({ id, rank: ADMIN_RANK })) }
}

/** A space with the head to search. */
export type SeenHead = {
  readonly id: string
  readonly title: string
  readonly language: SpaceRow['language']
  readonly projection_id: string
  readonly revision_id: string
  readonly root_hash: Buffer
}

/** Every space of an organization that somebody may see, and that its searches cover, with its head. */
export async function findSeenHeads(
  kept: ListServices,
  organizationId: string,
  person: Person,
): Promise<SeenHead[]> {
  const view = await findSpaceView(kept, organizationId, person)
  return kept.db
    .selectFrom('spaces')
    .select(['id', 'title', 'language', 'projection_id', 'revision_id'])
    .select(
      sql<Buffer>`(select root_hash from revisions where revisions.id = spaces.revision_id)`.as('root_hash'),
    )
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where('search_scope', '=', 'organization')
    .where(isVisible(view))
    .orderBy('id')
    .execute()
}
