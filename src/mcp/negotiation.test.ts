// Which clients are answered, and in which form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../test/support/world.ts'

const w = await world()

async function ask(headers: Record<string, string>, more: object = {}) {
  const reply = await w.app.inject({
    method: 'POST',
    url: '/mcp',
    payload: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', ...more }),
    headers: {
      authorization: `Bearer ${w.people.admin.token}`,
      'content-type': 'application/json',
      ...headers,
    },
  })
  return { status: reply.statusCode, type: String(reply.headers['content-type']), text: reply.payload }
}

const JSON_TAKEN = [
  'application/json',
  'APPLICATION/JSON; charset=utf-8',
  'application/*',
  '*/*',
  'text/html, */*;q=0.1',
  'text/event-stream, application/json;q=0.2',
  'application/json;q=1, text/event-stream;q=0',
  '',
]
for (const accept of JSON_TAKEN)
  test(`a client that accepts ${accept || 'what it leaves open'} gets JSON`, async () => {
    const { status, type, text } = await ask({ accept })
    assert.equal(status, 200, text)
    assert.match(type, /^application\/json/)
    assert.ok(JSON.parse(text).result.tools.length > 0)
  })

for (const accept of [
  'text/event-stream',
  'text/*',
  'application/json;q=0, */*',
  'text/event-stream;q=0.1, text/html',
])
  test(`a client that accepts ${accept} gets the answer as an event`, async () => {
    const { status, type, text } = await ask({ accept })
    assert.equal(status, 200, text)
    assert.match(type, /^text\/event-stream/)
    const data = /^data: (.*)$/m.exec(text)?.[1] ?? ''
    assert.equal(JSON.parse(data).id, 7)
  })

for (const accept of ['text/html', 'application/json;q=0', '*/*;q=0', 'application/*;q=0, text/plain'])
  test(`a client that accepts ${accept} is told what there is`, async () => {
    const { status, text } = await ask({ accept })
    assert.equal(status, 406)
    assert.match(JSON.parse(text).error.message, /application\/json or text\/event-stream/)
  })

test('without initialize, an unknown version is refused with the supported ones, wherever it is named', async () => {
  const meta = { params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2999-01-01' } } }
  for (const refused of [await ask({ 'mcp-protocol-version': '2999-01-01' }), await ask({}, meta)]) {
    assert.equal(refused.status, 400)
    const { id, error } = JSON.parse(refused.text)
    assert.deepEqual([id, error.code, error.data.requested], [7, -32602, '2999-01-01'])
    assert.ok(error.data.supported.includes('2025-06-18'))
    assert.match(error.message, /2025-06-18/)
  }
  assert.equal((await ask({ 'mcp-protocol-version': '2025-06-18' })).status, 200)
})

test('an unknown version of initialize is answered with one that is supported', async () => {
  const params = { protocolVersion: '2999-01-01', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const { status, text } = await ask({}, { method: 'initialize', params })
  assert.equal(status, 200, text)
  assert.match(JSON.parse(text).result.protocolVersion, /^20\d\d-/)
})
