// Requesting reviews of people and of teams, and withdrawing the request. The module `reviews` holds the reviews
// themselves.
import { sql } from 'kysely'
import { allows, MEMBER_ROLES } from '../../access/policy.ts'
import { membersWithEffectiveRole, rankOf, roleInOrganization, roleOfRank } from '../../access/roles.ts'
import { assert } from '../../base/assert.ts'
import { conflict, invalid, orMissing } from '../../base/errors.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type Page, page } from '../../platform/db/page.ts'
import type { Person } from '../accounts/wire.ts'
import { lockTeams } from '../grants/rows.ts'
import { isFound, lockMembers } from '../members/rows.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { listTeamMemberIds } from '../teams/membership.ts'
import { listTeamsAmong } from '../teams/rows.ts'
import { applyChange, readChange } from './actions.ts'
import type { ChangeRequestAt } from './place.ts'
import {
  findRequestedReviewers,
  insertRequestedReviewers,
  lockChangeRequest,
  type RequestedReviewerRow,
  removeRequestedReviewer,
} from './rows.ts'
import {
  type ListPossibleReviewers,
  type ListPossibleTeams,
  REQUESTED_REVIEWERS_MAX,
  type RequestReviewers,
} from './schema.ts'
import { requireOpen } from './state.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** These were asked for a review, perhaps not for the first time. */
    'change_request.review_requested': { changeRequest: string; users: string[]; teams: string[] }
    /** These are no longer asked for a review. */
    'change_request.review_request_withdrawn': { changeRequest: string; users: string[]; teams: string[] }
  }
}

/**
 * Asks each of these people and teams for a review of the current content. Opens a draft: asking for reviews submits it.
 * Can also set subject and description. Returns the requests in the order of the body.
 *
 * Throws `invalid` for a person who may not review in the space and for a team without such a person, `conflict` for an
 * archived or merged change request and for more than REQUESTED_REVIEWERS_MAX open requests; nothing is written then.
 */
export async function requestReviewers(
  context: ActionContext,
  at: ChangeRequestAt,
  { users, teams = [], ...words }: RequestReviewers,
): Promise<RequestedReviewerRow[]> {
  const wanted = await readChange(context, at.space.id, words)
  const reviewers = { users: [...new Set(users)], teams: [...new Set(teams)] }
  const ids = [...reviewers.users, ...reviewers.teams]
  return context.transaction(async trx => {
    const locked = orMissing(await lockChangeRequest(trx, at.changeRequest.id), 'change request')
    requireOpen(locked, 'review')
    await checkUsers(trx, at.space, users)
    await checkTeams(trx, context, at.space, teams)
    const request = {
      change_request_id: locked.id,
      revision_id: locked.revision_id,
      requested_by: context.principal.user.id,
    }
    await insertRequestedReviewers(trx, request, reviewers)
    const asked = await findRequestedReviewers(trx, locked.id)
    if (asked.size > REQUESTED_REVIEWERS_MAX) throw tooMany()
    await applyChange(trx, context, at, locked, { ...wanted, status: 'open' })
    if (ids.length > 0) {
      await context.events.append(trx, {
        ...about(context, at.space),
        type: 'change_request.review_requested',
        payload: { changeRequest: locked.id, ...reviewers },
      })
    }
    return ids.map(id => {
      const row = asked.get(id)
      assert(row !== undefined, 'a request that was just inserted exists')
      return row
    })
  })
}

/** Withdraws the request. Idempotent: succeeds if there is none, or if it was answered. */
export async function withdrawRequest(
  context: ActionContext,
  { space, changeRequest }: ChangeRequestAt,
  kind: 'user' | 'team',
  id: string,
): Promise<void> {
  await context.transaction(async trx => {
    await lockChangeRequest(trx, changeRequest.id)
    if ((await removeRequestedReviewer(trx, changeRequest.id, kind, id)) === undefined) return
    await context.events.append(trx, {
      ...about(context, space),
      type: 'change_request.review_request_withdrawn',
      payload: {
        changeRequest: changeRequest.id,
        users: kind === 'user' ? [id] : [],
        teams: kind === 'team' ? [id] : [],
      },
    })
  })
}

/** Whether the caller sees all teams of the organization, and not only their own. */
export const seesTeams = ({ principal }: Pick<EventContext, 'principal'>, space: SpaceRow): boolean =>
  allows('organization', 'listTeams', roleInOrganization(principal, space.organization_id))

