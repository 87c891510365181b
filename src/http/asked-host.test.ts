import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { originOf, serverWith } from '../../test/support/server.ts'
import { world } from '../../test/support/world.ts'
import { hostCheck, readTarget } from './asked-host.ts'

const w = await world()

const assertHosts = (publicUrl: string, own: readonly string[], others: readonly string[]) => {
  const isOwn = hostCheck(publicUrl)
  for (const host of own) assert.equal(isOwn(host), true, `${publicUrl} is ${host}`)
  for (const host of others) assert.equal(isOwn(host), false, `${publicUrl} is not ${host}`)
}

test('a host is compared without case, trailing dot and the default port', () => {
  assertHosts(
    'https://docs.example.com',
    [
      'docs.example.com',
      'DOCS.Example.com',
      'docs.example.com.',
      'docs.example.com:443',
      'docs.example.com:',
    ],
    [
      ...['docs.example.com:80', 'docs.example.com:8443', 'example.com', 'docs.example.com.evil.test', ''],
      ...['evil.test', 'docs.example.com..', 'docs.example.com:443:1', 'a@docs.example.com', 'a b', '%', '['],
      ...['docs.example.com/', 'docs.example.com?', 'evil.test#docs.example.com'],
    ],
  )
  assertHosts('http://docs.test:8080', ['docs.test:8080', 'Docs.test.:8080'], ['docs.test', 'docs.test:80'])
  assertHosts('http://docs.test:80', ['docs.test:80', 'docs.test'], ['docs.test:443'])
  assertHosts('http://[2001:db8::1]:81', ['[2001:DB8:0:0:0:0:0:1]:81'], ['[2001:db8::2]:81'])
})

