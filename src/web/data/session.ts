// The session of the browser as the server tells it, and who is behind it once more.
import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

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
