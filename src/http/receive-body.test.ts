import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { DROPPED_BYTES_MAX, receiveBodies } from './receive-body.ts'

const BYTES_MAX = 1_000_000
const MEBIBYTE = 1024 * 1024

const app = Fastify({ bodyLimit: BYTES_MAX })
receiveBodies(app, 10 * BYTES_MAX)
app.addContentTypeParser('text/csv', app.receiveBody)
app.post('/', async ({ body }) => String((body as Buffer).length))
await app.listen({ port: 0, host: '127.0.0.1' })
after(() => app.close())

function begin(header: string): Socket {
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  after(() => socket.destroy())
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n${header}\r\n\r\n`)
  return socket
}

/** Reads nothing before all is written. */
async function answerAfter(socket: Socket, ...sent: (Buffer | string)[]): Promise<string> {
  socket.pause()
  for (const bytes of sent)
    await new Promise<void>((resolve, reject) =>
      socket.write(bytes, error => (error ? reject(error) : resolve())),
    )
  return text(socket)
}

const chunkOf = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes), Buffer.from('\r\n')])

test('a body that is too large is read to its end, so that a sender who reads nothing before gets the answer', async () => {
  const bytes = 5 * MEBIBYTE
  const whole = begin(`Content-Length: ${bytes}`)
  assert.match(await answerAfter(whole, Buffer.alloc(bytes)), /^HTTP\/1\.1 413 /)
  const inChunks = begin('Transfer-Encoding: chunked')
  const chunks = Array.from({ length: 5 }, () => chunkOf(MEBIBYTE))
  assert.match(await answerAfter(inChunks, ...chunks, '0\r\n\r\n'), /^HTTP\/1\.1 413 /)
})

test('a body that is far too large is refused before its end', async () => {
  const announced = begin(`Content-Length: ${BYTES_MAX + DROPPED_BYTES_MAX + 1}`)
  assert.match(await text(announced), /^HTTP\/1\.1 413 /)
  const inChunks = begin('Transfer-Encoding: chunked')
  const answer = once(inChunks, 'data')
  for (let bytes = 0; bytes <= BYTES_MAX + DROPPED_BYTES_MAX; bytes += MEBIBYTE)
    inChunks.write(chunkOf(MEBIBYTE))
  assert.match(String(await answer), /^HTTP\/1\.1 413 /)
})

test('a client that asks before it sends is told to go on, and gets the answer to a body that is too large', async () => {
  const bytes = 5 * MEBIBYTE
  const asking = begin(`Content-Length: ${bytes}\r\nExpect: 100-continue`)
  assert.match(String(await once(asking, 'data')), /^HTTP\/1\.1 100 /)
  assert.match(await answerAfter(asking, Buffer.alloc(bytes)), /^HTTP\/1\.1 413 /)
})

test('a body of the largest size is taken', async () => {
  const whole = begin(`Content-Length: ${BYTES_MAX}\r\nConnection: close`)
  assert.match(await answerAfter(whole, Buffer.alloc(BYTES_MAX)), /^HTTP\/1\.1 200 [\s\S]*\r\n1000000$/)
})
