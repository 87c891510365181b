// A name server for tests: answers TXT questions over UDP on loopback (RFC 1035 §4), and whatever else one makes it say.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

export type NameServer = {
  /** `127.0.0.1:port` */
  readonly address: string
  /** Records by name; each a list of parts of at most 255 bytes. */
  readonly records: Map<string, readonly (readonly string[])[]>
  /** What is sent instead of an answer; null sends nothing. */
  reply: ((question: Buffer) => Buffer | null) | undefined
  asked: number
}

export async function nameServer(): Promise<NameServer> {
  const socket: Socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    reply: undefined,
    asked: 0,
  }
  socket.on('message', (question, { port, address }) => {
    server.asked += 1
    const answer = server.reply === undefined ? answerTo(question, server.records) : server.reply(question)
    if (answer !== null) socket.send(answer, port, address)
  })
  return server
}

const HEADER_BYTES = 12
const NAME_ERROR = 3

function answerTo(question: Buffer, records: NameServer['records']): Buffer {
  const labels: string[] = []
  let at = HEADER_BYTES
  while (question[at] !== 0) {
    const length = question[at] as number
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const end = at + 5
  const found = records.get(labels.join('.').toLowerCase()) ?? []
  const header = Buffer.alloc(HEADER_BYTES)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (found.length === 0 ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(found.length, 6)
  return Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...found.map(toRecord)])
}

function toRecord(parts: readonly string[]): Buffer {
  const data = Buffer.concat(
    parts.map(part => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
  )
  // A pointer to the name of the question, TXT, IN, a minute to live.
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
