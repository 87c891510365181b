// How a service of one's own signs in visitors of a space. In no cache, which would read the key again by itself: reading
// it asks who is there.
import { api, dataOf, type Model } from './client.ts'

export type VisitorKeys = Model<'PublishingAuth'>

const at = (spaceId: string) => ({ params: { path: { spaceId } } })

export const readVisitorKeys = (spaceId: string): Promise<VisitorKeys> =>
  dataOf(api.GET('/spaces/{spaceId}/publishing/auth', at(spaceId)))

/** Tokens that were signed with the key before are taken for so long. */
export const renewVisitorKey = (spaceId: string, graceSeconds: number): Promise<VisitorKeys> =>
  dataOf(api.POST('/spaces/{spaceId}/publishing/auth/regenerate', { ...at(spaceId), body: { graceSeconds } }))

/** Where visitors without a token are sent; null: nowhere. */
export const changeVisitorSignIn = (spaceId: string, fallbackURL: string | null): Promise<VisitorKeys> =>
  dataOf(api.PATCH('/spaces/{spaceId}/publishing/auth', { ...at(spaceId), body: { fallbackURL } }))
