import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { originOf } from '../../test/support/server.ts'
import { world } from '../../test/support/world.ts'
import { BODY_LEVELS_MAX } from '../compute/json-body.ts'
import { buildApp } from './app.ts'
import { matchesEtag } from './cached-body.ts'

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
    'body: more bytes than this operation accepts.',
  ])
})

test('a body nests as deep as a document may, and no deeper', async () => {
  const path = `/orgs/${w.organizationId}/spaces`
  const nested = (levels: number) =>
    `{"title":"T","unknown":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  assert.equal((await w.call('POST', path, { payload: nested(BODY_LEVELS_MAX) })).status, 201)
  const { status, body } = await w.call('POST', path, { payload: nested(BODY_LEVELS_MAX + 1) })
  assert.deepEqual(
    [status, body.error.message],
    [400, 'body: it is nested more than 500 levels deep. Make it flatter.'],
  )
})

test('unknown members of a body are ignored, and named in the answer', async () => {
  const { status, body, headers } = await w.call('POST', `/orgs/${w.organizationId}/spaces`, {
    body: { title: 'T', id: 'mine', organization: 'x' },
  })
  assert.equal(status, 201)
  assert.equal(headers['octavo-ignored'], 'id, organization')
  assert.notEqual(body.id, 'mine')
  assert.equal(body.organization, w.organizationId)
})

test('unknown parameters are ignored and named, a proof of a visitor is none of them', async () => {
  const ignoredOf = async (method: string, path: string, body?: object) =>
    (await w.call(method, path, body === undefined ? {} : { body })).headers['octavo-ignored']
  const { id } = await w.createSpace({ visibility: 'public' })
  assert.equal(await ignoredOf('GET', `/spaces/${id}/content?metadata=false`), undefined)
  assert.equal(await ignoredOf('GET', `/spaces/${id}/content?metadata=false&shareKey=x&a,b=1`), '?a%2Cb')
  assert.equal(await ignoredOf('GET', `/spaces/${id}?limit=1`), '?limit')
  assert.equal(await ignoredOf('POST', `/spaces/${id}/duplicate`, { title: 'Copy' }), 'title')
})

test('an edit of which nothing is known is refused, also where a field was sent one level too high', async () => {
  const { id } = await w.createSpace()
  const rich = { object: 'document', data: {}, nodes: [] }
  const { body: made } = await w.call('POST', `/spaces/${id}/content`, {
    body: { changes: [{ operation: 'insert_page', document: { markdown: '# A\n' } }] },
  })
  const page = made.changes[0].page.id
  for (const [method, path, sent, message] of [
    [
      'PATCH',
      `/spaces/${id}`,
      { titel: 'T' },
      /^body: nothing of this is known here: titel\. It takes title, /,
    ],
    [
      'POST',
      `/spaces/${id}/content`,
      { changes: [{ operation: 'update_page', page, document: rich }] },
      /^body\.changes\.0\.document: .* belongs into body\.changes\.0\.document\.document\.$/,
    ],
    [
      'POST',
      `/spaces/${id}/content`,
      { changes: [{ operation: 'update_page', page, markdown: '# B' }] },
      /^body\.changes\.0: nothing of this is known here: markdown\. It takes document, /,
    ],
    [
      'POST',
      `/spaces/${id}/comments`,
      { body: rich },
      /^body\.body: .* belongs into body\.body\.document\.$/,
    ],
  ] as const) {
    const { status, body } = await w.call(method, path, { body: sent })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body.error.message, message)
  }
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

test('an address with a part longer than any id is refused in words, and not repeated', async () => {
  const { status, body } = await w.call('GET', `/spaces/${'x'.repeat(1100)}`)
  assert.equal(status, 414)
  assert.match(body.error.message, /^A part of the address is longer than any id\.$/)
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

test('unknown ids of operations without a place are too, also without a token', async () => {
  assert.equal((await w.call('DELETE', '/user/tokens/a%00b')).status, 204)
  for (const as of [null, 'stranger'] as const)
    assert.equal((await w.call('GET', '/orgs/a%00b/sso', { as })).status, 404)
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
  assert.equal(matchesEtag('W/"a", "b"', '"b"'), true)
  assert.equal(matchesEtag('"ab"', '"b"'), false)
  assert.equal(matchesEtag(undefined, '"b"'), false)
})

/** What the server answers to bytes that no client would send. */
async function sendRaw(bytes: string): Promise<string> {
  const port = Number(new URL(await originOf(w)).port)
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}

test('malformed requests are refused with the error body', async () => {
  const cases = [
    [431, `GET /v1/ HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    [400, 'GET /v1/ HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n'],
    [400, 'nonsense\r\n\r\n'],
    [400, 'GET /v1/\u0000 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ] as const
  for (const [status, bytes] of cases) {
    const answer = await sendRaw(bytes)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 60))
    assert.match(answer, /\r\nX-Request-Id: \w+\r\n/)
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    assert.equal(error.code, status)
  }
})

