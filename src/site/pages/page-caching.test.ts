import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { publishFiles, spaceWith } from '../../../test/support/pages.ts'
import { cookieOf } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'

const w = await world()

const WORDS = 'A page that is long enough to be worth compressing, with [a link](other.md) in each line.\n\n'
const FILES = { 'README.md': `# Start\n\n${WORDS.repeat(40)}`, 'other.md': '# Other\n\nShort.\n' }

async function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { statusCode, headers: answered, rawPayload } = await w.app.inject({ method, url, headers })
  return { status: statusCode, headers: answered, bytes: rawPayload, etag: String(answered.etag) }
}

test('a published page is compressed as the browser accepts, and is the same page', async () => {
  const url = `/s/${await spaceWith(w, FILES, { visibility: 'public' })}`
  const plain = await ask(url)
  assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined])
  const cases = [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, *', 'gzip', gunzipSync],
  ] as const
  for (const [accepted, coding, decompress] of cases) {
    const answer = await ask(url, { 'accept-encoding': accepted })
    assert.equal(answer.headers['content-encoding'], coding, accepted)
    assert.ok(answer.bytes.length < plain.bytes.length / 4, `${answer.bytes.length} of ${plain.bytes.length}`)
    assert.ok(decompress(answer.bytes).equals(plain.bytes), accepted)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(answer.headers.vary, 'Accept, Accept-Encoding, Cookie')
    assert.equal(answer.headers['cache-control'], 'private, no-cache')
  }
  const refused = await ask(url, { 'accept-encoding': 'identity, br;q=0, gzip;q=0' })
  assert.equal(refused.headers['content-encoding'], undefined)
})

test('a page is compressed for somebody who is signed in, and holds no secret of their session', async () => {
  for (const visibility of ['public', 'private'] as const) {
    const url = `/s/${await spaceWith(w, FILES, { visibility })}`
    const cookie = await cookieOf(w, 'read')
    const answer = await ask(url, { 'accept-encoding': 'gzip', cookie })
    assert.deepEqual([answer.status, answer.headers['content-encoding']], [200, 'gzip'], visibility)
    const page = gunzipSync(answer.bytes).toString('utf8')
    assert.match(page, /worth compressing/)
    const [, secret = ''] = /=([^;]{16,})/.exec(cookie) ?? []
    assert.ok(secret !== '' && !page.includes(secret))
  }
})

test('a page that the browser has is answered 304 without a body, until something on it changes', async () => {
  const id = await spaceWith(w, FILES, { visibility: 'public' })
  const url = `/s/${id}`
  const { etag, headers } = await ask(url)
  const again = await ask(url, { 'if-none-match': etag, 'accept-encoding': 'br' })
  assert.deepEqual([again.status, again.bytes.length, again.etag], [304, 0, etag])
  for (const name of ['cache-control', 'vary', 'content-security-policy'])
    assert.equal(again.headers[name], headers[name], name)
  assert.equal((await ask(url, { 'if-none-match': etag }, 'HEAD')).status, 304)
  assert.equal((await ask(url, { 'if-none-match': `W/${etag}` })).status, 304)
  // The navigation of every page names them all.
  await publishFiles(w, id, { ...FILES, 'other.md': '# Renamed\n\nShort.\n' })
  const changed = await ask(url, { 'if-none-match': etag })
  assert.equal(changed.status, 200)
  await w.call('PATCH', `/spaces/${id}`, { body: { title: 'Another title' } })
  assert.equal((await ask(url, { 'if-none-match': changed.etag })).status, 200)
})

