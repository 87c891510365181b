// Tools that decide: ask for reviews, review, merge, and undo. What each may do is what the role and the scopes of the
// caller allow, as in the API.
import { type Static, Type } from 'typebox'
import type { ChangeRequest, ReviewersRequested as Requested } from '../api/change-requests/schema.ts'
import { BODY_CHARACTERS_MAX } from '../api/comments/schema.ts'
import type { Conflict } from '../api/conflicts/schema.ts'
import type { Review } from '../api/reviews/schema.ts'
import { counted } from '../base/counted.ts'
import { Id, OneOf } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { ChangeRequestId, SpaceId } from './fields.ts'
import { ChangeRequestSummary, Person, toPerson, toSummary } from './outputs.ts'
import { contentAt } from './reads.ts'
import { findReviewers } from './reviewers.ts'
import { toLine } from './text.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

const REVIEWERS_MAX = 20
type ReviewersRequested = Static<typeof Requested>

const Name = (description: string) => Type.String({ minLength: 1, maxLength: 256, description })

const requestReviewers = tool({
  name: 'request_reviewers',
  title: 'Request reviews',
  description:
    'Asks people and teams to review a change request, and takes it out of draft. Names that fit several are refused with who they may be.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    users: Type.Optional(
      Type.Array(Name('The id, name or email address of a person who may review.'), {
        maxItems: REVIEWERS_MAX,
      }),
    ),
    teams: Type.Optional(Type.Array(Name('The id or name of a team.'), { maxItems: REVIEWERS_MAX })),
  }),
  output: Type.Object({ users: Type.Array(Person), teams: Type.Array(Person) }),
  async run(api, { space, changeRequest, users = [], teams = [] }) {
    if (users.length + teams.length === 0)
      throw new ArgumentError('arguments: name somebody in users or teams.')
    const body = await findReviewers(api, { space, changeRequest }, { users, teams })
    const place = `${contentAt(space, changeRequest)}/requested-reviewers`
    const asked = await api.call<ReviewersRequested>('POST', place, { body })
    const data = {
      users: asked.users.map(({ user }) => toPerson(user)),
      teams: asked.teams.map(({ team }) => ({ id: team.id, name: team.title })),
    }
    const named = [
      ...data.users.map(({ id, name }) => `${toLine(name)} (user ${id})`),
      ...data.teams.map(({ id, name }) => `the team ${toLine(name)} (team ${id})`),
    ]
    return { text: `Asked for a review: ${named.join(', ')}.`, data }
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

function toMerged(
  { result, revision, conflicts = [], more = 0 }: Outcome,
  { done, settled }: { readonly done: string; readonly settled: string },
) {
  if (result !== 'conflicts')
    return { text: `${done} Revision ${revision}.`, data: { done: true, revision, conflicts: [] } }
  const named = conflicts.map(toConflict)
  const text = [
    `Nothing was written: there are ${counted(conflicts.length + more, 'conflict')}. ${settled}`,
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
    return toMerged(outcome, {
      done: 'It was merged.',
      settled: 'See them with read_conflicts, settle them with settle_conflicts, and merge then.',
    })
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
      return toMerged(await api.call<Outcome>('POST', `${place}/rollback`, { body: {} }), {
        done: 'It was undone.',
        settled:
          'Propose to undo it with how: propose, and settle them there with read_conflicts and settle_conflicts.',
      })
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
