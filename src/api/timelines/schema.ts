// The wire of what happened to a change request.
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Timestamp } from '../../http/list.ts'
import { User } from '../accounts/schema.ts'
import { STATUSES } from '../change-requests/schema.ts'
import { Comment, GetComment } from '../comments/schema.ts'
import { Review } from '../reviews/schema.ts'

export const TIMELINE_TYPES = [
  'created',
  'changed',
  'edited',
  'updated',
  'review-requested',
  'review-request-withdrawn',
  'reviewed',
  'commented',
  'merged',
  'undone',
  'redone',
] as const
export type TimelineType = (typeof TIMELINE_TYPES)[number]

export const TimelineItem = model('ChangeRequestTimelineItem', {
  object: OneOf(['change-request-timeline-item']),
  id: Type.String(),
  type: OneOf(
    TIMELINE_TYPES,
    '`changed`: subject, description or status. `edited`: the content. `updated`: from the space. `undone`: the space took back what the merge did. `redone`: it brought that back.',
  ),
  createdAt: Timestamp,
  actor: Type.Optional(User),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'Of `changed`: what is new.' })),
  status: Type.Optional(OneOf(STATUSES, 'Of `changed`, if it is new.')),
  revision: Type.Optional(
    Type.String({
      description:
        'What `edited` and `updated` made of the change request, `merged`, `undone` and `redone` of the space.',
    }),
  ),
  users: Type.Optional(Type.Array(User, { description: 'Of a request for a review.' })),
  teams: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), title: Type.String() }), {
      description: 'Of a request for a review, as far as you may see them.',
    }),
  ),
  review: Type.Optional(Review),
  comment: Type.Optional(Comment),
})
export type TimelineItem = Static<typeof TimelineItem>

export const Timeline = ListOf(TimelineItem)

export const ListTimeline = PageOf({
  ...GetComment.properties,
  type: Type.Optional(
    Type.Array(OneOf(TIMELINE_TYPES), {
      maxItems: TIMELINE_TYPES.length,
      description: 'Only what is of one of these types; all when absent.',
    }),
  ),
  order: Type.Optional(OneOf(['asc', 'desc'], 'By time; `asc`, the oldest first, when absent.')),
})
export type ListTimeline = Static<typeof ListTimeline>
