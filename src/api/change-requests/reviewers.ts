// Requesting reviews and withdrawing the request. The module `reviews` holds the reviews themselves.

import { allows } from '../../access/policy.ts'
import { membersWithEffectiveRole, roleOfRank } from '../../access/roles.ts'
import { assert } from '../../base/assert.ts'
import { conflict, invalid, orMissing } from '../../base/errors.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { lockMembers } from '../members/rows.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { applyChange, readChange } from './actions.ts'
import type { ChangeRequestAt } from './place.ts'
import {
  findRequestedReviewers,
  insertRequestedReviewers,
  lockChangeRequest,
  type RequestedReviewerRow,
  removeRequestedReviewer,
} from './rows.ts'
import { REQUESTED_REVIEWERS_MAX, type RequestReviewers } from './schema.ts'
import { requireOpen } from './state.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** These were asked for a review, perhaps not for the first time. */
    'change_request.review_requested': { changeRequest: string; users: string[] }
    /** These are no longer asked for a review. */
    'change_request.review_request_withdrawn': { changeRequest: string; users: string[] }
  }
}

/**
 * Asks each of the users for a review of the current content. Opens a draft: asking for reviews submits it. Can also
 * set subject and description. Returns the requests in the order of the users.
 *
 * Throws `invalid` for a user who may not review in the space, `conflict` for an archived or merged change request and
 * for more than REQUESTED_REVIEWERS_MAX open requests; nothing is written then.
 */
export async function requestReviewers(
  context: ActionContext,
  at: ChangeRequestAt,
  { users, ...words }: RequestReviewers,
): Promise<RequestedReviewerRow[]> {
  const wanted = await readChange(context, at.space.id, words)
  const userIds = [...new Set(users)]
  return context.transaction(async trx => {
    const locked = orMissing(await lockChangeRequest(trx, at.changeRequest.id), 'change request')
    requireOpen(locked, 'review')
    await checkReviewers(trx, at.space, users)
    if (userIds.length > 0) {
      await insertRequestedReviewers(
        trx,
        {
          change_request_id: locked.id,
          revision_id: locked.revision_id,
          requested_by: context.principal.user.id,
        },
        userIds,
      )
    }
    const asked = await findRequestedReviewers(trx, locked.id)
    if (asked.size > REQUESTED_REVIEWERS_MAX) throw tooMany()
    await applyChange(trx, context, at, locked, { ...wanted, status: 'open' })
    if (userIds.length > 0) {
      await context.events.append(trx, {
        ...about(context, at.space),
        type: 'change_request.review_requested',
        payload: { changeRequest: locked.id, users: userIds },
      })
    }
    return userIds.map(id => {
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
  userId: string,
): Promise<void> {
  await context.transaction(async trx => {
    await lockChangeRequest(trx, changeRequest.id)
    if ((await removeRequestedReviewer(trx, changeRequest.id, userId)) === undefined) return
    await context.events.append(trx, {
      ...about(context, space),
      type: 'change_request.review_request_withdrawn',
      payload: { changeRequest: changeRequest.id, users: [userId] },
    })
  })
}

const about = ({ principal }: EventContext, space: SpaceRow) => ({
  organizationId: space.organization_id,
  spaceId: space.id,
  actorId: principal.user.id,
})

/**
 * Throws `invalid` for the first that is no active member of the organization, or whose role does not allow a review:
 * their request would stay open forever.
 */
async function checkReviewers(trx: Trx, space: SpaceRow, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  // Locked members cannot be removed before this is committed.
  await lockMembers(trx, space.organization_id, userIds)
  const people = await membersWithEffectiveRole(trx, space.organization_id, { kind: 'space', id: space.id })
    .select('users.id')
    .where('users.id', 'in', [...userIds])
    .execute()
  const roles = new Map(people.map(({ id, rank }) => [id, roleOfRank(rank)]))
  for (const [index, id] of userIds.entries()) {
    if (allows('space', 'review', roles.get(id) ?? null)) continue
    throw invalid(
      'reviewer_unknown',
      `body.users.${index}: ${id} is not a member of the organization with the role review on this space.`,
    )
  }
}

const tooMany = () =>
  conflict(
    'reviewers_too_many',
    `body.users: at most ${REQUESTED_REVIEWERS_MAX} people are asked at the same time. Withdraw other requests first.`,
  )
