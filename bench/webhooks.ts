// How many deliveries does the whole server make in a second, and who waits while receivers hang?
//
//   node bench/webhooks.ts [events]
//
// On the embedded database, or on the PostgreSQL of DATABASE_URL. Receivers are down at first, so that `events` wait for
// each of them, and then come back: `one` is a single receiver, `eight` are eight. `loop` is a plain loop of fetches
// that sends the same bodies to the same receiver, as many at once; `processorMs` of a delivery is of all threads of the
// server, or of the loop. `pageMs` is a page that one reader asks for again and again: alone, during edits, while
// backlogs are sent, and during edits with twenty receivers that hang and are sent all of it.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DATABASE, report, round, temporaryFolder } from './measure.ts'
import { ownProcessorMs } from './processor.ts'
import { writeProject } from './prose.ts'
import { readBeside } from './read-beside.ts'
import { startServer } from './server.ts'

const EVENTS = Number(process.argv[2] ?? 1_000)
const AT_ONCE = 8
const IDLE_SECONDS = 3

type Receiver = {
  readonly url: string
  received: number
  how: (response: ServerResponse) => void
  body: string
}
const down = (response: ServerResponse) => void response.writeHead(503).end()
const up = (response: ServerResponse) => void response.writeHead(204).end()

async function startReceiver(how: Receiver['how']): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    receiver.body = Buffer.concat(chunks).toString()
    receiver.received += 1
    receiver.how(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, received: 0, how, body: '' }
  return receiver
}

const server = await startServer({ OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
const project = join(temporaryFolder(), 'project')
writeProject(project, 20, 4_000)

const { call, organization } = server
const space = await server.importFolder(project)
const { pages } = await call('GET', `${space}/content/pages`)
const page = `${space}/content/page/${pages.at(-1).id}?format=markdown`

async function edit(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await call('PATCH', space, { title: `Title ${n}` })
}

/** `events` for each of so many receivers, from when they are back until the last has come. */
async function drain(count: number) {
  const receivers = await Promise.all(Array.from({ length: count }, () => startReceiver(down)))
  const hooks: string[] = []
  for (const { url } of receivers)
    hooks.push((await call('POST', `${organization}/webhooks`, { url, types: ['space.changed'] })).id)
  await edit(EVENTS)
  await sleep(1_000)
  for (const receiver of receivers) {
    receiver.received = 0
    receiver.how = up
  }
  const [began, beganMs] = [performance.now(), ownProcessorMs(server.pid)]
  // They rest for as long as nothing could be delivered to them.
  for (const id of hooks)
    for (const active of [false, true]) await call('PATCH', `${organization}/webhooks/${id}`, { active })
  const all = EVENTS * count
  const { pageMs } = await readBeside(
    server,
    page,
    until(() => receivers.reduce((sum, { received }) => sum + received, 0) >= all),
  )
  const seconds = (performance.now() - began) / 1000
  const spentMs = ownProcessorMs(server.pid) - beganMs
  for (const id of hooks) await call('DELETE', `${organization}/webhooks/${id}`)
  return {
    body: receivers[0]?.body ?? '',
    url: receivers[0]?.url ?? '',
    result: {
      deliveries: all,
      perSecond: round(all / seconds),
      processorMs: round(spentMs / all),
      pageMs,
    },
  }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

/** The same bodies to the same receiver, without a server in between. */
async function plainLoop(url: string, body: string) {
  const began = performance.now()
  const before = process.cpuUsage()
  let left = EVENTS
  const one = async () => {
    while (left-- > 0) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  const { user, system } = process.cpuUsage(before)
  const perSecond = round(EVENTS / ((performance.now() - began) / 1000))
  // The receiver is in this process too, as it is above.
  return { perSecond, processorMs: round((user + system) / 1000 / EVENTS) }
}

const idle = await readBeside(server, page, sleep(IDLE_SECONDS * 1_000))
const editing = await readBeside(server, page, edit(EVENTS))
const one = await drain(1)
const loop = await plainLoop(one.url, one.body)
const eight = await drain(8)

for (let n = 0; n < 20; n++) {
  const { url } = await startReceiver(() => {})
  await call('POST', `${organization}/webhooks`, { url, types: ['space.changed'] })
}
const hanging = await readBeside(server, page, edit(EVENTS))
await server.stop()
report('webhooks', {
  database: DATABASE,
  events: EVENTS,
  one: one.result,
  loop,
  eight: eight.result,
  pageMs: { idle: idle.pageMs, editing: editing.pageMs, editingWhileTwentyHang: hanging.pageMs },
})
process.exit(0)
