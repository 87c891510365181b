// Lists of change requests: of a space, and of all spaces in an organization that the caller may access.
import { sql } from 'kysely'
import { personOf } from '../../access/roles.ts'
import { seesClusters } from '../../access/sees-clusters.ts'
import type { Json } from '../../base/canonical.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Page, page } from '../../platform/db/page.ts'
import { accessibleSpaces } from '../spaces/rows.ts'
import { type ChangeRequestRow, selectChangeRequests } from './rows.ts'
import type { ListChangeRequests } from './schema.ts'

type Selected = ReturnType<typeof selectChangeRequests>

export const listChangeRequestsOfSpace = (
  db: Db,
  spaceId: string,
  maySeeClusters: boolean,
  query: ListChangeRequests,
): Promise<Page<ChangeRequestRow>> =>
  listFiltered(
    selectChangeRequests(db).where('change_requests.space_id', '=', spaceId),
    { space: spaceId },
    maySeeClusters,
    query,
  )

/** Only of existing spaces that the caller belongs to: visitors see no change requests. */
export function listChangeRequestsOfOrganization(
  { db, principal }: Pick<ActionContext, 'db' | 'principal'>,
  organizationId: string,
  query: ListChangeRequests,
): Promise<Page<ChangeRequestRow>> {
  const person = personOf(principal)
  return listFiltered(
    selectChangeRequests(db).where(
      'change_requests.space_id',
      'in',
      accessibleSpaces(db, organizationId, person),
    ),
    { organization: organizationId, person: person.userId },
    seesClusters(principal, organizationId),
    query,
  )
}

/** Newest change first. */
function listFiltered(
  all: Selected,
  of: { readonly [name: string]: Json },
  maySeeClusters: boolean,
  { page: token, limit, ...filters }: ListChangeRequests,
): Promise<Page<ChangeRequestRow>> {
  return page(filtered(all, maySeeClusters, filters).select([REVIEWS, CONFLICTS]), {
    question: { list: 'change requests', ...of, ...filters },
    by: [
      ['updated_at', 'desc'],
      ['id', 'desc'],
    ],
    page: token,
    limit,
  })
}

function filtered(
  all: Selected,
  maySeeClusters: boolean,
  filters: Omit<ListChangeRequests, 'page' | 'limit'>,
): Selected {
  const { status = 'open', creator, contributor, requestedReviewer, conversationsIssuesCluster } = filters
  let query = all
  if (status !== 'all') query = query.where('change_requests.status', '=', status)
  if (creator !== undefined) query = query.where('change_requests.created_by', '=', creator)
  if (contributor !== undefined) query = query.where(isContributor(contributor))
  if (requestedReviewer !== undefined) query = query.where(isRequested(requestedReviewer))
  if (conversationsIssuesCluster !== undefined)
    query = query.where(
      maySeeClusters
        ? sql<boolean>`change_requests.conversations_issues_cluster = ${conversationsIssuesCluster}`
        : sql<boolean>`false`,
    )
  return query
}

/** What current reviews say, and how many are asked for. */
const REVIEWS = sql<NonNullable<ChangeRequestRow['reviews']>>`(select json_build_object(
    'approved', (count(*) filter (where reviews.status = 'approved'))::integer,
    'changesRequested', (count(*) filter (where reviews.status = 'changes-requested'))::integer,
    'requested', (select count(*)::integer from requested_reviewers as asked
      where asked.change_request_id = change_requests.id))
  from reviews where reviews.change_request_id = change_requests.id and not reviews.outdated)`.as('reviews')

/** As they were counted for the heads of now (`merges/known-conflicts.ts`). */
const CONFLICTS = sql<number | null>`(select known.count from known_conflicts as known
  where known.change_request_id = change_requests.id and known.revision_id = change_requests.revision_id
    and known.space_revision_id = spaces.revision_id and known.count >= 0)`.as('conflicts')

const isRequested = (userId: string) => sql<boolean>`exists (
  select from requested_reviewers as asked
  where asked.change_request_id = change_requests.id and (asked.user_id = ${userId}
    or asked.team_id = any(array(select team_id from team_members where user_id = ${userId}))))`

/**
 * Whether `listContributors` lists the person. Their contributions are gathered once, by index, instead of per change
 * request: an array, because PostgreSQL runs a subquery for each row as long as it has no statistics.
 */
const isContributor = (userId: string) => sql<boolean>`change_requests.id = any(array(
  select edited.id from revisions as edits join change_requests as edited on edited.id = edits.change_request_id
  where edits.created_by = ${userId} and edits.type = 'edits' and edits.parents[1] <> edited.revision_initial_id
  union
  select change_request_id from comments as said
  where said.posted_by = ${userId} and said.change_request_id is not null
  union
  select said.change_request_id from comment_replies as replies join comments as said on said.id = replies.comment_id
  where replies.posted_by = ${userId} and said.change_request_id is not null))`