test('the list of spaces and search are compressed, and answered 304', async () => {
  const id = await spaceWith(w, FILES, { visibility: 'public' })
  const cookie = await cookieOf(w, 'read')
  for (const url of [
    '/?reader',
    `/s/${id}/~/search?q=compressing`,
    `/s/${id}/~/search?q=compressing&fragment=1`,
  ]) {
    const [visitor, member] = [
      await ask(url, { 'accept-encoding': 'br' }),
      await ask(url, { 'accept-encoding': 'br', cookie }),
    ]
    if (!url.endsWith('fragment=1')) assert.equal(visitor.headers['content-encoding'], 'br', url)
    if (!url.endsWith('fragment=1')) assert.equal(member.headers['content-encoding'], 'br', url)
    assert.equal(visitor.headers.vary, 'Accept-Encoding, Cookie')
    assert.equal((await ask(url, { 'if-none-match': visitor.etag })).status, 304, url)
    assert.equal((await ask(url, { 'if-none-match': member.etag, cookie })).status, 304, url)
  }
})

test('the search of a space that is not public is sent uncompressed', async () => {
  const id = await spaceWith(w, FILES, { visibility: 'unlisted' })
  const found = await ask(`/s/${id}/~/search?q=compressing`, { 'accept-encoding': 'br' })
  assert.equal(found.status, 200)
  assert.equal(found.headers['content-encoding'], undefined)
})

test('a validator is of one reader: not of another, nor of the same with another theme', async () => {
  const url = `/s/${await spaceWith(w, FILES, { visibility: 'public' })}`
  const anonymous = await ask(url)
  const cookies = [await cookieOf(w, 'read'), await cookieOf(w, 'admin'), 'octavo_theme=dark']
  const etags = new Set([anonymous.etag])
  for (const cookie of cookies) {
    const other = await ask(url, { cookie, 'if-none-match': [...etags].join(', ') })
    assert.equal(other.status, 200, cookie)
    assert.equal((await ask(url, { cookie, 'if-none-match': other.etag })).status, 304, cookie)
    etags.add(other.etag)
  }
  assert.equal(etags.size, 4)
})

test('a page for somebody who is signed in is compressed, and holds no secret of theirs', async () => {
  const id = await spaceWith(w, FILES)
  const cookie = await cookieOf(w, 'read')
  const [, secret = ''] = cookie.split('=')
  const account = (await ask('/account/password', { cookie, 'accept-encoding': 'gzip, br' })).headers
  assert.equal(account['content-encoding'], undefined, 'a page with tokens is not compressed')
  for (const url of ['/?reader', `/s/${id}`, `/s/${id}/other`, '/docs']) {
    const { headers, bytes } = await ask(url, { cookie, 'accept-encoding': 'gzip' })
    assert.equal(headers['content-encoding'], 'gzip', url)
    const page = gunzipSync(bytes).toString()
    assert.match(page, /action="\/sign-out" method="post"/)
    assert.doesNotMatch(page, /name="form"/)
    assert.deepEqual(
      [...page.matchAll(/type="hidden" name="(\w+)"/g)].map(([, name]) => name),
      ['person'],
    )
    assert.ok(!page.includes(secret), url)
    const another = await ask(url, { cookie: await cookieOf(w, 'read'), 'accept-encoding': 'gzip' })
    assert.equal(another.etag, headers.etag, 'nothing on it is of one session')
  }
})

test('a validator does not reveal that a page is unchanged to a visitor who may not see it', async () => {
  const id = await spaceWith(w, FILES)
  const cookie = await cookieOf(w, 'read')
  const { etag, status } = await ask(`/s/${id}`, { cookie })
  assert.equal(status, 200)
  for (const headers of [{}, { cookie: await cookieOf(w, 'stranger') }])
    assert.equal((await ask(`/s/${id}`, { ...headers, 'if-none-match': etag })).status, 404)
})

test('a page leads back to itself after signing in, without the rest of the address', async () => {
  const id = await spaceWith(w, FILES, { visibility: 'public' })
  const plain = await ask(`/s/${id}/other`)
  const reflected = await ask(`/s/${id}/other?secret=guess`)
  assert.equal(reflected.etag, plain.etag)
  assert.ok(reflected.bytes.includes(`/sign-in?next=${encodeURIComponent(`/s/${id}/other`)}`))
})
