// Tokens of visitors as the server of a space would make them, and as somebody would forge them.
import { createHmac } from 'node:crypto'
import { now } from '../../src/base/clock.ts'
import type { World } from './world.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** RFC 7515, written out: nothing of what reads the token makes it. */
export function signToken(
  key: string,
  claims: object,
  header: object = { alg: 'HS256', typ: 'JWT' },
  hash = 'sha256',
): string {
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`
}

/** Seconds since 1970, as claims have them. */
export const inSeconds = (seconds: number): number => Math.floor(now().getTime() / 1000) + seconds

export const visitorKeyOf = async (w: World, spaceId: string): Promise<string> =>
  (await w.call('GET', `/spaces/${spaceId}/publishing/auth`)).body.privateKey

/** A token that the space takes for an hour. */
export const visitorTokenOf = async (w: World, spaceId: string): Promise<string> =>
  signToken(await visitorKeyOf(w, spaceId), { exp: inSeconds(3600) })

export type NewLink = { readonly id: string; readonly key: string; readonly url: string }

export async function shareLinkOf(w: World, spaceId: string, name = 'Partners'): Promise<NewLink> {
  const { body } = await w.call('POST', `/spaces/${spaceId}/share-links`, { body: { name } })
  const url: string = body.urls.published
  return { id: body.id, url, key: new URL(url).searchParams.get('shareKey') ?? '' }
}
