import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { EmbeddedSocket, simpleQuery } from './embedded-socket.ts'

const PIECE_BYTES_MAX = 64 * 1024

test('a long answer comes in pieces, as over a network, so that its rows are not parsed all at once', async () => {
  const answer = Buffer.from(Uint32Array.from({ length: 300_000 }, (_, at) => at).buffer)
  const session = {
    exchange: (_: Uint8Array, deliver: (answer: Buffer) => void) => void setImmediate(deliver, answer),
  }
  const socket = new EmbeddedSocket({ session: async () => session } as never).connect()
  await once(socket, 'connect')
  const pieces: Buffer[] = []
  const isWhole = new Promise<void>(resolve =>
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece)
      if (Buffer.concat(pieces).length >= answer.length) resolve()
    }),
  )
  socket.write(simpleQuery('select'))
  await isWhole
  assert.ok(pieces.every(({ length }) => length <= PIECE_BYTES_MAX))
  assert.ok(Buffer.concat(pieces).equals(answer))
  socket.destroy()
})
