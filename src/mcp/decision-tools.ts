// Tools that decide: ask for reviews, review, merge, and undo. What each may do is what the role and the scopes of the
// caller allow, as in the API.
import { Type } from 'typebox'
import type { ChangeRequest } from '../api/change-requests/schema.ts'
import { BODY_CHARACTERS_MAX } from '../api/comments/schema.ts'
import type { Conflict } from '../api/conflicts/schema.ts'
import type { Review } from '../api/reviews/schema.ts'
import { counted } from '../base/counted.ts'
import { Id, OneOf } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { ChangeRequestId, SpaceId } from './fields.ts'
import { ChangeRequestSummary, toSummary } from './outputs.ts'
import { contentAt } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

const REVIEWERS_MAX = 20

const requestReviewers = tool({
  name: 'request_reviewers',
  title: 'Request reviews',
  description:
    'Asks people and teams to review a change request, and takes it out of draft. Ids of people are in read_change_request, read_comments and list_change_requests.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    users: Type.Optional(Type.Array(Id('The id of a person who may review.'), { maxItems: REVIEWERS_MAX })),
    teams: Type.Optional(Type.Array(Id('The id of a team.'), { maxItems: REVIEWERS_MAX })),
  }),
  output: Type.Object({ users: Type.Array(Type.String()), teams: Type.Array(Type.String()) }),
  async run(api, { space, changeRequest, users = [], teams = [] }) {
    if (users.length + teams.length === 0)
      throw new ArgumentError('arguments: name somebody in users or teams.')
    await api.call('POST', `${contentAt(space, changeRequest)}/requested-reviewers`, {
      body: { users, teams },
    })
    const asked = counted(users.length + teams.length, 'reviewer')
    return { text: `Asked ${asked} for a review.`, data: { users, teams } }
  },
})

const review = tool({
  name: 'review_change_request',
  title: 'Review a change request',
  description:
    'Approves a change request or asks for changes, in the name of the person you work for. Read its changes first. It replaces their previous review.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    verdict: OneOf(['approved', 'changes-requested']),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: BODY_CHARACTERS_MAX, description: 'Markdown.' }),
    ),
  }),
  output: Type.Object({ id: Type.String(), verdict: Type.String() }),
  async run(api, { space, changeRequest, verdict, comment }) {
    const { id } = await api.call<Review>('POST', `${contentAt(space, changeRequest)}/reviews`, {
      body: { status: verdict, ...(comment === undefined ? {} : { comment: { markdown: comment } }) },
    })
    return { text: `The review was submitted: ${verdict}.`, data: { id, verdict } }
  },
})

const Merged = Type.Object({
  done: Type.Boolean({ description: 'False: there are conflicts, and nothing was written.' }),
  revision: Type.Optional(Type.String({ description: 'The revision of the space that it made.' })),
  conflicts: Type.Array(Type.String()),
})

/** What a merge or a rollback answers. */
type Outcome = {
  readonly result: string
  readonly revision: string
  readonly conflicts?: readonly Conflict[]
  readonly more?: number
}

function toMerged({ result, revision, conflicts = [], more = 0 }: Outcome, done: string) {
  if (result !== 'conflicts')
    return { text: `${done} Revision ${revision}.`, data: { done: true, revision, conflicts: [] } }
  const named = conflicts.map(toConflict)
  const text = [
    `Nothing was written: there are ${counted(conflicts.length + more, 'conflict')}, which a person settles in the workspace.`,
    ...named.map(one => `- ${one}`),
  ].join('\n')
  return { text, data: { done: false, conflicts: named } }
}

const toConflict = ({ message, about }: Conflict): string =>
  toLine(about === undefined ? message : `${about.title}: ${message}`)

const merge = tool({
  name: 'merge_change_request',
  title: 'Merge a change request',
  description:
    'Merges a change request: readers see its changes at once. Only if the person you work for asked for it. read_change_request says what blocks it.',
  input: Type.Object({ space: SpaceId, changeRequest: ChangeRequestId }),
  output: Merged,
  isDestructive: true,
  async run(api, { space, changeRequest }) {
    const outcome = await api.call<Outcome>('POST', `${contentAt(space, changeRequest)}/merge`, { body: {} })
    return toMerged(outcome, 'It was merged.')
  },
})

const undo = tool({
  name: 'undo',
  title: 'Undo',
  description:
    'Takes back what a merged change request, or a revision of a space, did; later changes stay. Proposes that as a new change request, or does it at once with how: now, which readers see.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: Type.Optional(ChangeRequestId),
    revision: Type.Optional(Id('The id of a revision, instead of a change request.')),
    how: Type.Optional(OneOf(['propose', 'now'], 'propose when absent.')),
  }),
  output: Type.Object({ ...Merged.properties, changeRequest: Type.Optional(ChangeRequestSummary) }),
  isDestructive: true,
  async run(api, { space, changeRequest, revision, how = 'propose' }) {
    if ((changeRequest === undefined) === (revision === undefined))
      throw new ArgumentError('arguments: name one of changeRequest and revision.')
    const id = revision ?? (await mergedRevisionOf(api, contentAt(space, changeRequest)))
    const place = at`/spaces/${space}/revisions/${id}`
    if (how === 'now')
      return toMerged(await api.call<Outcome>('POST', `${place}/rollback`, { body: {} }), 'It was undone.')
    const made = toSummary(await api.call<ChangeRequest>('POST', `${place}/propose-rollback`, { body: {} }))
    return {
      text: `Change request #${made.number} proposes to undo it: ${made.address}`,
      data: { done: true, conflicts: [], changeRequest: made },
    }
  },
})

async function mergedRevisionOf(api: Api, content: string): Promise<string> {
  const { revisionMerged } = await api.call<ChangeRequest>('GET', content)
  if (revisionMerged !== undefined) return revisionMerged
  throw new ArgumentError('arguments.changeRequest: it was not merged, so there is nothing to undo.')
}

export const decisionTools: readonly Tool[] = [requestReviewers, review, merge, undo]
