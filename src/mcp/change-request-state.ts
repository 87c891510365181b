// Where a change request stands: its words, its reviewers, their reviews, and what prevents a merge.
import { type Static, Type } from 'typebox'
import type { ChangeRequest, RequestedReviewer } from '../api/change-requests/schema.ts'
import type { Mergeability } from '../api/merges/schema.ts'
import type { Review } from '../api/reviews/schema.ts'
import type { List } from '../http/list.ts'
import type { Api } from './api.ts'
import { ChangeRequestSummary, Person, toPerson, toSummary } from './outputs.ts'
import { toLine } from './text.ts'
import type { ToolAnswer } from './tool.ts'

const REVIEWS_SHOWN_MAX = 50
const WORDS_CHARACTERS_MAX = 20_000

export const ChangeRequestState = Type.Object({
  ...ChangeRequestSummary.properties,
  description: Type.String({ description: 'Markdown; may be empty.' }),
  requested: Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }), {
    description: 'People and teams who were asked and have not answered.',
  }),
  reviews: Type.Array(
    Type.Object({
      reviewer: Person,
      status: Type.String(),
      outdated: Type.Boolean(),
      comment: Type.Optional(Type.Object({ id: Type.String(), text: Type.String() })),
    }),
    { description: 'Newest first.' },
  ),
  revisionMerged: Type.Optional(Type.String({ description: 'The revision of the space that it became.' })),
  mergeable: Type.Boolean({ description: 'Whether a merge by you would succeed now.' }),
  obstacles: Type.Array(Type.String()),
})

export async function describeChangeRequest(
  api: Api,
  content: string,
): Promise<ToolAnswer<Static<typeof ChangeRequestState>>> {
  const short = { kind: 'value', charactersMax: WORDS_CHARACTERS_MAX, without: ['description'] } as const
  const [one, requested, reviews] = await Promise.all([
    api.call<ChangeRequest>('GET', content, { query: { format: 'markdown' }, excerpt: short }),
    api.call<List<RequestedReviewer>>('GET', `${content}/requested-reviewers`),
    api.call<List<Review>>('GET', `${content}/reviews`, {
      query: { format: 'markdown', limit: REVIEWS_SHOWN_MAX },
      excerpt: short,
    }),
  ])
  const merge =
    one.status === 'merged' ? undefined : await api.call<Mergeability>('GET', `${content}/mergeability`)
  const data: Static<typeof ChangeRequestState> = {
    ...toSummary(one),
    description: one.descriptionMarkdown ?? '',
    requested: requested.items.map(toAsked),
    reviews: reviews.items.map(({ reviewer, status, outdated, comment }) => ({
      ...{ reviewer: toPerson(reviewer), status, outdated },
      ...(comment === undefined ? {} : { comment: { id: comment.id, text: comment.body.markdown ?? '' } }),
    })),
    ...(one.revisionMerged === undefined ? {} : { revisionMerged: one.revisionMerged }),
    mergeable: merge?.mergeable ?? false,
    obstacles: merge === undefined ? [] : [...merge.reasons],
  }
  return { text: wordsOf(data), data }
}

const toAsked = (one: RequestedReviewer) =>
  one.kind === 'user'
    ? { kind: one.kind, id: one.user.id, name: one.user.displayName }
    : { kind: one.kind, id: one.team.id, name: one.team.title }

function wordsOf(one: Static<typeof ChangeRequestState>): string {
  const { number, subject, status, outdated, author, address, description, obstacles } = one
  return [
    `#${number} ${toLine(subject) || 'without a subject'}: ${status}${outdated ? ', outdated' : ''}, by ${toLine(author.name)} (user ${author.id})`,
    `Address: ${address}`,
    ...(description === '' ? [] : ['', description, '']),
    ...one.requested.map(({ kind, id, name }) => `- asked to review: ${toLine(name)} (${kind} ${id})`),
    ...one.reviews.map(
      ({ reviewer, status: says, outdated: isOld, comment }) =>
        `- ${toLine(reviewer.name)} (user ${reviewer.id}): ${says}${isOld ? ', outdated' : ''}${comment === undefined ? '' : `, with the comment ${comment.id}: ${toLine(comment.text)}`}`,
    ),
    ...(status === 'merged' ? [`It became revision ${one.revisionMerged ?? ''} of the space.`] : []),
    ...(one.mergeable
      ? ['You could merge it now.']
      : obstacles.map(reason => `- in the way of a merge: ${toLine(reason)}`)),
  ].join('\n')
}
