// The timeline of a change request.
import { mount, operationsOf } from '../../http/operation.ts'
import { type ChangeRequestAt, onChangeRequest } from '../change-requests/place.ts'
import { readTimeline } from './reads.ts'
import { ListTimeline, Timeline } from './schema.ts'

const operation = operationsOf<'space', ChangeRequestAt>()

export const timelineOperations = mount(
  [onChangeRequest],
  [
    operation({
      id: 'getTimelineByChangeRequestId',
      method: 'GET',
      path: '/timeline',
      summary: 'List what happened to a change request',
      description:
        'Octavo extension. Edits, reviews, comments, the merge and whatever else changed it, by time. Replies are listed at their comments, and the comment of a review comes with it.',
      tag: 'Change requests',
      may: 'access',
      scope: 'space:read',
      query: ListTimeline,
      reply: Timeline,
      run: ({ context, at, query }) => readTimeline(context, at, query),
    }),
  ],
)
