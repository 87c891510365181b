import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { answerWorkspace } from './answer.ts'
import type { Send } from './api.ts'

test('when the client leaves, what was asked of the API for it is ended, and that is no error of ours', async () => {
  const asked = Promise.withResolvers<AbortSignal>()
  // An API that does not answer.
  const send: Send = (_request, signal) => {
    asked.resolve(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const bugs: string[] = []
  const app = Fastify({ logger: { level: 'error', stream: { write: line => void bugs.push(line) } } })
  app.post('/mcp', (request, reply) => answerWorkspace(request, reply, send))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const client = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers })
  client.on('error', () => {})
  client.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_spaces"}}')
  const signal = await asked.promise
  assert.equal(signal.aborted, false)
  client.destroy()
  if (!signal.aborted) await once(signal, 'abort')
  await app.close()
  assert.deepEqual(
    bugs.filter(line => line.includes('"msg":"bug"')),
    [],
  )
})

test('an unexpected error is logged, and its message is not sent', async () => {
  const bugs: string[] = []
  const app = Fastify({ logger: { level: 'error', stream: { write: line => void bugs.push(line) } } })
  const send: Send = () => Promise.reject(new Error('the words of a defect'))
  app.post('/mcp', (request, reply) => answerWorkspace(request, reply, send))
  const headers = { accept: 'application/json, text/event-stream' }
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_spaces' } }
  const reply = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
  assert.equal(reply.json().error.code, -32603)
  assert.doesNotMatch(reply.payload, /defect/)
  assert.match(bugs.join(''), /the words of a defect/)
  await app.close()
})
