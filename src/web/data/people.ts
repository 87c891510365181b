import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'
import { workFor } from './person.ts'

/** Whose session it is. Asked again whenever the window is looked at: somebody else may have signed in meanwhile. */
export const me = queryOptions({
  queryKey: ['me'],
  refetchOnWindowFocus: 'always',
  queryFn: async ({ signal }) => {
    const person = await dataOf(api.GET('/user', { signal }))
    workFor(person.id)
    return person
  },
})

export const organizations = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => dataOf(api.GET('/orgs', { signal })),
})

/** Somebody whom this person may know, by their id. */
export const personCalled = (userId: string) =>
  queryOptions({
    queryKey: ['person', userId],
    retry: false,
    queryFn: ({ signal }) => dataOf(api.GET('/users/{userId}', { params: { path: { userId } }, signal })),
  })
