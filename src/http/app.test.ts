import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { world } from '../../test/support/world.ts'
import { acceptsGzip, matches } from './app.ts'

const w = await world()

test('an unknown address is a JSON 404 that names it, without its query', async () => {
  const { status, body } = await w.call('GET', '/nowhere?secret=1')
  assert.equal(status, 404)
  assert.deepEqual(body, { error: { code: 404, message: 'There is no GET /v1/nowhere.' } })
})

test('an empty body with the JSON content type is no body', async () => {
  const { id } = await w.createSpace()
  assert.equal((await w.call('POST', `/spaces/${id}/duplicate`, { payload: '' })).status, 201)
  assert.equal((await w.call('DELETE', `/spaces/${id}`, { payload: '' })).status, 204)
})

test('bodies that cannot be read are refused with what is wrong', async () => {
  const path = `/orgs/${w.organizationId}/spaces`
  const bad = async (payload: string, headers = {}) => {
    const { status, body } = await w.call('POST', path, { payload, headers })
    return [status, body.error.message] as const
  }
  assert.deepEqual(await bad('{"title":'), [400, 'body: this is not valid JSON.'])
  assert.deepEqual(await bad('[]'), [400, 'body: must be object.'])
  assert.equal((await bad('{"__proto__": {"title": "x"}}'))[0], 400)
  assert.equal((await bad('title=x', { 'content-type': 'application/x-www-form-urlencoded' }))[0], 415)
  assert.deepEqual(await bad(`{"title":"${'x'.repeat(1024 * 1024)}"}`), [
    413,
    'body: more bytes than this operation takes.',
  ])
})

test('unknown members of a body are ignored', async () => {
  const { status, body } = await w.call('POST', `/orgs/${w.organizationId}/spaces`, {
    body: { title: 'T', id: 'mine', organization: 'x' },
  })
  assert.equal(status, 201)
  assert.notEqual(body.id, 'mine')
  assert.equal(body.organization, w.organizationId)
})

test('a wrong query names the parameter', async () => {
  const path = `/orgs/${w.organizationId}/spaces`
  for (const [query, message] of [
    ['limit=1001', /query\.limit/],
    ['limit=-1', /query\.limit/],
    ['limit=1.5', /query\.limit/],
    ['limit=ten', /query\.limit/],
    ['limit=1&limit=2', /query\.limit/],
    ['page=nonsense', /page/],
  ] as const) {
    const { status, body } = await w.call('GET', `${path}?${query}`)
    assert.equal(status, 400, query)
    assert.match(body.error.message, message)
  }
  const none = await w.call('GET', `${path}?limit=0`)
  assert.deepEqual([none.status, none.body.items, none.body.next], [200, [], undefined])
  assert.equal((await w.call('GET', `${path}?unknown=1`)).status, 200)
})

test('every answer has a request id, taken from the caller when it is a plain one', async () => {
  const given = await w.call('GET', '/user', { headers: { 'x-request-id': 'trace-1' } })
  assert.equal(given.headers['x-request-id'], 'trace-1')
  const hostile = await w.call('GET', '/user', { headers: { 'x-request-id': 'a b<script>' } })
  assert.match(hostile.headers['x-request-id'] ?? '', /^\w{20}$/)
  assert.ok((await w.call('GET', '/nowhere')).headers['x-request-id'])
})

test('ids that cannot be ids are answered like unknown ones', async () => {
  for (const id of ['%00', 'a%00b', 'x'.repeat(500), '%2e%2e', "'; drop table spaces; --"]) {
    assert.equal((await w.call('GET', `/spaces/${encodeURI(id)}`)).status, 404, id)
  }
  assert.equal((await w.call('GET', '/spaces/%ff')).status, 400)
})

test('an unchanged content answer is a 304 without a body', async () => {
  const { id } = await w.createSpace()
  const first = await w.call('GET', `/spaces/${id}/content/pages`)
  const etag = first.headers.etag as string
  assert.match(etag, /^"[\w-]+"$/)
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await w.call('GET', `/spaces/${id}/content/pages`, { headers: { 'if-none-match': header } })
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag])
  }
  assert.equal(
    (await w.call('GET', `/spaces/${id}/content/pages`, { headers: { 'if-none-match': '"other"' } })).status,
    200,
  )
})

test('entity tags are compared as RFC 9110 says', () => {
  assert.equal(matches('W/"a", "b"', '"b"'), true)
  assert.equal(matches('"ab"', '"b"'), false)
  assert.equal(matches(undefined, '"b"'), false)
})

test('gzip is sent to whom accepts it', () => {
  for (const header of ['gzip', 'br, gzip', 'gzip;q=0.5', '*', 'GZIP'])
    assert.equal(acceptsGzip(header), true, header)
  for (const header of [undefined, '', 'br', 'gzip;q=0', 'gzip;q=0.0, br', 'xgzip'])
    assert.equal(acceptsGzip(header), false, header)
})

test('headers beyond 16 KB are refused without a handler', async () => {
  await w.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = w.app.server.address() as { port: number }
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /v1/ HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    )
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
  assert.match(answer, /^HTTP\/1\.1 431 /)
})