const about = ({ principal }: EventContext, space: SpaceRow) => ({
  organizationId: space.organization_id,
  spaceId: space.id,
  actorId: principal.user.id,
})

/**
 * Throws `invalid` for the first that is no active member of the organization, or whose role does not allow a review:
 * their request would stay open forever.
 */
async function checkUsers(trx: Trx, space: SpaceRow, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  // Locked members cannot be removed before this is committed.
  await lockMembers(trx, space.organization_id, userIds)
  const able = await findAble(trx, space, userIds)
  const index = userIds.findIndex(id => !able.has(id))
  if (index === -1) return
  throw invalid(
    'reviewer_unknown',
    `body.users.${index}: ${userIds[index]} is not a member of the organization with the role review on this space.`,
  )
}

/** Throws `invalid` for the first that the caller does not see, or of whose members none may review. */
async function checkTeams(
  trx: Trx,
  context: EventContext,
  space: SpaceRow,
  teamIds: readonly string[],
): Promise<void> {
  const viewerId = seesTeams(context, space) ? null : context.principal.user.id
  const resource = { kind: 'space', id: space.id } as const
  const known = await lockTeams(trx, space.organization_id, resource, teamIds, viewerId)
  for (const [index, id] of teamIds.entries()) {
    if (!known.has(id))
      throw invalid('team_unknown', `body.teams.${index}: ${id} is not a team of the organization.`)
    const members = await listTeamMemberIds(trx, id)
    if ((await findAble(trx, space, members)).size > 0) continue
    throw invalid(
      'team_cannot_review',
      `body.teams.${index}: nobody in ${id} has the role review on this space.`,
    )
  }
}

const REVIEWING_RANKS = MEMBER_ROLES.filter(role => allows('space', 'review', role)).map(rankOf)

/** Teams with somebody who may review in the space, by title: those that the caller may ask. */
export function listPossibleTeams(
  context: EventContext & { readonly db: Db },
  space: SpaceRow,
  { page: token, limit, search }: ListPossibleTeams,
): Promise<Page<{ readonly id: string; readonly title: string }>> {
  const { id, organization_id } = space
  const ranked = membersWithEffectiveRole(context.db, organization_id, { kind: 'space', id }).select(
    'users.id',
  )
  const people = context.db
    .selectFrom(ranked.as('people'))
    .select('id')
    .where(sql<boolean>`rank = any(${REVIEWING_RANKS}::int[])`)
  const viewerId = seesTeams(context, space) ? null : context.principal.user.id
  return listTeamsAmong(context.db, organization_id, { people, viewerId }, { page: token, limit, search })
}

/** Who may review in the space, by name. */
export function listPossibleReviewers(
  db: Db,
  { id, organization_id }: SpaceRow,
  { page: token, limit, search }: ListPossibleReviewers,
): Promise<Page<Person>> {
  const all = membersWithEffectiveRole(db, organization_id, { kind: 'space', id }).select([
    ...(['users.id', 'users.display_name', 'users.email', 'users.photo_url'] as const),
  ])
  const found = search === undefined ? all : all.where(isFound(search))
  const able = db
    .selectFrom(found.as('people'))
    .selectAll()
    .where(sql<boolean>`rank = any(${REVIEWING_RANKS}::int[])`)
  const by = [['display_name', 'asc'] as const, ['id', 'asc'] as const]
  const question = { list: 'possible reviewers', space: id, search: search ?? null }
  return page(able, { question, by, page: token, limit })
}

/** Those of these people who may review in the space. */
async function findAble(trx: Trx, space: SpaceRow, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const people = await membersWithEffectiveRole(trx, space.organization_id, { kind: 'space', id: space.id })
    .select('users.id')
    .where(sql<boolean>`users.id = any(${[...userIds]}::text[])`)
    .execute()
  return new Set(people.flatMap(({ id, rank }) => (allows('space', 'review', roleOfRank(rank)) ? id : [])))
}

const tooMany = () =>
  conflict(
    'reviewers_too_many',
    `body.users: at most ${REQUESTED_REVIEWERS_MAX} people and teams are asked at the same time. Withdraw other requests first.`,
  ).withValues({ max: REQUESTED_REVIEWERS_MAX })
