// Two servers on one PostgreSQL behind a plain proxy are restarted one after the other, again and again, while people
// read, write and listen: `node test/torture.ts restart` does so for 5,000 requests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isPostgres, ownDatabase } from '../support/own-database.ts'
import { freePorts } from '../support/ports.ts'
import {
  ADMIN_TOKEN,
  callsTo,
  type Environment,
  type Server,
  serve,
  slowness,
  temporaryFolder,
} from '../support/process.ts'
import { type ReverseProxy, startProxy } from '../support/proxy.ts'

const skip = isPostgres ? false : 'the embedded database belongs to one process; with PostgreSQL this runs'

const REQUESTS = Number(process.env.OCTAVO_TEST_REQUESTS ?? 600)
const CLIENTS = 8
const RESTARTS_MIN = 2

let proxy: ReverseProxy | undefined
after(() => proxy?.close())

test('while servers are restarted one after the other, no request fails, and no stream is cut', {
  skip,
}, async t => {
  const env = { ...(await ownDatabase()), OCTAVO_DRAIN_SECONDS: String(Math.ceil(2 * slowness)) }
  const ports = await freePorts(2)
  const homes = ports.map(() => temporaryFolder())
  const begin = (index: number): Promise<Server> =>
    serve(homes[index] ?? '', { env: { ...env, PORT: String(ports[index]) } as Environment })
  const servers = [await begin(0), await begin(1)]
  proxy = await startProxy(ports)
  for (const port of ports) await proxy.sees(port, true)
  const { url } = proxy
  const { call, get } = callsTo(url, ADMIN_TOKEN)
  const { body } = await call('GET', '/orgs')
  const created = await call('POST', `/orgs/${body.items[0].id}/spaces`, {
    body: { title: 'Open', visibility: 'public' },
  })
  const space = created.body.id

  let asked = 0
  let restarts = 0
  let isOver = false
  const failed: string[] = []
  const ask = async (number: number) => {
    const kinds = [
      () => call('GET', `/spaces/${space}`),
      () => get(`/s/${space}`),
      () => call('PATCH', `/spaces/${space}`, { body: { title: `Open ${number}` } }),
      () => call('GET', `/spaces/${space}/content/pages`),
    ]
    try {
      const { status, text } = await (kinds[number % kinds.length] ?? assert.fail())()
      if (status !== 200) failed.push(`${status} ${text}`)
    } catch (error) {
      failed.push(String((error as Error).cause ?? error))
    }
  }
  const client = async () => {
    while (asked < REQUESTS || restarts < RESTARTS_MIN) await ask(asked++)
  }
  // It ends when its server does, and begins again at the other.
  const listen = async () => {
    while (!isOver) {
      try {
        const response = await fetch(`${url}/v1/stream`, {
          headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
          signal: leaving.signal,
        })
        if (response.status !== 200) failed.push(`stream: ${response.status}`)
        for await (const _ of response.body ?? []);
      } catch (error) {
        if (!isOver) failed.push(`stream: ${(error as Error).cause ?? error}`)
      }
    }
  }
  const leaving = new AbortController()
  const listening = listen()
  const restart = async (index: number) => {
    const port = ports[index] ?? assert.fail()
    assert.equal((await servers[index]?.end('SIGTERM'))?.code, 0)
    servers[index] = await begin(index)
    await proxy?.sees(port, true)
    restarts += 1
  }
  const restarting = (async () => {
    for (let index = 0; asked < REQUESTS || restarts < RESTARTS_MIN; index = 1 - index) await restart(index)
  })()
  await Promise.all([restarting, ...Array.from({ length: CLIENTS }, client)])
  isOver = true
  leaving.abort()
  await listening
  assert.deepEqual(failed, [])
  t.diagnostic(`${asked} requests, ${restarts} restarts`)
})