test('HEAD answers as GET does, without the body', async () => {
  const { id } = await w.createSpace()
  const headers = { authorization: `Bearer ${w.people.admin.token}` }
  for (const url of ['/v1/', `/v1/spaces/${id}`, `/v1/spaces/${id}/content/pages`, '/v1/spaces/unknown']) {
    const get = await w.app.inject({ method: 'GET', url, headers })
    const head = await w.app.inject({ method: 'HEAD', url, headers })
    assert.deepEqual([head.statusCode, head.body], [get.statusCode, ''], url)
    assert.equal(head.headers.etag, get.headers.etag)
  }
})

test('no address, header or method is an error of the server', async () => {
  const { id } = await w.createSpace()
  const authorization = `Bearer ${w.people.admin.token}`
  const paths = [
    '%',
    '%zz',
    '%c0%80',
    '%00',
    '%ff',
    'a%00b',
    '..%2f..',
    '%2e%2e/%2e%2e',
    '\\',
    '%5c',
    '%f0%9f%98%80',
    '%ed%a0%80',
    'x'.repeat(1500),
    '?limit=9'.padEnd(400, '9'),
    '?limit=1e9',
    '?limit=-1',
    '?limit=1.5',
    '?page=%00',
    '?page=%ff',
    '?page=W10',
    '?page=WzEsIngiXQ',
    '?limit=1&limit=2',
    '?__proto__=1&constructor=2',
    '?limit[]=1',
    '?%ff=%ff',
    '?=&&=&',
  ]
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE']) {
    for (const path of paths) {
      const isQuery = path.startsWith('?')
      for (const base of [
        '/spaces/',
        `/spaces/${id}/content/page/`,
        `/spaces/${id}/content/path/`,
        `/orgs/`,
      ]) {
        const url = `/v1${isQuery ? `/orgs/${w.organizationId}/spaces` : base}${path}`
        const { statusCode, headers, body } = await w.app.inject({
          method: method as 'GET',
          url,
          headers: {
            authorization,
            'if-none-match': '*, "',
            range: 'bytes=9-1',
            'accept-encoding': ';;q=,gzip;q=x',
          },
        })
        assert.ok(statusCode < 500, `${method} ${url} answered ${statusCode} ${body}`)
        assert.ok(headers['x-request-id'] !== undefined, `${method} ${url}`)
        if (statusCode >= 400 && method !== 'HEAD') assert.equal(JSON.parse(body).error.code, statusCode, url)
        if (isQuery) break
      }
    }
  }
})

