// A browser as far as signing in needs one: it keeps cookies, follows redirects over several servers, and
// sends no cookie along with a form that another site posts, as SameSite=Lax says.
import assert from 'node:assert/strict'
import type { World } from './world.ts'

export type Seen = {
  readonly url: string
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

const HERE = 'http://octavo.test'
const REDIRECTS_MAX = 10

export class PasserBy {
  readonly #w: Pick<World, 'app'>
  /** Those of Octavo. */
  readonly cookies = new Map<string, string>()
  readonly #foreign = new Map<string, string>()

  constructor(w: Pick<World, 'app'>) {
    this.#w = w
  }

  /** One step, without following where it leads. */
  async step(url: string, form?: Readonly<Record<string, string>>, isForeign = false): Promise<Seen> {
    const target = new URL(url, HERE)
    if (target.origin !== HERE) {
      const cookie = [...this.#foreign].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(target, { redirect: 'manual', headers: { cookie } })
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        this.#foreign.set(name, value)
      }
      return {
        url: target.href,
        status: response.status,
        text: await response.text(),
        headers: Object.fromEntries(response.headers),
      }
    }
    const sent = isForeign ? '' : [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#w.app.inject({
      method: form === undefined ? 'GET' : 'POST',
      url: target.pathname + target.search,
      headers: {
        ...(sent === '' ? {} : { cookie: sent }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(isForeign ? { origin: 'https://idp.test', 'sec-fetch-site': 'cross-site' } : {}),
      },
      ...(form === undefined ? {} : { payload: new URLSearchParams(form).toString() }),
    })
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return {
      url: target.href,
      status: response.statusCode,
      text: response.payload,
      headers: response.headers as Record<string, string | undefined>,
    }
  }

  /** Follows redirects, and the forms that an identity provider answers with. */
  async visit(url: string): Promise<Seen> {
    let seen = await this.step(url)
    for (let hops = 0; hops < REDIRECTS_MAX; hops++) {
      const { location } = seen.headers
      const form = seen.status === 200 ? readForm(seen.text) : undefined
      if (location !== undefined) seen = await this.step(new URL(location, seen.url).href)
      else if (form !== undefined) seen = await this.step(form.action, form.fields, true)
      else return seen
    }
    assert.fail(`more than ${REDIRECTS_MAX} redirects`)
  }
}

/** The form of an identity provider, which a script there would send. */
function readForm(html: string): { action: string; fields: Record<string, string> } | undefined {
  const action = /^<form method="post" action="([^"]+)">/.exec(html)?.[1]
  if (action === undefined) return undefined
  const fields = [...html.matchAll(/<input name="([^"]+)" value="([^"]*)">/g)]
  return { action, fields: Object.fromEntries(fields.map(([, name, value]) => [name, value])) }
}