test('this machine is asked by its own names for itself, at any port', () => {
  assertHosts(
    'https://docs.example.com',
    [
      ...['localhost', 'LOCALHOST:4000', 'localhost.', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:4000'],
      ...['[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]'],
    ],
    [
      ...['127.0.0.1.evil.test', 'localhost.evil.test', 'evil-localhost', '128.0.0.1', '10.0.0.1', '[::2]'],
      ...['0.0.0.0', '[::]', '[::ffff:10.0.0.1]'],
    ],
  )
})

test('the authority of a target in absolute form is the host', () => {
  const read = (url: string) => {
    const request = { url, headers: { host: 'first.test' } }
    return [readTarget(request), request.headers.host]
  }
  assert.deepEqual(read('/a?b'), ['/a?b', 'first.test'])
  assert.deepEqual(read('*'), ['*', 'first.test'])
  assert.deepEqual(read('http://second.test:81/a?b'), ['/a?b', 'second.test:81'])
  assert.deepEqual(read('HTTPS://second.test'), ['/', 'second.test'])
  assert.deepEqual(read('http://second.test?a=/'), ['/?a=/', 'second.test'])
  assert.deepEqual(read('http://a@second.test/'), ['/', 'a@second.test'])
})

const docs = { isPublicUrlSet: true, publicUrl: 'https://docs.example.com' }
const own = serverWith(w, docs)
const statusAt = async (host: string, url: string, app = own, headers = {}) =>
  (await app.inject({ url, headers: { host, ...headers } })).statusCode

test('a request for another host than that of the public address is misdirected', async () => {
  const { id } = await w.createSpace({ visibility: 'public' })
  const urls = [
    ...[`/v1/spaces/${id}`, `/s/${id}`, '/sign-in', '/v1/openapi.json', `/git/${id}/info/refs`, '/nowhere'],
    ...['/mcp', `/git/hooks/${id}`, '/assets/nowhere.js'],
  ]
  for (const url of urls) {
    assert.equal(await statusAt('evil.test', url), 421, url)
    for (const host of ['docs.example.com', 'localhost:4000']) {
      assert.notEqual(await statusAt(host, url), 421, `${host}${url}`)
      assert.notEqual(await statusAt(host, url), 500, `${host}${url}`)
    }
  }
  assert.equal(await statusAt('docs.example.com', `/v1/spaces/${id}`), 200)
})

test('an upload to another host is refused before its bytes are taken', async () => {
  const { id } = await w.createSpace()
  const uploadTo = async (host: string) => {
    const authorization = `Bearer ${w.people.admin.token}`
    const headers = { host, authorization, 'content-type': 'application/octet-stream' }
    const url = `/v1/spaces/${id}/uploads/a.txt`
    return (await own.inject({ method: 'PUT', url, headers, payload: 'words' })).statusCode
  }
  const kept = async () =>
    (await w.services.db.selectFrom('uploads').selectAll().where('space_id', '=', id).execute()).length
  assert.deepEqual([await uploadTo('evil.test'), await kept()], [421, 0])
  assert.ok((await uploadTo('docs.example.com')) < 300)
  assert.equal(await kept(), 1)
})

test('the refusal names the setting and the host, as JSON and as a page', async () => {
  const json = await own.inject({ url: '/v1/spaces/a', headers: { host: 'evil.test' } })
  assert.equal(json.json().error.code, 421)
  assert.match(json.json().error.message, /docs\.example\.com.*OCTAVO_PUBLIC_URL/)
  assert.ok(json.headers['x-request-id'])
  const page = await own.inject({ url: '/', headers: { host: 'evil.test', accept: 'text/html' } })
  assert.equal(page.statusCode, 421)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(page.body, /docs\.example\.com.*OCTAVO_PUBLIC_URL/)
})

test('monitoring asks by any host, and everybody does where no public address is set', async () => {
  for (const url of ['/healthz', '/readyz', '/metrics', '/healthz?a'])
    assert.notEqual(await statusAt('10.0.0.1:4000', url), 421, url)
  const unset = serverWith(w, { isPublicUrlSet: false, publicUrl: 'http://127.0.0.1:4000' })
  assert.equal(await statusAt('docs.test', '/sign-in', unset), 200)
})

test('the forwarded host counts behind a proxy alone', async () => {
  const proxied = serverWith(w, { ...docs, trustProxy: true })
  const forwarded = (host: string) => ({ 'x-forwarded-host': host })
  assert.equal(await statusAt('inner:4000', '/sign-in', proxied, forwarded('docs.example.com')), 200)
  assert.equal(await statusAt('docs.example.com', '/sign-in', proxied), 200)
  for (const host of ['evil.test', 'a b', ':'])
    assert.equal(await statusAt('localhost', '/sign-in', proxied, forwarded(host)), 421, host)
  assert.equal(await statusAt('evil.test', '/sign-in', own, forwarded('docs.example.com')), 421)
})

const HOST = 'Host: octavo.test\r\n'

/** The status line of the answer to raw bytes. */
async function statusOf(head: string): Promise<number> {
  const { port } = new URL(await originOf(w))
  const socket = connect(Number(port), '127.0.0.1')
  try {
    socket.write(`${head}Connection: close\r\n\r\n`)
    let answer = ''
    for await (const bytes of socket) answer += bytes
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
  } finally {
    socket.destroy()
  }
}

test('a request has one Host, which is the name of a host', async () => {
  for (const path of ['/sign-in', '/healthz', '/v1/spaces', '/nowhere']) {
    const get = `GET ${path} HTTP/1.1\r\n`
    assert.equal(await statusOf(`${get}${HOST}${HOST}`), 400)
    assert.equal(await statusOf(`${get}${HOST}hOST: evil.test\r\n`), 400)
    assert.equal(await statusOf(`${get}Host: a b\r\n`), 400)
    assert.equal(await statusOf(`${get}Host: a@octavo.test\r\n`), 400)
    assert.equal(await statusOf(get), 400)
  }
  assert.equal(await statusOf(`GET /sign-in HTTP/1.1\r\n${HOST}`), 200)
  assert.equal(await statusOf(`GET /sign-in HTTP/1.1\r\nHost: evil.test\r\n`), 421)
})

test('the host in the target counts, not the header beside it', async () => {
  const get = (target: string, host: string) => statusOf(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n`)
  assert.equal(await get('http://octavo.test/sign-in', 'evil.test'), 200)
  assert.equal(await get('http://evil.test/sign-in', 'octavo.test'), 421)
  assert.equal(await get('http://evil.test/healthz', 'octavo.test'), 200)
  assert.equal(await get('http://a@octavo.test/sign-in', 'octavo.test'), 400)
})