test('no body is an error of the server', async () => {
  const { id } = await w.createSpace()
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  const bodies = [
    '{"title": "\\u0000"}',
    '{"title": "\\ud800"}',
    '{"emoji": "\\udc00"}',
    '{"title": 1e999}',
    `{"title": ${deep}}`,
    `{"mergeRules": ${deep}}`,
    `{"unknown": ${deep}}`,
    '{"__proto__": {"title": "x"}}',
    '{"constructor": {"prototype": 1}}',
    '{"title": "a", "title": 2}',
    'null',
    '[]',
    '0',
    '"x"',
    '{',
    '\ufeff{}',
    '{"emoji": "110000-0000"}',
    '{"emoji": "d800"}',
    '{"emoji": "0000"}',
    '{"icon": "http://["}',
    '{"icon": "x"}',
    '{"language": "__proto__"}',
    '{"mergeRules": {"type": "rules", "rules": [{"rule": "custom", "expression": "\\u0000"}]}}',
  ]
  for (const payload of bodies) {
    const changed = await w.call('PATCH', `/spaces/${id}`, { payload })
    assert.ok(changed.status < 500, `${payload.slice(0, 60)} answered ${changed.text}`)
    const created = await w.call('POST', `/orgs/${w.organizationId}/spaces`, { payload })
    assert.ok(created.status < 500, `${payload.slice(0, 60)} answered ${created.text}`)
  }
})

test('a text with half of a character is refused by name, and never stored as another text', async () => {
  const { id } = await w.createSpace({ title: 'Whole' })
  const change = (payload: string) => w.call('PATCH', `/spaces/${id}`, { payload })
  for (const [payload, where] of [
    ['{"title": "a\\ud800b"}', 'body.title'],
    ['{"title": "a\\uDC00b"}', 'body.title'],
    ['{"mergeRules": {"rules": [0, {"x": "\\ude00\\ud83d"}]}}', 'body.mergeRules.rules.1.x'],
    ['{"\\ud800": 1}', 'body'],
  ]) {
    const { status, body } = await change(payload as string)
    assert.equal(status, 400)
    assert.ok(
      body.error.message.startsWith(`${where}: this text has half of a character`),
      body.error.message,
    )
  }
  assert.equal((await w.call('GET', `/spaces/${id}`)).body.title, 'Whole')
  for (const [payload, title] of [
    ['{"title": "\\ud83d\\ude00"}', '😀'],
    ['{"title": "a \\\\ud800 b"}', 'a \\ud800 b'],
  ]) {
    assert.equal((await change(payload as string)).body.title, title)
  }
})

test('queries stay out of the log', async () => {
  const lines: string[] = []
  const log = { ...w.services.log, info: (facts: object) => lines.push(JSON.stringify(facts)) }
  const quiet = () => {}
  const child = () => ({ ...log, child, trace: quiet, debug: quiet, warn: quiet, error: quiet, fatal: quiet })
  const app = buildApp([], { ...w.services, log: child() as never })
  await app.inject({ url: '/v1/anything?shareKey=secret' })
  await app.close()
  assert.ok(lines.some(line => line.includes('/v1/anything')))
  assert.ok(!lines.join().includes('secret'))
})

test('a list and a single resource → an ETag that changes with them, and 304 while they do not', async () => {
  const space = await w.createSpace({ title: 'Before' })
  for (const path of ['/user', '/orgs', `/orgs/${w.organizationId}/spaces`, `/spaces/${space.id}`]) {
    const first = await w.call('GET', path)
    const { etag = '' } = first.headers
    assert.match(etag, /^"[\w-]{27}"$/, path)
    assert.equal(first.headers['cache-control'], 'private, no-cache')
    const again = await w.call('GET', path, { headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''], path)
  }
  const { etag = '' } = (await w.call('GET', `/spaces/${space.id}`)).headers
  await w.call('PATCH', `/spaces/${space.id}`, { body: { title: 'After' } })
  const changed = await w.call('GET', `/spaces/${space.id}`, { headers: { 'if-none-match': etag } })
  assert.deepEqual([changed.status, changed.body.title], [200, 'After'])
})
