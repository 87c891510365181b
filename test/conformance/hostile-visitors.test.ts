// No page of the site fails as a bug does (500), whatever is sent to it, signed in or not, and
// no form of it. The routes are found by asking the server. `OCTAVO_PROPERTY_RUNS=200` sends each so many requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { serveFiles } from '../../src/api/content/serve-files.ts'
import { readAssets } from '../../src/site/assets.ts'
import { serveReader } from '../../src/site/reader/routes.ts'
import { serveSso } from '../../src/site/sso/routes.ts'
import { changeRequestOn } from '../support/edits.ts'
import { Dice, headersOf, ODD_TEXTS, segmentOf } from '../support/hostile-requests.ts'
import { spaceWith } from '../support/pages.ts'
import { runs } from '../support/property-runs.ts'
import { cookieOf, givePassword } from '../support/sessions.ts'
import { shareLinkOf, visitorTokenOf } from '../support/visitors.ts'
import '../support/web-bundle.ts'
import { world } from '../support/world.ts'

const RUNS = runs(3)
const SEED = Number(process.env.OCTAVO_PROPERTY_SEED ?? 1)

const w = await world()
const space = await spaceWith(w, {
  'README.md': '# Start\n\nWords with [a link](part/guide.md) and `code`.\n',
  'part/guide.md':
    '---\ndescription: How\n---\n\n# Guide\n\n## Part\n\n* one\n\n{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}\n',
})
const changeRequest = await changeRequestOn(w, space)
const { body: provider } = await w.call('POST', `/orgs/${w.organizationId}/saml`, {
  body: { label: 'Staff' },
})
const { body: invite } = await w.call('POST', `/orgs/${w.organizationId}/link-invites`, {
  body: { role: 'read' },
})
// The page of the password has a form for who has one.
await givePassword(w, w.people.admin.id, 'rain on a tin roof')
const { key } = await shareLinkOf(w, space)
const visitorToken = await visitorTokenOf(w, space)

const app = Fastify()
const routes: { readonly method: string; readonly url: string }[] = []
app.addHook('onRoute', ({ method, url }) => {
  for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, url })
})
serveFiles(app, w.services)
serveReader(app, w.services, readAssets())
serveSso(app, w.services, readAssets())
await app.close()
for (const url of ['/docs/*', '/docs', '/healthz', '/metrics', '/v1/openapi.json', '/nope/*'])
  routes.push({ method: 'GET', url })

const REAL: Readonly<Record<string, string>> = {
  spaceId: space,
  changeRequestId: changeRequest.id,
  providerId: provider.id,
  inviteId: invite.id,
  number: '1',
}
const RESTS = [
  'part/guide',
  'readme',
  '',
  '~/search',
  'part/guide.md',
  '~/changes',
  'llms.txt',
  '~/',
  'part//',
  'sitemap.xml',
  'a/'.repeat(400),
]
const NAMES = [
  'q',
  'page',
  'fragment',
  'next',
  'organization',
  'request',
  'code',
  'state',
  'jwt_token',
  'shareKey',
  'error',
  'v',
  'limit',
]
const FIELDS = [
  'email',
  'password',
  'next',
  'token',
  'current',
  'again',
  'new',
  'organization',
  'SAMLResponse',
  'RelayState',
  'secret',
  'name',
]
const VALUES: readonly string[] = [
  ...ODD_TEXTS,
  ...[
    '/s/x',
    '//evil.test',
    '/\\evil.test',
    '/%0d%0aa',
    'https://evil.test',
    visitorToken,
    key,
    'a b',
    'start OR words',
    'a'.repeat(3000),
  ],
  ...[
    Buffer.from('<samlp:Response/>').toString('base64'),
    '<',
    w.people.admin.email,
    w.people.admin.token,
    `${visitorToken}a`,
    'e30.e30.',
    'WyJhIl0',
  ],
]

type Browser = { readonly cookie: string; readonly form: string }

async function browser(cookie: string, page: string): Promise<Browser> {
  const { payload, cookies } = await w.app.inject({ url: page, headers: { cookie } })
  const form = /name="form" value="([^"]+)"/.exec(payload)?.[1]
  assert.ok(form !== undefined, `${page} has a form`)
  return {
    form,
    cookie: [cookie, ...cookies.map(({ name, value }) => `${name}=${value}`)]
      .filter(one => one !== '')
      .join('; '),
  }
}

const fieldsOf = (names: readonly string[], dice: Dice): string => {
  const pairs: string[] = []
  while (dice.isIn(0.6))
    pairs.push(`${dice.pick(names)}=${segmentOf(dice.pick(VALUES).toWellFormed(), dice)}`)
  return pairs.join('&')
}

function requestOf({ method, url }: (typeof routes)[number], dice: Dice, { cookie, form }: Browser) {
  const path = url
    .replaceAll(/:(\w+)/g, (_, name: string) =>
      segmentOf(
        REAL[name] !== undefined && dice.isIn(0.85) ? REAL[name] : dice.pick(ODD_TEXTS).toWellFormed(),
        dice,
      ),
    )
    .replace(/\*$/, () =>
      dice.isIn(0.6) ? dice.pick(RESTS) : segmentOf(dice.pick(ODD_TEXTS).toWellFormed(), dice),
    )
  const query = fieldsOf(NAMES, dice)
  return {
    method,
    url: query === '' ? path : `${path}?${query}`,
    headers: {
      ...{ accept: 'text/html', cookie },
      ...(method === 'GET'
        ? {}
        : { origin: 'http://octavo.test', 'content-type': 'application/x-www-form-urlencoded' }),
      ...headersOf(dice),
    },
    ...(method === 'GET' ? {} : { payload: `form=${form}&${fieldsOf(FIELDS, dice)}` }),
  }
}

const BROWSERS = [
  () => browser('', '/sign-in'),
  async () => browser(await cookieOf(w, 'admin'), '/account/password'),
]

for (const [index, route] of routes.entries())
  test(`${route.method} ${route.url} answers whatever it is sent`, async () => {
    const dice = new Dice(SEED * routes.length + index)
    for (const begin of BROWSERS) {
      const who = await begin()
      for (let run = 0; run < RUNS / BROWSERS.length; run++) {
        const request = requestOf(route, dice, who)
        const { statusCode, payload } = await w.app.inject(request as never)
        const sent = `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${request.payload ?? ''}`
        assert.ok(statusCode < 500, `${statusCode} ${payload} to ${sent.slice(0, 5000)}`)
      }
    }
  })
