// Somebody in a browser of a test: signed in, with the cookie of a session.
import { beginSession, type NewSession } from '../../src/api/sessions/actions.ts'
import { hashPassword } from '../../src/api/sessions/passwords.ts'
import { putPassword } from '../../src/api/sessions/rows.ts'
import type { PersonName, World } from './world.ts'

/** The secret of a new session; with a password by default. */
export const signedIn = (w: World, person: PersonName, session: Partial<NewSession> = {}): Promise<string> =>
  w.services.transaction(trx =>
    beginSession(trx, w.services.events, {
      userId: w.people[person].id,
      method: 'password',
      organizationId: null,
      tokenId: null,
      address: '203.0.113.7',
      userAgent: 'a test',
      ...session,
    }),
  )

/** The Cookie header of a signed-in user. */
export const cookieOf = async (w: World, person: PersonName): Promise<string> =>
  `octavo_session=${await signedIn(w, person)}`

export type Shown = {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly cookies: readonly { readonly name: string; readonly value: string }[]
}

const HERE = 'http://octavo.test'

/** A server as far as a browser asks it: in this process, or at an address. */
type Asked = {
  inject(request: {
    readonly method: 'GET' | 'POST'
    readonly url: string
    readonly headers: Record<string, string>
    readonly payload?: string
  }): Promise<{
    readonly statusCode: number
    readonly payload: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly cookies: readonly { readonly name: string; readonly value: string; readonly maxAge?: number }[]
  }>
}

/** A browser as far as forms need one: it keeps cookies, and sends the token of the form that it was shown last. */
export class Tab {
  readonly #w: { readonly app: Asked }
  readonly #origin: string
  readonly cookies = new Map<string, string>()
  formToken = ''

  /** `origin`: of its forms. */
  constructor(w: { readonly app: Asked }, origin = HERE) {
    this.#w = w
    this.#origin = origin
  }

  get(url: string): Promise<Shown> {
    return this.#send('GET', url)
  }

  /** `headers` replace those of a browser; an undefined one is left out. */
  post(
    url: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Shown> {
    const payload = new URLSearchParams({ form: this.formToken, ...fields }).toString()
    return this.#send('POST', url, { origin: this.#origin, ...headers }, payload)
  }

  async #send(
    method: 'GET' | 'POST',
    url: string,
    headers: Readonly<Record<string, string | undefined>> = {},
    payload?: string,
  ): Promise<Shown> {
    const all: Record<string, string | undefined> = {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
      'content-type': payload === undefined ? undefined : 'application/x-www-form-urlencoded',
      ...headers,
    }
    const answer = await this.#w.app.inject({
      method,
      url,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      ...(payload === undefined ? {} : { payload }),
    })
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    this.formToken = /name="form" value="([^"]+)"/.exec(answer.payload)?.[1] ?? this.formToken
    return {
      status: answer.statusCode,
      text: answer.payload,
      location: answer.headers.location as string | undefined,
      headers: answer.headers,
      cookies: answer.cookies,
    }
  }
}

/** A browser of a server that is a process of its own. */
export const tabAt = (origin: string): Tab =>
  new Tab({ app: { inject: request => askAt(origin, request) } }, origin)

const askAt = async (origin: string, { url, payload, ...request }: Parameters<Asked['inject']>[0]) => {
  const answer = await fetch(new URL(url, origin), {
    ...request,
    ...(payload === undefined ? {} : { body: payload }),
    redirect: 'manual',
  })
  const cookies = answer.headers.getSetCookie().map(line => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    return { name, value, ...(/; Max-Age=0(;|$)/i.test(line) ? { maxAge: 0 } : {}) }
  })
  return {
    statusCode: answer.status,
    payload: await answer.text(),
    headers: Object.fromEntries(answer.headers),
    cookies,
  }
}

/** Somebody has this password from now on. */
export async function givePassword(w: World, userId: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await w.services.transaction(trx => putPassword(trx, userId, { hash, organization_id: null }))
}

/** Fills in the sign-in form. */
export async function signInAs(tab: Tab, email: string, password: string, next = '/'): Promise<Shown> {
  await tab.get('/sign-in')
  return tab.post('/sign-in', { email, password, next })
}

/** What the workspace sends with a request; `changed` replaces a header, or leaves it out where undefined. */
export const workspaceHeaders = (
  secret: string,
  changed: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> => {
  const all = {
    cookie: `octavo_session=${secret}`,
    'octavo-workspace': '1',
    'sec-fetch-site': 'same-origin',
    origin: HERE,
    ...changed,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}
