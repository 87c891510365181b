// kill -9 while many send requests under keys: sent again to the next process, each of them has happened once.
// `node test/torture.ts keys` does it many times.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { anyInstallation } from '../support/own-database.ts'
import { type Server, serve } from '../support/process.ts'

const KILLS = Number(process.env.OCTAVO_E2E_KILLS ?? 1)
const CONNECTIONS = 4

/** Every title was sent under a key that is its title; what the first answer was, where there was one. */
type Sent = Map<string, string | undefined>

const create = async (server: Server, spaces: string, title: string) =>
  server.call('POST', spaces, { body: { title }, headers: { 'idempotency-key': title } })

test('a request under a key happens once, whenever the server is killed', async t => {
  const { home, env } = await anyInstallation()
  let server = await serve(home, { env })
  const { body: organizations } = await server.call('GET', '/orgs')
  const spaces = `/orgs/${organizations.items[0].id}/spaces`
  for (let round = 0; round < KILLS; round += 1) {
    const sent: Sent = new Map()
    await killWhileSending(server, spaces, sent, 5 + ((round * 17) % 40))
    await believeDead(env.DATABASE_URL)
    server = await serve(home, { env })
    const counts = await sendAgain(server, spaces, sent)
    t.diagnostic(`${sent.size} requests: ${JSON.stringify(counts)}`)
    for (const [title, count] of await countTitles(server, spaces, sent))
      assert.equal(count, 1, `${title} was made ${count} times`)
  }
  assert.equal((await server.end('SIGTERM')).code, 0)
})

/** Sends from several connections until `answers` came back, and kills the server while others are on their way. */
async function killWhileSending(server: Server, spaces: string, sent: Sent, answers: number): Promise<void> {
  let count = 0
  const send = async (connection: number) => {
    for (let index = 0; ; index += 1) {
      const title = `${answers}.${connection}.${index}`
      sent.set(title, undefined)
      const { status, text } = await create(server, spaces, title)
      assert.equal(status, 201)
      sent.set(title, text)
      count += 1
      if (count === answers) server.signal('SIGKILL')
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: CONNECTIONS }, (_, index) => send(index)))
  await server.ended
  for (const outcome of outcomes)
    if (outcome.status === 'rejected' && outcome.reason instanceof assert.AssertionError) throw outcome.reason
}

/** On a server another process may still be alive, so a claim runs out by the clock; this is that clock. */
async function believeDead(url: string | undefined): Promise<void> {
  if (url === undefined) return
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('update idempotency_keys set claimed_until = now()')
  await client.end()
}

async function sendAgain(server: Server, spaces: string, sent: Sent): Promise<Record<string, number>> {
  const counts = { replayed: 0, carriedOut: 0, lost: 0 }
  for (const [title, answer] of sent) {
    const { status, text, body, headers } = await create(server, spaces, title)
    if (status === 201) {
      const isReplayed = headers.get('idempotency-replayed') === 'true'
      if (answer !== undefined) assert.deepEqual([isReplayed, text], [true, answer])
      counts[isReplayed ? 'replayed' : 'carriedOut'] += 1
    } else {
      assert.equal(answer, undefined, 'what was answered once is answered again')
      assert.match(body.error.message, /its answer was lost/)
      counts.lost += 1
    }
  }
  return counts
}

async function countTitles(server: Server, spaces: string, sent: Sent): Promise<Map<string, number>> {
  const counts = new Map([...sent.keys()].map(title => [title, 0]))
  const { body } = await server.call('GET', `${spaces}?limit=1000`)
  for (const { title } of body.items) if (counts.has(title)) counts.set(title, (counts.get(title) ?? 0) + 1)
  return counts
}
