import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

/** Whose session it is. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => dataOf(api.GET('/user', { signal })),
})

export const organizations = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => dataOf(api.GET('/orgs', { signal })),
})
