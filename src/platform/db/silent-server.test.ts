// A server that accepts what it is sent and answers nothing, as one that is paused: nobody waits for it forever.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { testDatabaseUrl, testEngine } from '../../../test/support/database.ts'
import { createLog } from '../log.ts'
import type { Database } from './database.ts'
import { postgresDatabase } from './open.ts'
import { liftDeadline, withoutDeadline } from './statement-deadline.ts'

const STATEMENT_MS = 1500
const PATIENCE = { connectMs: 3000, marginMs: 500 }
/** Longer than an answer may take. */
const SLEEP = sql`select pg_sleep(2.5)`
const unavailable = { kind: 'unavailable', code: 'database_unavailable' }

/** Passes bytes on between us and the server, until it is paused. */
async function proxyTo(url: string) {
  const { hostname, port } = new URL(url)
  const folder = decodeURIComponent(hostname)
  const sockets = new Set<Socket>()
  let isPaused = false
  const server = createServer(ours => {
    const theirs = folder.startsWith('/')
      ? connect(`${folder}/.s.PGSQL.${port || 5432}`)
      : connect(Number(port) || 5432, hostname)
    for (const socket of [ours, theirs]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        ours.destroy()
        theirs.destroy()
      })
    }
    const pass = (from: Socket, to: Socket) =>
      from.on('data', bytes => {
        if (!isPaused) to.write(bytes)
      })
    pass(ours, theirs)
    pass(theirs, ours)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: proxied.href,
    get connections() {
      return sockets.size / 2
    },
    pause() {
      isPaused = true
    },
    /** As a server that goes on, with whose connections others have lost patience. */
    resume() {
      isPaused = false
      for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const ofServer = { skip: testEngine === 'embedded' && 'there is no connection to the embedded database' }

async function openSilenceable(): Promise<Database & { proxy: Awaited<ReturnType<typeof proxyTo>> }> {
  const proxy = await proxyTo(testDatabaseUrl)
  const database = await postgresDatabase(proxy.url, 2, createLog('silent'), STATEMENT_MS, PATIENCE)
  after(async () => {
    proxy.resume()
    await database.close()
    proxy.close()
  })
  return { ...database, proxy }
}

test(
  'reads, transactions and new connections are refused when the server stays silent, and served when it answers',
  ofServer,
  async () => {
    const { db, transaction, proxy } = await openSilenceable()
    const read = () => sql`select ${1}::int4 as n`.execute(db)
    await Promise.all([read(), read()])
    const begun = Promise.withResolvers<void>()
    const paused = Promise.withResolvers<void>()
    const committed = transaction(async trx => {
      await sql`select 1`.execute(trx)
      begun.resolve()
      await paused.promise
    })
    await begun.promise
    proxy.pause()
    paused.resolve()
    await Promise.all(
      [committed, read(), transaction(trx => sql`select 1`.execute(trx))].map(each =>
        assert.rejects(each, unavailable),
      ),
    )
    await assert.rejects(read(), unavailable)
    proxy.resume()
    assert.deepEqual((await read()).rows, [{ n: 1 }])
    assert.equal(await transaction(async trx => (await sql`select 1`.execute(trx)).rows.length), 1)
  },
)

test(
  'work without a deadline has none of ours, and what follows on its connection has it again',
  ofServer,
  async () => {
    const { db, transaction, proxy } = await openSilenceable()
    await transaction(async trx => {
      await liftDeadline(trx)
      await SLEEP.execute(trx)
    })
    await withoutDeadline(db, session => SLEEP.execute(session))
    const before = proxy.connections
    proxy.pause()
    await Promise.all([0, 1].map(() => assert.rejects(sql`select 1`.execute(db), unavailable)))
    assert.ok(before > 0)
  },
)
