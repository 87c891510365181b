// What two hundred open streams cost the server, and how long it takes from a comment until all of them are told.
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { issueToken } from '../../src/api/accounts/actions.ts'
import { withServices } from '../in-process.ts'
import { round } from '../measure.ts'
import { residentMegabytesOf } from '../memory.ts'
import { ownProcessorMs } from '../processor.ts'
import { spreadOf } from '../read-beside.ts'
import { type BenchServer, startServer } from '../server.ts'

const PEOPLE = 10
const STREAMS_PER_PERSON = 20
const STREAMS = PEOPLE * STREAMS_PER_PERSON
const SECONDS = 30
/** Left out: the first comments compile code. */
const WARM_COMMENTS = 5

export async function measureStreams(): Promise<object> {
  const { server, tokens, changeRequest } = await makeServer()
  await commentOn(server, changeRequest, WARM_COMMENTS)
  const idle = await spentBy(server, sleep(SECONDS * 1_000))
  const commented = await spentBy(server, commentOn(server, changeRequest, SECONDS))
  const told = new Map<string, number[]>()
  const note = (comment: string) => told.set(comment, [...(told.get(comment) ?? []), performance.now()])
  const openings = tokens.flatMap(token => Array.from({ length: STREAMS_PER_PERSON }, () => token))
  const opened = await spentBy(
    server,
    Promise.all(openings.map(token => openStream(server.url, token, note))),
  )
  await commentOn(server, changeRequest, WARM_COMMENTS)
  const idleWithStreams = await spentBy(server, sleep(SECONDS * 1_000))
  let sent: ReadonlyMap<string, number> = new Map()
  const commentedWithStreams = await spentBy(
    server,
    commentOn(server, changeRequest, SECONDS).then(times => {
      sent = times
    }),
  )
  // What was said last is on its way.
  await sleep(1_000)
  const latencies = [...sent].flatMap(([comment, at]) => (told.get(comment) ?? []).map(time => time - at))
  await server.stop()
  return {
    streams: STREAMS,
    withoutStreams: { idle, commented },
    opening: opened,
    withStreams: { idle: idleWithStreams, commented: commentedWithStreams },
    expected: sent.size * STREAMS,
    events: latencies.length,
    latencyMs: spreadOf(latencies),
  }
}

/** Of ten people, each with as many streams as one person may have. */
async function makeServer() {
  const making = await startServer()
  const { call, organization } = making
  const emails = Array.from({ length: PEOPLE }, (_, n) => ({ email: `reader-${n}@localhost`, role: 'read' }))
  await call('POST', `${organization}/invites`, { emails })
  const { items } = await call('GET', `${organization}/members?limit=100`)
  const { id: own } = await call('GET', '/user')
  const readers: string[] = items.map((one: { user: { id: string } }) => one.user.id)
  const space = await call('POST', `${organization}/spaces`, { title: 'Talk', empty: true })
  const { id } = await call('POST', `/spaces/${space.id}/change-requests`, { subject: 'Talked about' })
  await making.stop()
  const tokens = await withServices(making.home, services =>
    services.transaction(async trx => {
      const made: string[] = []
      for (const userId of readers.filter(reader => reader !== own))
        made.push((await issueToken(trx, { userId, label: 'bench' })).secret)
      return made
    }),
  )
  const server = await startServer({}, making.home)
  return { server, tokens, changeRequest: `/spaces/${space.id}/change-requests/${id}` }
}

/** One comment a second; when each was sent, by its id. */
async function commentOn({ call }: BenchServer, changeRequest: string, count: number) {
  const sent = new Map<string, number>()
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    const { id } = await call('POST', `${changeRequest}/comments`, { body: { markdown: `Number ${n}` } })
    sent.set(id, began)
    await sleep(Math.max(0, 1_000 - (performance.now() - began)))
  }
  return sent
}

/** Milliseconds of the processor in a second, and memory at the end. */
async function spentBy({ pid }: BenchServer, work: Promise<unknown>) {
  const [began, before] = [performance.now(), ownProcessorMs(pid)]
  await work
  const seconds = (performance.now() - began) / 1_000
  return {
    processorMsPerSecond: round((ownProcessorMs(pid) - before) / seconds),
    megabytes: residentMegabytesOf(pid),
  }
}

/** Resolves with its hello. `told` is called with the id of each comment. */
function openStream(url: string, token: string, told: (comment: string) => void): Promise<void> {
  return new Promise((resolve, fail) => {
    const request = get(
      `${url}/v1/stream`,
      { agent: false, headers: { authorization: `Bearer ${token}` } },
      answer => {
        if (answer.statusCode !== 200) fail(new Error(`a stream was answered with ${answer.statusCode}`))
        let text = ''
        answer.setEncoding('utf8')
        answer.on('error', () => {})
        answer.on('data', (chunk: string) => {
          const frames = (text + chunk).split('\n\n')
          text = frames.pop() ?? ''
          for (const frame of frames) {
            if (!frame.startsWith(DATA)) continue
            const event = JSON.parse(frame.slice(DATA.length))
            if (event.type === 'hello') resolve()
            if (event.type === 'comment') told(event.comment)
          }
        })
      },
    )
    request.on('error', fail)
  })
}

const DATA = 'data: '
