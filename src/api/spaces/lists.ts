// Lists of spaces that somebody may see, with the count of all of them.

import { sql } from 'kysely'
import { findAccessVersion } from '../../access/decisions.ts'
import { type Person, rankOf } from '../../access/roles.ts'
import {
  countVisible,
  findGrants,
  findVisibilitySnapshot,
  type MemberView,
  rankOnSpace,
  type VisibilitySnapshot,
  viewOf,
} from '../../access/visibility-snapshot.ts'
import type { Services } from '../../http/context.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { SeenSpace, SpaceRow } from './rows.ts'

type Kept = Pick<Services, 'db' | 'rowCache' | 'decisions'>

/**
 * The spaces of an organization that somebody may see, by position; those of one collection if `parentId` says so. How
 * the person stands is known before the query, from what is kept while nothing of it changes: the rows are then found along
 * the index, and to count ten thousand spaces none of them is visited.
 */
export async function listSpaces(
  kept: Kept,
  organizationId: string,
  person: Person,
  query: PageQuery,
  parentId?: string,
): Promise<Page<SeenSpace>> {
  const { snapshot, view } = await findView(kept, organizationId, person)
  const seen = await page(
    kept.db
      .selectFrom('spaces')
      .select(['id', 'position', 'parent_id as parent', 'level_rank as level', 'visibility'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .$if(parentId !== undefined, one => one.where('parent_id', '=', parentId as string))
      .$if(view.rank !== rankOf('admin'), one => one.where(isSeen(view))),
    {
      question: {
        list: 'spaces',
        organization: organizationId,
        person: person.userId,
        parent: parentId ?? null,
      },
      by: [
        ['position', 'asc'],
        ['id', 'asc'],
      ],
      count: countVisible(snapshot, view, parentId),
      ...query,
    },
  )
  const rankOnOne = (space: (typeof seen.items)[number]) =>
    rankOnSpace(view, space, view.grants.ranks.get(space.id))
  return { ...seen, items: seen.items.map(space => ({ id: space.id, rank: rankOnOne(space) })) }
}

/** How the person stands, from what is kept while nothing of it changes. */
async function findView(
  kept: Kept,
  organizationId: string,
  { userId, memberships }: Person,
): Promise<{ snapshot: VisibilitySnapshot; view: MemberView }> {
  const { db, decisions } = kept
  const version = await findAccessVersion(kept, organizationId)
  const snapshot = await decisions.visibilitySnapshots.get(`${organizationId}:${version}`, () =>
    findVisibilitySnapshot(db, organizationId),
  )
  const role = memberships.get(organizationId)
  const grants = await decisions.grants.get(`${organizationId}:${userId}:${version}`, async () => {
    const grantsOf = await findGrants(db, organizationId, [userId])
    return grantsOf(userId)
  })
  return { snapshot, view: viewOf(snapshot, role === undefined ? null : rankOf(role), grants) }
}

/** A space whose head is searched. */
export type SeenHead = {
  readonly id: string
  readonly title: string
  readonly language: SpaceRow['language']
  readonly projection_id: string
  readonly revision_id: string
  readonly root_hash: Buffer
}

/** Every space of an organization that somebody may see, with its head. */
export async function findSeenHeads(kept: Kept, organizationId: string, person: Person): Promise<SeenHead[]> {
  const { view } = await findView(kept, organizationId, person)
  return kept.db
    .selectFrom('spaces')
    .select(['id', 'title', 'language', 'projection_id', 'revision_id'])
    .select(
      sql<Buffer>`(select root_hash from revisions where revisions.id = spaces.revision_id)`.as('root_hash'),
    )
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .$if(view.rank !== rankOf('admin'), one => one.where(isSeen(view)))
    .execute()
}

/** `sees` of a view as a condition on `spaces`: for somebody who is no admin of the organization. */
function isSeen({ rank, grants, folders }: MemberView) {
  const rankOn = (id: string) => grants.ranks.get(id) ?? 0
  const isGiven = isIn(
    'id',
    grants.spaces.map(({ id }) => id).filter(id => rankOn(id) > 0),
  )
  const isRefused = isIn(
    'id',
    grants.spaces.map(({ id }) => id).filter(id => rankOn(id) === 0),
  )
  // those that are open, never those that are closed: one that nothing is known of is closed
  const open = [...folders].filter(([, one]) => one > 0).map(([id]) => id)
  const isMember = sql.lit((rank ?? 0) > 0)
  return sql<boolean>`case
    when visibility in ('public', 'unlisted') or ${isGiven} then true
    when ${isMember} and level_rank > 0 and not ${isRefused} then true
    when visibility <> 'in-collection' and (level_rank is not null or ${isRefused}) then false
    when parent_id is null then ${isMember} and level_rank is null and not ${isRefused}
    else ${isIn('parent_id', open)} end`
}

/** A subquery is hashed, where an array would be walked for every row. */
const isIn = (column: 'id' | 'parent_id', ids: readonly string[]) =>
  ids.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(${sql.ref(column)} in (select unnest(${[...ids]}::text[])))`
