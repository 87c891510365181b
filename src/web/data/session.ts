// Whether the session of the browser still counts. It may end in the middle of a sentence: the screen stays, and signing
// in happens above it.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { createStore } from './store.ts'

export type SessionState = 'live' | 'ended'

export const session = createStore<SessionState>('live')

export const sessionEnded = (): void => session.set('ended')
export const sessionBegan = (): void => session.set('live')

/** As it is at this moment: when it was last confirmed decides what comes next. */
export const currentSession = queryOptions({
  queryKey: ['session'],
  gcTime: 0,
  staleTime: 0,
  queryFn: ({ signal }) => dataOf(api.GET('/user/session', { signal })),
})

/** By what the session was begun with. */
export const confirmSession = (body: { readonly password: string } | { readonly token: string }) =>
  dataOf(api.POST('/user/session/confirm', { body }))
