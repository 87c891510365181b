import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { passBodiesThrough, uploadBodyOf } from './upload-body.ts'

const LENGTH = 9_000_000

test('the rest of an upload that is refused is read, so that its sender gets the answer', async () => {
  const app = Fastify()
  passBodiesThrough(app)
  app.post('/', async (request, reply) => {
    for await (const chunk of uploadBodyOf(request).bytes) if (chunk.length > 0) break
    return reply.code(413).send('too large')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  after(() => {
    socket.destroy()
    return app.close()
  })
  const answer = once(socket, 'data')
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${LENGTH}\r\n\r\n`)
  await new Promise(resolve => socket.write(Buffer.alloc(LENGTH, 'a'), resolve))
  assert.match(String(await answer), /^HTTP\/1\.1 413 /)
})
