// SQL over change requests and their requested reviewers.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, type PageQuery, page } from '../../platform/db/page.ts'
import type { ChangeRequests, RequestedReviewers } from '../../platform/db/tables.ts'
import type { Person } from '../accounts/wire.ts'
import type { ChangeRequest } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'change_requests.description': JSONDocument
  }
}

/** A change request with its content, people and counts. */
export type ChangeRequestRow = Selectable<ChangeRequests> & {
  /** The root of `revision_id`. */
  readonly root_hash: Buffer
  readonly creator: Person
  readonly merger: Person | null
  readonly open_comments: number
  readonly organization_id: string
  /** The head of the space. */
  readonly space_revision_id: string
  /** In lists. */
  readonly reviews?: ChangeRequest['reviews']
  /** In lists; null if they are not counted yet. */
  readonly conflicts?: number | null
}

export const personJson = (table: string) =>
  sql<Person>`json_build_object('id', ${sql.ref(`${table}.id`)}, 'display_name', ${sql.ref(`${table}.display_name`)},
    'email', ${sql.ref(`${table}.email`)}, 'photo_url', ${sql.ref(`${table}.photo_url`)})`

const openComments = sql<number>`(select count(*)::integer from comments
  where comments.space_id = change_requests.space_id
    and comments.change_request_id = change_requests.id and comments.resolved_at is null)`

/**
 * Every column that the wire needs, in one query. Columns of other tables are looked up row by row: a list counts and
 * orders thousands of change requests, but needs those columns only for the hundred that it shows.
 */
export const selectChangeRequests = (db: Db | Trx) =>
  db
    .selectFrom('change_requests')
    .innerJoin('spaces', 'spaces.id', 'change_requests.space_id')
    .selectAll('change_requests')
    .select([
      'spaces.organization_id',
      'spaces.revision_id as space_revision_id',
      sql<Buffer>`(select root_hash from revisions where revisions.id = change_requests.revision_id)`.as(
        'root_hash',
      ),
      sql<Person>`(select ${personJson('users')} from users where users.id = change_requests.created_by)`.as(
        'creator',
      ),
      sql<Person | null>`(select ${personJson('users')} from users where users.id = change_requests.merged_by)`.as(
        'merger',
      ),
      openComments.as('open_comments'),
    ])

export const findChangeRequest = (db: Db | Trx, id: string): Promise<ChangeRequestRow | undefined> =>
  selectChangeRequests(db).where('change_requests.id', '=', id).executeTakeFirst()

/** The path parameter: the id, or the number in the space (specification, common conventions 4). */
export const findChangeRequestOfSpace = (
  db: Db | Trx,
  spaceId: string,
  idOrNumber: string,
): Promise<ChangeRequestRow | undefined> => {
  const query = selectChangeRequests(db).where('change_requests.space_id', '=', spaceId)
  return (
    isNumber(idOrNumber)
      ? query.where('change_requests.number', '=', Number(idOrNumber))
      : query.where('change_requests.id', '=', idOrNumber)
  ).executeTakeFirst()
}

// Ids have 20 characters; PostgreSQL's integers have at most ten digits.
const isNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text)

