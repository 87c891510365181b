// Every route of the site that takes something, found by asking the server itself, so that a new one is tested too.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { signedIn } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'
import { readAssets } from './assets.ts'
import { serveReader } from './reader/routes.ts'
import { serveSso } from './sso/routes.ts'

const w = await world()
const app = Fastify()
const routes: { readonly method: string; readonly url: string }[] = []
app.addHook('onRoute', ({ method, url }) => {
  for (const one of [method].flat()) routes.push({ method: one, url })
})
const assets = readAssets()
serveReader(app, w.services, assets)
serveSso(app, w.services, assets)
await app.ready()
after(() => app.close())

/** Answers of identity providers come from their sites, and begin no session. */
const FOREIGN: ReadonlySet<string> = new Set(['/sso/saml/:providerId/acs'])
/** Its form is on every page, none of which may have a secret. */
const WITHOUT_TOKEN: ReadonlySet<string> = new Set(['/sign-out'])

test('whatever the site takes has to come from a page of its own, with the token of the browser', async () => {
  const taking = routes.filter(({ method, url }) => !['GET', 'HEAD'].includes(method) && !FOREIGN.has(url))
  assert.ok(
    taking.some(({ url }) => url === '/sign-in') && taking.some(({ url }) => url.includes('/invitations/')),
  )
  const cookie = `octavo_session=${await signedIn(w, 'admin')}`
  for (const { method, url } of taking)
    for (const [origin, words] of [
      ['https://evil.test', /not sent from a page of this server/],
      ['http://octavo.test', /expired, or belongs to another browser/],
    ] as const) {
      if (origin === 'http://octavo.test' && WITHOUT_TOKEN.has(url)) continue
      const { statusCode, payload } = await app.inject({
        method: method as 'POST',
        url: url.replaceAll(/:\w+/g, 'some'),
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'form=some',
      })
      assert.equal(statusCode, 403, `${method} ${url} from ${origin}`)
      assert.match(payload, words, `${method} ${url}`)
    }
})

test('the site takes nothing but forms, and identity providers’ answers at one address', () => {
  const methods = new Set(routes.map(({ method }) => method))
  assert.deepEqual([...methods].sort(), ['GET', 'HEAD', 'POST'])
  const foreign = routes.filter(({ method, url }) => method === 'POST' && url.startsWith('/sso/'))
  assert.deepEqual(
    foreign.map(({ url }) => url),
    [...FOREIGN],
  )
})
