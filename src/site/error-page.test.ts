import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serverWith } from '../../test/support/server.ts'
import { cookieOf } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'
import { buildApp } from '../http/app.ts'

const w = await world()
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

type Asked = {
  readonly method?: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

async function ask(asked: Asked, app = w.app) {
  const { statusCode, payload, headers } = await app.inject({
    ...asked,
    headers: { accept: ACCEPT, ...asked.headers },
  })
  return { status: statusCode, text: payload, headers, type: String(headers['content-type']) }
}

/** As it is on the wire: `inject` would put the address in order first. */
async function readRaw(app: typeof w.app, path: string): Promise<string> {
  const { port } = app.server.address() as AddressInfo
  const sent = get({ host: '127.0.0.1', port, path, headers: { accept: ACCEPT } })
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return text
}

test('an address that leads nowhere is a page with the ways home and to signing in, and JSON to a program', async () => {
  const page = await ask({ url: '/nope?x=<script>' })
  assert.deepEqual([page.status, page.type], [404, 'text/html; charset=utf-8'])
  assert.match(page.text, /<h1>Page not found<\/h1>/)
  assert.match(page.text, /<a class="button button-primary" href="\/">/)
  assert.match(page.text, /<a class="button" href="\/sign-in\?next=%2Fnope/)
  assert.ok(!page.text.includes('<script>'))
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.ok(page.headers['x-request-id'] !== undefined)
  const member = await ask({ url: '/nope', headers: { cookie: await cookieOf(w, 'read') } })
  assert.ok(!member.text.includes('href="/sign-in'), 'a signed-in visitor is not asked to')
  const program = await ask({ url: '/nope', headers: { accept: '*/*' } })
  assert.deepEqual(JSON.parse(program.text), { error: { code: 404, message: 'There is no GET /nope.' } })
})

test('below /v1 everything is JSON, whatever a browser says it takes', async () => {
  for (const url of ['/v1/nope', '/v1', '/v1?x', '/v1/orgs/x/%ff', `/v1/spaces/${'x'.repeat(2_000)}`])
    assert.match((await ask({ url })).type, /^application\/json/, url)
})

test('every refusal outside of the API is a page for a browser: malformed, too long, too large, of another kind', async () => {
  const form = 'application/x-www-form-urlencoded'
  const origin = 'http://octavo.test'
  const refused: [Asked, number, RegExp][] = [
    [{ url: '/%ff' }, 400, /Bad request/],
    [{ url: `/s/${'x'.repeat(2_000)}` }, 414, /too long|longer/],
    [{ method: 'POST', url: '/nope' }, 404, /Page not found/],
    [
      {
        method: 'POST',
        url: '/sign-in',
        headers: { 'content-type': form, origin },
        payload: 'x'.repeat(9_000),
      },
      413,
      /too large/,
    ],
    [
      {
        method: 'POST',
        url: '/sign-in',
        headers: { 'content-type': 'application/x-none', origin },
        payload: 'x',
      },
      415,
      /format is not supported/,
    ],
    [
      { method: 'POST', url: '/sign-in', headers: { 'content-type': form }, payload: 'form=x' },
      403,
      /not sent from a page of this server/,
    ],
    [{ url: '/sso/saml/none/metadata' }, 404, /no such identity provider/],
    [{ url: '/assets/none.css' }, 404, /Page not found/],
  ]
  for (const [asked, status, words] of refused) {
    const page = await ask(asked)
    assert.deepEqual([page.status, page.type], [status, 'text/html; charset=utf-8'], JSON.stringify(asked))
    assert.match(page.text, words)
    assert.match(page.text, /href="\/">All spaces/)
  }
})

test('too many requests get a page that says when to come again, and its link leads to the same address alone', async () => {
  const app = serverWith(w, { addressRequestsPerMinute: 1 })
  try {
    await ask({ url: '/' }, app)
    const page = await ask({ url: '/s/a' }, app)
    assert.deepEqual([page.status, page.type], [429, 'text/html; charset=utf-8'])
    assert.match(String(page.headers['retry-after']), /^\d+$/)
    assert.match(page.text, /Wait \d+ seconds/)
    assert.match(page.text, /href="\/s\/a">Try again/)
    await app.listen({ host: '127.0.0.1', port: 0 })
    for (const path of ['/s/b', '//evil.test/', '/\\evil.test/'])
      assert.equal((await readRaw(app, path)).includes('Try again'), path === '/s/b', path)
  } finally {
    await app.close()
  }
})

test('a mistake of ours is a page with what finds it in the log, and JSON where the page itself cannot be drawn', async () => {
  const app = serverWith(w, {})
  app.get('/broken', () => {
    throw new Error('inner words')
  })
  const page = await ask({ url: '/broken' }, app)
  assert.equal(page.status, 500)
  assert.match(page.text, new RegExp(`<code>${page.headers['x-request-id']}</code>`))
  assert.ok(!page.text.includes('inner words'))
  await app.close()

  const drawingFails = buildApp([], w.services, async () => {
    throw new Error('no page')
  })
  const plain = await ask({ url: '/nope' }, drawingFails)
  assert.deepEqual([plain.status, JSON.parse(plain.text).error.code], [404, 404])
  await drawingFails.close()
})
