// What happened to a change request, with the reviews and comments that were given, in a fixed number of queries.
import type { Context } from '../../http/context.ts'
import { type List, toList } from '../../http/list.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Urls } from '../../http/urls.ts'
import { type Person, toUser } from '../accounts/wire.ts'
import type { ChangeRequestAt } from '../change-requests/place.ts'
import { seesTeams } from '../change-requests/reviewers.ts'
import type { Status } from '../change-requests/schema.ts'
import { toComments } from '../comments/reads.ts'
import { findComments } from '../comments/rows.ts'
import type { Comment, Format } from '../comments/schema.ts'
import { toReviews } from '../reviews/reads.ts'
import { findReviews } from '../reviews/rows.ts'
import type { Review } from '../reviews/schema.ts'
import { findPeople, findSeenTeams, listTimeline, type TimelineRow } from './rows.ts'
import type { ListTimeline, TimelineItem } from './schema.ts'

/** The fields of payloads that the timeline reads; which there are depends on the type. */
type Payload = {
  readonly fields?: string[]
  readonly status?: Status
  readonly revision?: string
  readonly type?: string
  readonly users?: string[]
  readonly teams?: string[]
  readonly review?: string | null
  readonly comment?: string
}

/** Events are written by this program, each with the payload of its type. */
const payloadOf = ({ payload }: TimelineRow): Payload => payload as Payload

export async function readTimeline(
  context: SignedInContext & Context,
  at: ChangeRequestAt,
  query: ListTimeline,
): Promise<List<TimelineItem>> {
  const rows = await listTimeline(context.db, at.changeRequest.id, query)
  const named = await findNamed(context, at, rows.items.map(payloadOf), query.format)
  return toList(rows, row => toItem(context.urls, row, named))
}

type Named = {
  readonly people: ReadonlyMap<string, Person>
  readonly teams: ReadonlyMap<string, { readonly id: string; readonly title: string }>
  readonly reviews: ReadonlyMap<string, Review>
  readonly comments: ReadonlyMap<string, Comment>
}

/** Everything that the payloads name. */
async function findNamed(
  context: SignedInContext & Context,
  at: ChangeRequestAt,
  payloads: readonly Payload[],
  format: Format | undefined,
): Promise<Named> {
  const { db, principal } = context
  const { space, changeRequest } = at
  const viewerId = seesTeams(context, space) ? null : principal.user.id
  const discussion = { spaceId: space.id, changeRequestId: changeRequest.id }
  const people = await findPeople(
    db,
    payloads.flatMap(({ users = [] }) => users),
  )
  const teams = await findSeenTeams(
    db,
    space.organization_id,
    viewerId,
    payloads.flatMap(({ teams = [] }) => teams),
  )
  const reviewRows = await findReviews(
    db,
    changeRequest.id,
    payloads.flatMap(({ review }) => review ?? []),
  )
  const commentRows = await findComments(
    db,
    discussion,
    payloads.flatMap(({ comment }) => comment ?? []),
  )
  const reviews = await toReviews(context, at, reviewRows, format)
  const comments = await toComments(context, at, commentRows, format)
  return {
    people,
    teams,
    reviews: new Map(reviews.map(one => [one.id, one])),
    comments: new Map(comments.map(one => [one.id, one])),
  }
}

function toItem(urls: Urls, row: TimelineRow, { people, teams, reviews, comments }: Named): TimelineItem {
  const payload = payloadOf(row)
  const review = reviews.get(payload.review ?? '')
  const comment = comments.get(payload.comment ?? '')
  return {
    object: 'change-request-timeline-item',
    id: row.id,
    type: row.type,
    createdAt: row.occurred_at.toISOString(),
    ...(row.actor === null ? {} : { actor: toUser(urls, row.actor) }),
    ...(payload.fields === undefined ? {} : { fields: payload.fields }),
    ...(payload.status === undefined || row.type !== 'changed' ? {} : { status: payload.status }),
    ...(payload.revision === undefined ? {} : { revision: payload.revision }),
    ...(payload.users === undefined
      ? {}
      : {
          users: payload.users.flatMap(id => people.get(id) ?? []).map(person => toUser(urls, person)),
          teams: (payload.teams ?? []).flatMap(id => teams.get(id) ?? []),
        }),
    ...(review === undefined ? {} : { review }),
    ...(comment === undefined ? {} : { comment }),
  }
}