/** The row alone, locked until the transaction ends. A space is always locked before its change requests. */
export const lockChangeRequest = (trx: Trx, id: string): Promise<Selectable<ChangeRequests> | undefined> =>
  trx.selectFrom('change_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertChangeRequest = (trx: Trx, row: Insertable<ChangeRequests>) =>
  trx.insertInto('change_requests').values(row).execute()

/** Moves `updated_at`, too: the order of every list, and the version that `If-Match` names, always by a millisecond. */
export const updateChangeRequest = (trx: Trx, id: string, change: Updateable<ChangeRequests>) =>
  trx
    .updateTable('change_requests')
    .set({
      ...change,
      updated_at: sql<Date>`greatest(clock_timestamp(), updated_at + interval '1 millisecond')`,
    })
    .where('id', '=', id)
    .execute()

/** The next free number in the space, whose row the caller has locked. */
export async function nextNumber(trx: Trx, spaceId: string): Promise<number> {
  const row = await trx
    .selectFrom('change_requests')
    .select(({ fn }) => fn.max('number').as('highest'))
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  return (row?.highest ?? 0) + 1
}

/** A task of the space, with the cluster of issues that it answers. */
export const findAgentTask = (trx: Trx, spaceId: string, id: string) =>
  trx
    .selectFrom('agent_tasks')
    .select(['id', 'cluster_id'])
    .where('id', '=', id)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()

/** Moves the change requests of merged clusters to the cluster that they became part of. */
export const moveToClusters = (trx: Trx, moved: ReadonlyMap<string, string>) =>
  sql`update change_requests set conversations_issues_cluster = one.into
    from unnest(${[...moved.keys()]}::text[], ${[...moved.values()]}::text[]) as one (cluster, into)
    where change_requests.conversations_issues_cluster = one.cluster`.execute(trx)

/** Clusters belong to one organization, which these spaces leave. */
export const forgetClustersIn = (trx: Trx, spaceIds: readonly string[]) =>
  sql`update change_requests set conversations_issues_cluster = null
    where space_id = any(${[...spaceIds]}::text[]) and conversations_issues_cluster is not null`.execute(trx)

export type MovedChangeRequest = Selectable<ChangeRequests> &
  Pick<ChangeRequestRow, 'organization_id' | 'space_revision_id' | 'open_comments'>

/** Part of a statement: moves the head of a change request; no row if it is not `from`. */
export const movingChangeRequestHead = (id: string, from: string, to: string) =>
  sql<MovedChangeRequest>`
    update change_requests set revision_id = ${to}, updated_at = clock_timestamp()
    from spaces
    where change_requests.id = ${id} and change_requests.revision_id = ${from}
      and spaces.id = change_requests.space_id
    returning change_requests.*, spaces.organization_id, spaces.revision_id as space_revision_id,
      ${openComments} as open_comments`

/** A person or a team that was asked for a review and has not given one since. */
export type RequestedReviewerRow = Omit<Selectable<RequestedReviewers>, 'requested_by'> & {
  /** Of the person or the team. */
  readonly reviewer_id: string
  readonly reviewer: Person | null
  readonly team: { readonly id: string; readonly title: string } | null
  readonly requester: Person
}

const REVIEWER_ID = sql<string>`coalesce(requested_reviewers.user_id, requested_reviewers.team_id)`

const selectRequestedReviewers = (db: Db | Trx, changeRequestId: string) =>
  db
    .selectFrom('requested_reviewers')
    .innerJoin('users as requesters', 'requesters.id', 'requested_reviewers.requested_by')
    .select(['change_request_id', 'user_id', 'team_id', 'revision_id', 'requested_at'])
    .select([
      REVIEWER_ID.as('reviewer_id'),
      sql<Person | null>`(select ${personJson('users')} from users
        where users.id = requested_reviewers.user_id)`.as('reviewer'),
      sql<
        RequestedReviewerRow['team']
      >`(select json_build_object('id', teams.id, 'title', teams.title) from teams
        where teams.id = requested_reviewers.team_id)`.as('team'),
      personJson('requesters').as('requester'),
    ])
    .where('change_request_id', '=', changeRequestId)

/** Latest request first. `viewerId`: of somebody who may not list teams, and sees only those that they are in. */
export function listRequestedReviewers(
  db: Db,
  changeRequestId: string,
  viewerId: string | null,
  query: PageQuery,
): Promise<Page<RequestedReviewerRow>> {
  const all = selectRequestedReviewers(db, changeRequestId)
  const seen = all.where(
    sql<boolean>`(team_id is null or exists (select from team_members
      where team_members.team_id = requested_reviewers.team_id and team_members.user_id = ${viewerId}))`,
  )
  return page(viewerId === null ? all : seen, {
    question: { list: 'requested reviewers', changeRequest: changeRequestId, viewer: viewerId },
    by: [
      ['requested_at', 'desc'],
      ['reviewer_id', 'desc'],
    ],
    ...query,
  })
}

/** All of them, by the id of the person or the team. */
export async function findRequestedReviewers(
  trx: Trx,
  changeRequestId: string,
): Promise<ReadonlyMap<string, RequestedReviewerRow>> {
  const rows = await selectRequestedReviewers(trx, changeRequestId).execute()
  return new Map(rows.map(row => [row.reviewer_id, row]))
}

export type Reviewers = { readonly users: readonly string[]; readonly teams: readonly string[] }

/** Asking again replaces the request, with its person, time and content. */
export async function insertRequestedReviewers(
  trx: Trx,
  request: Pick<Selectable<RequestedReviewers>, 'change_request_id' | 'revision_id' | 'requested_by'>,
  { users, teams }: Reviewers,
): Promise<void> {
  const insert = (column: 'user_id' | 'team_id', ids: readonly string[]) =>
    ids.length > 0 &&
    trx
      .insertInto('requested_reviewers')
      .values(ids.map(id => ({ ...request, [column]: id })))
      .onConflict(conflict =>
        conflict.columns(['change_request_id', column]).doUpdateSet(({ ref }) => ({
          revision_id: ref('excluded.revision_id'),
          requested_by: ref('excluded.requested_by'),
          requested_at: ref('excluded.requested_at'),
        })),
      )
      .execute()
  await insert('user_id', users)
  await insert('team_id', teams)
}

/** Removes the request to a person or a team, which is withdrawn; undefined if there was none. */
export const removeRequestedReviewer = (
  trx: Trx,
  changeRequestId: string,
  kind: 'user' | 'team',
  id: string,
): Promise<{ requested_by: string } | undefined> =>
  trx
    .deleteFrom('requested_reviewers')
    .where('change_request_id', '=', changeRequestId)
    .where(kind === 'user' ? 'user_id' : 'team_id', '=', id)
    .returning('requested_by')
    .executeTakeFirst()

/**
 * Removes the requests that a review by this person answers: to them, and to each team that they are in. Returns who had
 * asked them, or one of their teams; undefined if nobody had.
 */
export async function removeAnsweredRequests(
  trx: Trx,
  changeRequestId: string,
  userId: string,
): Promise<string | undefined> {
  const rows = await trx
    .deleteFrom('requested_reviewers')
    .where('change_request_id', '=', changeRequestId)
    .where(
      sql<boolean>`(user_id = ${userId}
        or team_id = any(array(select team_id from team_members where user_id = ${userId})))`,
    )
    .returning(['user_id', 'requested_by'])
    .execute()
  const asked = rows.find(({ user_id }) => user_id === userId) ?? rows[0]
  return asked?.requested_by
}

/** Removes every request for somebody's review in an organization; returns where they were asked. */
export const removeRequestsOf = (
  trx: Trx,
  organizationId: string,
  userId: string,
): Promise<{ change_request_id: string; space_id: string }[]> =>
  trx
    .deleteFrom('requested_reviewers')
    .using('change_requests')
    .innerJoin('spaces', 'spaces.id', 'change_requests.space_id')
    .whereRef('change_requests.id', '=', 'requested_reviewers.change_request_id')
    .where('spaces.organization_id', '=', organizationId)
    .where('requested_reviewers.user_id', '=', userId)
    .returning(['requested_reviewers.change_request_id', 'change_requests.space_id'])
    .execute()

/** The same for a team. */
export const removeRequestsOfTeam = (
  trx: Trx,
  teamId: string,
): Promise<{ change_request_id: string; space_id: string }[]> =>
  trx
    .deleteFrom('requested_reviewers')
    .using('change_requests')
    .whereRef('change_requests.id', '=', 'requested_reviewers.change_request_id')
    .where('requested_reviewers.team_id', '=', teamId)
    .returning(['requested_reviewers.change_request_id', 'change_requests.space_id'])
    .execute()

/** Removes, in these spaces, all review requests to teams of others and to people who are no active members. */
export const removeForeignRequests = (
  trx: Trx,
  organizationId: string,
  spaceIds: readonly string[],
): Promise<
  { change_request_id: string; space_id: string; user_id: string | null; team_id: string | null }[]
> =>
  trx
    .deleteFrom('requested_reviewers')
    .using('change_requests')
    .whereRef('change_requests.id', '=', 'requested_reviewers.change_request_id')
    .where(sql<boolean>`change_requests.space_id = any(${[...spaceIds]}::text[])`)
    .where(
      sql<boolean>`not exists (select from members where organization_id = ${organizationId}
        and members.user_id = requested_reviewers.user_id and not disabled)`,
    )
    .where(
      sql<boolean>`not exists (select from teams where organization_id = ${organizationId}
        and teams.id = requested_reviewers.team_id)`,
    )
    .returning([
      'requested_reviewers.change_request_id',
      'change_requests.space_id',
      'requested_reviewers.user_id',
      'requested_reviewers.team_id',
    ])
    .execute()
