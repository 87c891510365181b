// A statement that does not end, asked for over HTTP of a server on the embedded database.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { copyMigrated } from '../../test/support/migrated-home.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { openRuntime } from './runtime.ts'
import { buildServer } from './server.ts'

const log = createLog('silent')
const parent = mkdtempSync(join(tmpdir(), 'octavo-runaway-'))
const runtime = await openRuntime(
  readConfig({ OCTAVO_HOME: await copyMigrated(parent), OCTAVO_STATEMENT_SECONDS_MAX: '1' }),
  log,
)
const app = buildServer(runtime.services)
after(async () => {
  await app.close()
  await runtime.close()
  rmSync(parent, { recursive: true, force: true })
})

const { db } = runtime.services
const ask = () => app.inject({ url: '/v1/spaces/nowhere/content' })

test('the request is answered with what happened, and the next one as if nothing had', async () => {
  const before = await ask()
  await sql`alter table spaces rename to kept_spaces`.execute(db)
  await sql`create view spaces as select kept_spaces.* from (select pg_sleep(3600)) as slow, kept_spaces`.execute(
    db,
  )
  const stopped = await ask()
  assert.equal(stopped.statusCode, 503)
  assert.equal(stopped.headers['retry-after'], '5')
  assert.match(stopped.json().error.message, /longer than one statement may take, and was stopped/)
  await sql`drop view spaces`.execute(db)
  await sql`alter table kept_spaces rename to spaces`.execute(db)
  const { statusCode, payload } = await ask()
  assert.deepEqual([statusCode, payload], [before.statusCode, before.payload])
})
