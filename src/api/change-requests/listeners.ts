// Reactions of change requests to events of other modules.
import { assert } from '../../base/assert.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Event, Events } from '../../platform/events/append.ts'
// These declare the events.

// Declares events, too.

import { forgetClustersIn, removeForeignRequests, removeRequestsOf, removeRequestsOfTeam } from './rows.ts'

/**
 * People outside the organization, and teams that are no more, cannot answer: requests for their reviews are withdrawn.
 * Clusters of issues stay in the organization that a space leaves.
 */
export function listenAsChangeRequests(events: Events): void {
  events.within('space.transferred', (trx, { organizationId, actorId, spaceId }, following) =>
    withdrawForeign(trx, following, { organizationId, actorId }, spaceId ? [spaceId] : []),
  )
  events.within('collection.transferred', (trx, { organizationId, actorId, payload }, following) =>
    withdrawForeign(trx, following, { organizationId, actorId }, payload.spaces),
  )
  events.within('space.leaving', async (trx, { spaceId }) => {
    if (spaceId) await forgetClustersIn(trx, [spaceId])
  })
  events.within('collection.leaving', async (trx, { payload }) => {
    await forgetClustersIn(trx, payload.spaces)
  })
  events.within('member.removed', async (trx, { organizationId, actorId, payload }, { append }) => {
    assert(typeof organizationId === 'string', 'a member is removed from an organization')
    for (const asked of await removeRequestsOf(trx, organizationId, payload.user))
      await append(trx, withdrawn(asked, { organizationId, actorId }, { users: [payload.user], teams: [] }))
  })
  events.within('team.deleted', async (trx, { organizationId, actorId, payload }, { append }) => {
    for (const asked of await removeRequestsOfTeam(trx, payload.team))
      await append(trx, withdrawn(asked, { organizationId, actorId }, { users: [], teams: [payload.team] }))
  })
}

type About = Pick<Event, 'organizationId' | 'actorId'>

const withdrawn = (
  asked: { readonly change_request_id: string; readonly space_id: string },
  about: About,
  reviewers: { readonly users: string[]; readonly teams: string[] },
) =>
  ({
    ...about,
    type: 'change_request.review_request_withdrawn',
    spaceId: asked.space_id,
    payload: { changeRequest: asked.change_request_id, ...reviewers },
  }) as const

async function withdrawForeign(
  trx: Trx,
  events: Events,
  about: About,
  spaceIds: readonly string[],
): Promise<void> {
  assert(about.organizationId, 'a transfer has a target organization')
  const removed = await removeForeignRequests(trx, about.organizationId, spaceIds)
  for (const [changeRequest, asked] of Map.groupBy(removed, row => row.change_request_id))
    await events.append(trx, {
      ...about,
      type: 'change_request.review_request_withdrawn',
      spaceId: asked[0]?.space_id,
      payload: {
        changeRequest,
        users: asked.flatMap(({ user_id }) => user_id ?? []),
        teams: asked.flatMap(({ team_id }) => team_id ?? []),
      },
    })
}
