// What belongs to the person alone: name, browsers, tokens, and programs that act for them.
import { queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf, type Model } from './client.ts'
import { endDrafts } from './drafts.ts'
import { me } from './people.ts'
import { dropRecent } from './recent.ts'

export type BrowserSession = Model<'Session'>
export type Token = Model<'Token'>
export type Authorization = Model<'Authorization'>

const EVERYTHING = 1000

export async function changeName(userId: string, displayName: string): Promise<void> {
  await dataOf(api.PATCH('/users/{userId}', { params: { path: { userId } }, body: { displayName } }))
  await cache.invalidateQueries({ queryKey: me.queryKey })
}

export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/user/sessions', { params: { query: { limit: EVERYTHING } }, signal })),
})

/** Those that have ended meanwhile are no failure. */
export async function endSessions(ids: readonly string[]): Promise<void> {
  try {
    for (const sessionId of ids)
      await dataOf(api.DELETE('/user/sessions/{sessionId}', { params: { path: { sessionId } } }))
  } finally {
    await cache.invalidateQueries({ queryKey: sessions.queryKey })
  }
}

export const tokens = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/user/tokens', { params: { query: { limit: EVERYTHING } }, signal })),
})

/** From the least to the most; each includes the ones before it. */
export const MAYS = ['read', 'comment', 'propose', 'review', 'merge', 'write'] as const

type NewToken = {
  readonly label: string
  /** Null: whatever the person may do. */
  readonly may: (typeof MAYS)[number] | null
  /** Null: all of theirs. */
  readonly organization: string | null
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null
}

/** The answer alone has the secret. */
export async function createToken({ may, ...fields }: NewToken): Promise<Model<'TokenWithSecret'>> {
  const body = may === null ? fields : { ...fields, may }
  const created = await dataOf(api.POST('/user/tokens', { body }))
  await cache.invalidateQueries({ queryKey: tokens.queryKey })
  return created
}

export async function revokeToken(tokenId: string): Promise<void> {
  await dataOf(api.DELETE('/user/tokens/{tokenId}', { params: { path: { tokenId } } }))
  await cache.invalidateQueries({ queryKey: tokens.queryKey })
}

export const secondFactor = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => dataOf(api.GET('/user/second-factor', { signal })),
})

export const authorizations = queryOptions({
  queryKey: ['authorizations'],
  queryFn: ({ signal }) =>
    dataOf(api.GET('/user/authorizations', { params: { query: { limit: EVERYTHING } }, signal })),
})

export async function endAuthorization(authorizationId: string): Promise<void> {
  await dataOf(
    api.DELETE('/user/authorizations/{authorizationId}', { params: { path: { authorizationId } } }),
  )
  await cache.invalidateQueries({ queryKey: authorizations.queryKey })
}

/** Saves a file with everything that is known of the person. */
export async function downloadAccount(userId: string): Promise<void> {
  const file = await dataOf(api.GET('/user/export', { parseAs: 'blob' }))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file as Blob)
  link.download = `octavo-${userId}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The end of the account, here as well: nothing of theirs stays on the device. */
export async function eraseAccount(userId: string, email: string): Promise<void> {
  await dataOf(api.POST('/user/erasure', { body: { email } }))
  endDrafts(userId)
  dropRecent(userId)
}
