// A program that a person lets act for them in a browser: what it registers, asks and is given.
import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { PUBLIC_URL } from './server.ts'
import { type Shown, signedIn, Tab } from './sessions.ts'
import type { PersonName, World } from './world.ts'

export const REDIRECT = 'https://assistant.test/callback'
const VERIFIER = 'a-verifier-of-a-program-in-a-test-0123456789'
export const RESOURCE = `${PUBLIC_URL}/mcp`

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

type Fields = Readonly<Record<string, string | undefined>>

const given = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >

/** Registers it; returns its id. */
export async function register(w: World, metadata: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { statusCode, payload } = await w.app.inject({
    method: 'POST',
    url: '/oauth/register',
    // What one network registers has a bound, and tests share a database.
    remoteAddress: `2001:db8:${randomInt(0xffff).toString(16)}:${randomInt(0xffff).toString(16)}::1`,
    payload: { client_name: 'Assistant', redirect_uris: [REDIRECT], ...metadata },
  })
  assert.equal(statusCode, 201, payload)
  return JSON.parse(payload).client_id
}

/** The address that it sends a browser to; an undefined field is left out. */
export const authorizeUrl = (client: string, fields: Fields = {}): string =>
  `/oauth/authorize?${new URLSearchParams(
    given({
      response_type: 'code',
      client_id: client,
      redirect_uri: REDIRECT,
      code_challenge: challengeOf(VERIFIER),
      code_challenge_method: 'S256',
      state: 'a state',
      resource: RESOURCE,
      ...fields,
    }),
  )}`

/** A browser in which somebody has just signed in. */
export async function tabOf(w: World, person: PersonName): Promise<Tab> {
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', await signedIn(w, person, { confirmedAt: new Date() }))
  return tab
}

/** The person reads the page and allows it. */
export async function allow(tab: Tab, url: string, fields: Fields = {}): Promise<Shown> {
  const page = await tab.get(url)
  assert.equal(page.status, 200, page.text)
  return tab.post(url, given({ answer: 'allow', level: 'propose', ...fields }))
}

/** The code in the address that the browser is sent to. */
export function codeOf({ status, location, text }: Shown): string {
  assert.equal(status, 303, text)
  const code = new URL(location ?? '').searchParams.get('code')
  assert.ok(code !== null, location)
  return code
}

export type TokenReply = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the body should have
  readonly body: any
}

async function token(w: World, fields: Fields): Promise<TokenReply> {
  const { statusCode, payload } = await w.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(given(fields)).toString(),
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

export const exchange = (w: World, client: string, code: string, fields: Fields = {}): Promise<TokenReply> =>
  token(w, {
    grant_type: 'authorization_code',
    client_id: client,
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    resource: RESOURCE,
    ...fields,
  })

export const renew = (w: World, client: string, refresh: string, fields: Fields = {}): Promise<TokenReply> =>
  token(w, { grant_type: 'refresh_token', client_id: client, refresh_token: refresh, ...fields })

/** A program that the person has allowed, with its tokens. */
export async function allowed(w: World, person: PersonName, level = 'propose') {
  const client = await register(w)
  const code = codeOf(await allow(await tabOf(w, person), authorizeUrl(client), { level }))
  const { status, body } = await exchange(w, client, code)
  assert.equal(status, 200, JSON.stringify(body))
  return { client, code, access: body.access_token as string, refresh: body.refresh_token as string }
}
