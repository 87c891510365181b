// A statement that does not end is stopped, on both engines, and delays others only for a moment.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { embeddedTemplate, testDatabaseUrl, testEngine } from '../../../test/support/database.ts'
import { copyMigrated } from '../../../test/support/migrated-home.ts'
import { Failure } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../log.ts'
import type { Database, Db, Trx } from './database.ts'
import { openFolder, openMemory } from './embedded.ts'
import { openPostgres } from './embedded-postgres.ts'
import { simpleQuery } from './embedded-socket.ts'
import { embeddedDatabase, postgresDatabase } from './open.ts'
import { liftDeadline, withoutDeadline } from './statement-deadline.ts'

// Far more than the short statements here take, on a slow machine too.
const STATEMENT_MS = 500
const log = createLog('silent')

const parent = mkdtempSync(join(tmpdir(), 'octavo-deadline-'))

const database: Database =
  testEngine === 'embedded'
    ? embeddedDatabase(
        await openFolder(join(await copyMigrated(parent), 'database'), log, { statementMs: STATEMENT_MS }),
        log,
      )
    : await postgresDatabase(testDatabaseUrl, 2, log, STATEMENT_MS)
const { db, transaction } = database
const written = sql.table(`deadline_${newId().toLowerCase()}`)
await sql`create table ${written} (n int primary key)`.execute(db)
after(async () => {
  await sql`drop table ${written}`.execute(db)
  await database.close()
  rmSync(parent, { recursive: true, force: true })
})

const listWritten = async () =>
  (await sql<{ n: number }>`select n from ${written} order by n`.execute(db)).rows.map(({ n }) => n)

const CROSS_JOIN = sql`select count(*) from generate_series(1, 1000000) a cross join generate_series(1, 1000000) b`
const RECURSION = sql`with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r`
const SLEEP = sql`select pg_sleep(3600)`
const tooLong = { kind: 'unavailable', code: 'statement_too_long' }

test('a cross join is stopped; the event loop was free, those who waited get their turn, nothing written is lost', async () => {
  const before = await listWritten()
  const next = (before.at(-1) ?? 0) + 1
  await sql`insert into ${written} values (${next})`.execute(db)
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
  }, 10)
  const stopped = assert.rejects(CROSS_JOIN.execute(db), tooLong)
  const others = Promise.all(Array.from({ length: 5 }, listWritten))
  await stopped
  clearInterval(timer)
  assert.ok(ticks > 1, `${ticks} ticks of a timer meanwhile`)
  for (const found of await others) assert.deepEqual(found, [...before, next])
  await sql`insert into ${written} values (${next + 1})`.execute(db)
  assert.deepEqual(await listWritten(), [...before, next, next + 1])
})

test('a recursion without end is stopped; the transaction it ran in is undone and says why, the next one is fine', async () => {
  const before = await listWritten()
  await assert.rejects(
    transaction(async trx => {
      await sql`insert into ${written} values (1000000)`.execute(trx)
      await RECURSION.execute(trx)
    }),
    tooLong,
  )
  assert.deepEqual(await listWritten(), before)
  await transaction(trx => sql`insert into ${written} values (1000000)`.execute(trx))
  assert.deepEqual(await listWritten(), [...before, 1000000])
})

/** The `statement_timeout` of PostgreSQL; 0: none. */
const deadlineOf = async (on: Db | Trx): Promise<string> =>
  (await sql<{ deadline: string }>`select current_setting('statement_timeout') as deadline`.execute(on))
    .rows[0]?.deadline as string

test('work that is known to take longer says so for its own transaction alone', async () => {
  const within = await transaction(async trx => {
    await liftDeadline(trx)
    return deadlineOf(trx)
  })
  assert.deepEqual([within, await deadlineOf(db)], ['0', `${STATEMENT_MS}ms`])
})

test('work outside of transactions may take longer on its connection, whose next user has the deadline again', async () => {
  await withoutDeadline(db, session => sql`select pg_sleep(${(2 * STATEMENT_MS) / 1000})`.execute(session))
  await assert.rejects(
    withoutDeadline(db, session => sql`select 1 / 0`.execute(session)),
    /division/,
  )
  assert.equal(await deadlineOf(db), `${STATEMENT_MS}ms`)
  // Which of the connections of a server that was is unknown. The embedded database has one, and a stop costs it a start.
  if (testEngine === 'postgres')
    await Promise.all([1, 2].map(() => assert.rejects(SLEEP.execute(db), tooLong)))
})

test('short statements are never stopped, however many follow one another', async () => {
  for (let n = 0; n < 6; n += 1) await sql`select pg_sleep(0.1)`.execute(db)
})

const ofEmbedded = { skip: testEngine === 'postgres' && 'a server has its own clock' }

// PostgreSQL sets an alarm of ten seconds for its statistics: a statement that it falls into is not due with it.
test(
  'every statement has the whole of its time, whatever alarm PostgreSQL has set before',
  ofEmbedded,
  async () => {
    const alarms: number[] = []
    let time = Date.now()
    const postgres = await openPostgres(
      { template: await embeddedTemplate() },
      { statementMs: 60_000 },
      ms => alarms.push(ms),
      () => new Date(time),
    )
    for (let n = 0; n < 6; n += 1) {
      time += 2000
      alarms.length = 0
      await postgres.run(simpleQuery('select 1'), () => {})
      assert.equal(alarms[0], 60_000)
      assert.equal(alarms.at(-1), 0)
    }
    await postgres.close()
  },
)

const inMemory = { skip: testEngine === 'postgres' && 'a server keeps its databases' }

test(
  'a database in memory is gone with the statement that had to be ended, and says so',
  inMemory,
  async () => {
    const memory = embeddedDatabase(
      await openMemory(await embeddedTemplate(), { statementMs: STATEMENT_MS }),
      log,
    )
    await assert.rejects(SLEEP.execute(memory.db), tooLong)
    await assert.rejects(sql`select 1`.execute(memory.db), error => {
      assert.ok(error instanceof Failure)
      assert.equal(error.kind, 'unavailable')
      assert.match(String(error.cause), /in memory/)
      return true
    })
    await memory.close()
  },
)
