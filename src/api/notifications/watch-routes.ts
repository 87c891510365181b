// Watching spaces, pages and change requests.
import { Type } from 'typebox'
import { personOf } from '../../access/roles.ts'
import { Id, toList } from '../../http/list.ts'
import { callerOperation, mount, operationsOf } from '../../http/operation.ts'
import { type ChangeRequestAt, onChangeRequest } from '../change-requests/place.ts'
import { type ContentAt, onContent } from '../content/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { ListWatched, Watched, WatchedThings } from './schema.ts'
import { listWatched, toWatchedThing } from './watched-things.ts'
import { readWatched, unwatch, watch, watchPage } from './watches.ts'

const ofSpace = operationsOf<'space', SpaceAt>()
const ofPage = operationsOf<'space', ContentAt>()
const ofChangeRequest = operationsOf<'space', ChangeRequestAt>()

const writing = { tag: 'Notifications', may: 'access', scope: 'user:write' } as const
const STARTING = 'You are told of what happens there without taking part in it. Octavo extension.'
const STOPPING = 'You are still told of what is yours and what you take part in. Octavo extension.'
const onPage = { path: '/page/{pageId}/watch', params: Type.Object({ pageId: Id('A page of the space.') }) }

export const watchOperations = [
  callerOperation({
    id: 'listWatched',
    method: 'GET',
    path: '/user/watched',
    summary: 'List what you watch',
    description:
      'Newest first. A space, or a page or a change request in it; what you may no longer see is left out. Octavo extension.',
    tag: 'Notifications',
    scope: 'user:read',
    query: ListWatched,
    reply: WatchedThings,
    run: async ({ context, query }) =>
      toList(await listWatched(context.db, personOf(context.principal), query), toWatchedThing),
  }),
  ...mount(
    [onSpace],
    [
      ofSpace({
        id: 'getWatchedInSpace',
        method: 'GET',
        path: '/watch',
        summary: 'Get what you watch in a space',
        description: 'Octavo extension.',
        tag: 'Notifications',
        may: 'access',
        scope: 'user:read',
        reply: Watched,
        run: ({ context, at }) => readWatched(context, at.space.id),
      }),
      ofSpace({
        ...writing,
        id: 'watchSpace',
        method: 'PUT',
        path: '/watch',
        summary: 'Watch a space',
        description: STARTING,
        failures: [409],
        run: ({ context, at }) => watch(context, { spaceId: at.space.id }),
      }),
      ofSpace({
        ...writing,
        id: 'unwatchSpace',
        method: 'DELETE',
        path: '/watch',
        summary: 'Stop watching a space',
        description: STOPPING,
        run: ({ context, at }) => unwatch(context, { spaceId: at.space.id }),
      }),
    ],
  ),
  ...mount(
    [onContent],
    [
      ofPage({
        ...writing,
        ...onPage,
        id: 'watchPage',
        method: 'PUT',
        summary: 'Watch a page',
        description: STARTING,
        failures: [409],
        run: ({ context, at, params: { pageId } }) => watchPage(context, at, pageId),
      }),
      ofPage({
        ...writing,
        ...onPage,
        id: 'unwatchPage',
        method: 'DELETE',
        summary: 'Stop watching a page',
        description: STOPPING,
        run: ({ context, at, params: { pageId } }) => unwatch(context, { spaceId: at.space.id, pageId }),
      }),
    ],
  ),
  ...mount(
    [onChangeRequest],
    [
      ofChangeRequest({
        ...writing,
        id: 'watchChangeRequest',
        method: 'PUT',
        path: '/watch',
        summary: 'Watch a change request',
        description: STARTING,
        failures: [409],
        run: ({ context, at }) =>
          watch(context, { spaceId: at.space.id, changeRequestId: at.changeRequest.id }),
      }),
      ofChangeRequest({
        ...writing,
        id: 'unwatchChangeRequest',
        method: 'DELETE',
        path: '/watch',
        summary: 'Stop watching a change request',
        description: STOPPING,
        run: ({ context, at }) =>
          unwatch(context, { spaceId: at.space.id, changeRequestId: at.changeRequest.id }),
      }),
    ],
  ),
]
