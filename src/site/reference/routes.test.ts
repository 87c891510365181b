import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { sampleDocument } from '../../api/rendering/openapi/sample.ts'
import type { Shell } from '../layout/view.ts'
import { serveReference } from './routes.ts'

const app = Fastify()
let visitor: Shell['visitor'] = null
serveReference(app, {
  openApi: () => sampleDocument,
  shell: request => ({
    theme: request.headers.cookie === 'dark' ? 'dark' : 'system',
    visitor,
    signInHref: `/sign-in?next=${encodeURIComponent(request.url)}`,
    assets: {
      stylesheet: '/assets/reader.css',
      script: '/assets/reader.js',
      passkeys: '/assets/passkeys.js',
      icon: '/assets/mark.svg',
    },
  }),
  headers: () => ({ 'content-security-policy': "default-src 'none'" }),
})
after(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

test('a page is HTML with the headers that it is given', async () => {
  const reply = await get('/docs/operations/createSpace')
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(reply.headers['content-security-policy'], "default-src 'none'")
  assert.match(reply.body, /<title>Create a space · API reference · Octavo<\/title>/)
  assert.doesNotMatch(reply.body, /<script(?![^>]*\ssrc="\/)|<style|\sstyle=/)
})

test('the files it names are there, for ever', async () => {
  const page = await get('/docs')
  const files = [...page.body.matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(
    match => match[1] as string,
  )
  assert.equal(files.length, 2)
  for (const file of files) {
    const reply = await get(file)
    assert.equal(reply.statusCode, 200)
    assert.match(String(reply.headers['cache-control']), /immutable/)
    assert.match(String(reply.headers['content-type']), /^text\/(?:css|javascript)/)
  }
})

test('what is not there is a 404 that leads back', async () => {
  for (const url of [
    '/docs/operations/gone',
    '/docs/schemas/gone',
    '/docs/assets/gone.css',
    '/docs/%2e%2e/x',
    '/docs/%',
  ]) {
    const reply = await get(url)
    assert.ok([400, 404].includes(reply.statusCode), url)
    assert.doesNotMatch(reply.body, /TypeError|URIError/)
  }
  assert.match((await get('/docs/operations/gone')).body, /href="\/docs"/)
})

test('an unchanged page is a 304, another theme is another page', async () => {
  const first = await get('/docs')
  const etag = String(first.headers.etag)
  assert.equal((await get('/docs', { 'if-none-match': etag })).statusCode, 304)
  assert.equal((await get('/docs', { 'if-none-match': etag, cookie: 'dark' })).statusCode, 200)
  assert.match((await get('/docs', { cookie: 'dark' })).body, /data-theme="dark"/)
})

test('a page of one visitor is not shown to another', async () => {
  visitor = { id: 'ada', name: 'Ada' }
  const signedIn = await get('/docs/schemas')
  visitor = null
  const stranger = await get('/docs/schemas')
  assert.match(signedIn.body, /Ada/)
  assert.doesNotMatch(stranger.body, /Ada/)
  assert.equal(signedIn.headers['cache-control'], 'private, no-cache')
})

test('the address that one visitor came by is not kept for the next', async () => {
  await get('/docs/schemas/Error?next=elsewhere')
  assert.doesNotMatch((await get('/docs/schemas/Error')).body, /elsewhere/)
})

test('a page is compressed for clients that accept it', async () => {
  const reply = await get('/docs', { 'accept-encoding': 'gzip' })
  assert.equal(reply.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(reply.rawPayload).toString(), (await get('/docs')).body)
})

test('the search works as a page and as the list alone', async () => {
  const page = await get('/docs?q=create+space')
  assert.match(page.body, /<title>create space – Search/)
  assert.match(page.body, /href="\/docs\/operations\/createSpace"/)
  const fragment = await get('/docs?q=create+space&fragment=1')
  assert.match(fragment.body, /^<p class="search-count"/)
  assert.doesNotMatch(fragment.body, /<html/)
  assert.equal((await get('/docs?q=a&q=b')).statusCode, 200)
})
