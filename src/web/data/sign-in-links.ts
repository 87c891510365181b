// Links with which invited people sign in for the first time. They are shown once, and are in no cache.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf, type Model } from './client.ts'

export type Waiting = Model<'SignInLink'>
export type SignInLink = Model<'SignInLinks'>['items'][number]
type NoSignInLink = Model<'SignInLinks'>['refused'][number]

export type SignInLinks = {
  readonly links: readonly SignInLink[]
  /** Who can use none, each with the reason. */
  readonly refused: readonly NoSignInLink[]
  /** Those of whom nothing was asked any more after a failure. */
  readonly left: readonly string[]
  readonly error: Error | null
}

const PAGE_ITEMS = 100
const EVERYTHING = 1000
/** The most that the API takes at once. */
const AT_ONCE = 100

const NO_LINKS: SignInLinks = { links: [], refused: [], left: [], error: null }

/** Those who have not signed in yet, newest first. */
export const waitingOf = (organizationId: string) =>
  infiniteQueryOptions({
    queryKey: ['organization', organizationId, 'waiting'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/sign-in-links', {
          params: { path: { organizationId }, query: { limit: PAGE_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** In portions, after those that were made before: they stay shown if a later one fails. */
export async function makeSignInLinks(
  organizationId: string,
  people: readonly string[],
  before: SignInLinks = NO_LINKS,
): Promise<SignInLinks> {
  let sum = { ...before, left: NO_LINKS.left, error: NO_LINKS.error }
  for (let at = 0; at < people.length && sum.error === null; at += AT_ONCE) {
    const users = people.slice(at, at + AT_ONCE)
    try {
      const { items, refused } = await dataOf(
        api.POST('/orgs/{organizationId}/sign-in-links', {
          params: { path: { organizationId } },
          body: { users },
        }),
      )
      sum = { ...sum, links: [...sum.links, ...items], refused: [...sum.refused, ...refused] }
    } catch (error) {
      sum = { ...sum, left: people.slice(at), error: error as Error }
    }
  }
  await cache.invalidateQueries({ queryKey: ['organization', organizationId, 'waiting'] })
  return sum
}

/** For everybody who has not signed in yet. */
export async function makeAllSignInLinks(organizationId: string): Promise<SignInLinks> {
  const people: string[] = []
  let page: string | undefined
  do {
    const { items, next } = await dataOf(
      api.GET('/orgs/{organizationId}/sign-in-links', {
        params: { path: { organizationId }, query: { limit: EVERYTHING, page } },
      }),
    )
    people.push(...items.map(({ id }) => id))
    page = next?.page
  } while (page !== undefined)
  return makeSignInLinks(organizationId, people)
}

export async function endSignInLink(organizationId: string, userId: string): Promise<void> {
  await dataOf(
    api.DELETE('/orgs/{organizationId}/members/{userId}/sign-in-link', {
      params: { path: { organizationId, userId } },
    }),
  )
  await cache.invalidateQueries({ queryKey: ['organization', organizationId, 'waiting'] })
}
