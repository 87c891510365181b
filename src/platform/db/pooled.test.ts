// A database behind PgBouncer in transaction mode, where each transaction has another session.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { testDatabaseUrl, testEngine } from '../../../test/support/database.ts'
import { noPgBouncer, type Pooler, startPgBouncer } from '../../../test/support/pgbouncer.ts'
import { Failure } from '../../base/errors.ts'
import { createLog } from '../log.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'

const skip = testEngine === 'embedded' ? 'the embedded database has no pooler before it' : noPgBouncer
const log = createLog('silent')
const closing: { close(): Promise<void> }[] = []
after(async () => {
  for (const one of closing.reverse()) await one.close()
})

async function begin(settings?: readonly string[]): Promise<Pooler> {
  const pooler = await startPgBouncer(testDatabaseUrl, settings)
  closing.push(pooler)
  return pooler
}

async function open(databaseUrl: string, databaseDirectUrl?: string, databaseNamedStatements = false) {
  const database: Database = await openDatabase(
    {
      ...{ databaseUrl, databaseNamedStatements, databaseConnections: 10, home: '', statementSecondsMax: 30 },
      ...(databaseDirectUrl === undefined ? {} : { databaseDirectUrl }),
    },
    log,
  )
  closing.push(database)
  return database
}

describe('a database behind a pooler', { skip }, () => {
  test('is refused with the setting to set, whether the pooler refuses settings of sessions or drops them', async () => {
    const strict = await begin()
    const lax = await begin([
      'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout',
    ])
    for (const { url } of [strict, lax])
      await assert.rejects(open(url), (error: Failure) => {
        assert.match(error.message, /Set OCTAVO_DATABASE_DIRECT_URL to the address of PostgreSQL itself/)
        return true
      })
    await assert.rejects(open(strict.url, lax.url), /Set OCTAVO_DATABASE_DIRECT_URL/)
    await assert.rejects(
      open(strict.url, testDatabaseUrl.replace(/\/[^/]*$/, '/template1')),
      /leads to another database than DATABASE_URL/,
    )
  })

  test('serves transactions with their settings, and statements beside each other on fewer sessions', async () => {
    const { url } = await begin()
    const { db, transaction, sessions } = await open(url, testDatabaseUrl)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0
          ? sql<{ one: number }>`select ${index}::integer as one`.execute(db)
          : transaction(trx => sql<{ one: number }>`select ${index}::integer as one`.execute(trx)),
      ),
    )
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]?.one),
      Array.from({ length: 200 }, (_, index) => index),
    )
    const settings = await transaction(trx =>
      sql<{ jit: string; deadline: string }>`
        select current_setting('jit') as jit, current_setting('statement_timeout') as deadline`.execute(trx),
    )
    assert.deepEqual(settings.rows, [{ jit: 'off', deadline: '30s' }])
    const { rows } = await sql<{
      name: string
    }>`select current_setting('octavo.process', true) as name`.execute(sessions)
    assert.notEqual(rows[0]?.name ?? '', '')
  })

  test('answers again after its sessions were dropped, and meanwhile fails as unavailable alone', async () => {
    const pooler = await begin()
    const { db, transaction } = await open(pooler.url, testDatabaseUrl)
    let isOver = false
    const failed: unknown[] = []
    const work = Array.from({ length: 8 }, async () => {
      while (!isOver)
        await transaction(trx => sql`select pg_sleep(0.01)`.execute(trx)).catch(error => failed.push(error))
    })
    await sql`select 1`.execute(db)
    await pooler.dropSessions()
    await pooler.dropSessions()
    isOver = true
    await Promise.all(work)
    for (const error of failed)
      assert.ok(error instanceof Failure && error.kind === 'unavailable', String(error))
    await transaction(trx => sql`select 1`.execute(trx))
  })
})
