// Promises of the embedded engine alone: it is durable, maintains itself, and fails in the right way.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { sql } from 'kysely'
import { createLog } from '../log.ts'
import type { Database } from './database.ts'
import { openFolder } from './embedded.ts'
import { openPostgres, type Postgres } from './embedded-postgres.ts'
import { Session } from './embedded-session.ts'
import { simpleQuery } from './embedded-socket.ts'
import { embeddedDatabase } from './open.ts'
import { createUpkeep } from './upkeep.ts'

// The engine is opened often here, and briefly: compiling it quickly costs less than compiling it well.
setFlagsFromString('--liftoff-only')

const home = mkdtempSync(join(tmpdir(), 'octavo-embedded-'))
after(() => rmSync(home, { recursive: true, force: true }))
const folder = join(home, 'database')
const log = createLog('silent')
const RETRY_MS = 50

const open = async (): Promise<Database> =>
  embeddedDatabase(await openFolder(folder, log, { statementMs: 0 }, RETRY_MS), log)

/** PostgreSQL in this thread, where its calls to the disk can be counted and made to fail. */
const openHere = (): Promise<Postgres> => openPostgres({ folder }, { statementMs: 0 }, () => {})

/** The same, and the files that this start opened to sync them. */
async function openCounted(): Promise<{ readonly postgres: Postgres; readonly synced: Set<string> }> {
  const opened = mock.method(promises, 'open')
  syncBuiltinESMExports()
  const postgres = await openHere()
  opened.mock.restore()
  syncBuiltinESMExports()
  return { postgres, synced: new Set(opened.mock.calls.map(call => String(call.arguments[0]))) }
}

/** The answer as text, and the last words of an engine that gave up. */
async function ask(postgres: Postgres, query: string) {
  const parts: Buffer[] = []
  const lastWords = await postgres.run(simpleQuery(query), part => parts.push(Buffer.from(part)))
  return { lastWords, answer: Buffer.concat(parts).toString('latin1') }
}

test('a folder whose creation was interrupted is set aside, and a new one is created', async () => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'PG_VERSION'), '18\n')
  const database = await open()
  await sql`create table acknowledged (round int, n int, filler text, primary key (round, n))`.execute(
    database.db,
  )
  await database.close()
  assert.ok(existsSync(join(folder, 'octavo-complete')))
})

test('after an orderly end no file is synced before the start, and no commit is acknowledged before its log was handed to the disk', async () => {
  const { postgres, synced } = await openCounted()
  assert.equal(synced.size, 0)
  const toDisk = mock.method(fs, 'fdatasyncSync')
  syncBuiltinESMExports()
  for (let n = 1; n <= 5; n += 1) {
    await ask(postgres, `insert into acknowledged values (0, ${n}, '')`)
    assert.equal(toDisk.mock.callCount(), n)
  }
  await ask(postgres, 'select * from acknowledged')
  assert.equal(toDisk.mock.callCount(), 5)
  toDisk.mock.restore()
  syncBuiltinESMExports()
  await postgres.close()
})

// Writes one row after the other and reports each, until it is killed.
const WRITER = `
  import { sql } from 'kysely'
  import { openFolder } from '${import.meta.resolve('./embedded.ts')}'
  import { embeddedDatabase } from '${import.meta.resolve('./open.ts')}'
  import { createLog } from '${import.meta.resolve('../log.ts')}'
  const { transaction } = embeddedDatabase(await openFolder(process.argv[1], createLog('silent')), createLog('silent'))
  for (let n = 0; ; n += 1) {
    await transaction(trx => sql\`insert into acknowledged values (\${Number(process.argv[2])}, \${n}, repeat('x', 500))\`.execute(trx))
    process.stdout.write(n + '\\n')
  }`

const ROUNDS = Number(process.env.OCTAVO_TEST_KILLS ?? 1)

test(`every acknowledged row is there after kill -9 under load (${ROUNDS} times), and every file was synced before the start that followed`, {
  timeout: 30_000 + ROUNDS * 5_000,
}, async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const last = await killUnderLoad(startWriter(round), 50 + ((round * 37) % 100))
    const expected = readdirSync(folder, { recursive: true, withFileTypes: true })
    const { postgres, synced } = await openCounted()
    for (const entry of expected) assert.ok(synced.has(join(entry.parentPath, entry.name)), entry.name)
    await assertKept(postgres, round, last)
    await postgres.close()
  }
})

const startWriter = (round: number): ChildProcess =>
  spawn(process.execPath, ['--liftoff-only', '--input-type=module', '-e', WRITER, folder, String(round)], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** No acknowledged row is missing, and at most the one under way was added. */
async function assertKept(postgres: Postgres, round: number, last: number): Promise<void> {
  const counted = `select 'rows ' || count(*) || ', last ' || max(n) from acknowledged where round = ${round}`
  const { answer } = await ask(postgres, counted)
  const [, rows, lastKept] = (/rows (\d+), last (\d+)/.exec(answer) ?? assert.fail(answer)).map(Number)
  assert.ok(rows !== undefined && lastKept !== undefined && last >= 0)
  assert.ok(lastKept >= last, `row ${last} was acknowledged, ${lastKept} is the last one found`)
  assert.equal(rows, lastKept + 1)
  assert.ok(lastKept <= last + 1)
}

/** Kills the writer that many milliseconds after its first row, and returns the last row it acknowledged. */
async function killUnderLoad(writer: ChildProcess, milliseconds: number): Promise<number> {
  let last = -1
  const lines = createInterface({ input: writer.stdout! })
  lines.on('line', line => {
    last = Number(line)
  })
  const closed = Promise.all([once(lines, 'close'), once(writer, 'exit')])
  await once(lines, 'line')
  await sleep(milliseconds)
  writer.kill('SIGKILL')
  await closed
  return last
}

test('PostgreSQL gives up when a sync fails, and has not acknowledged what it could not write', async () => {
  const postgres = await openHere()
  const insert = (n: number) => ask(postgres, `insert into acknowledged values (-1, ${n}, '')`)
  const first = await insert(1)
  assert.equal(first.lastWords, undefined)
  assert.match(first.answer, /INSERT 0 1/)
  const failing = mock.method(fs, 'fdatasyncSync', () => {
    throw Object.assign(new Error('EIO'), { code: 'EIO' })
  })
  syncBuiltinESMExports()
  const second = await insert(2)
  failing.mock.restore()
  syncBuiltinESMExports()
  assert.match(second.lastWords ?? '', /could not fsync|could not fdatasync/)
  assert.match(second.answer, /PANIC/)
  assert.doesNotMatch(second.answer, /INSERT/)
})

test('a session closes even if its thread has exited before its answer arrives', async () => {
  const session = await Session.start({ template: undefined }, { statementMs: 0 })
  const closed = session.close()
  // Both arrive while this thread does nothing else.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  await closed
  await session.end()
})

describe('a database that was opened again', () => {
  let database: Database
  let db: Database['db']

  before(async () => {
    database = await open()
    db = database.db
  })
  after(() => database.close())

  test('it is the created one, and durable', async () => {
    assert.equal((await sql`select from acknowledged where round = 0`.execute(db)).rows.length, 5)
    assert.deepEqual((await sql`show fsync`.execute(db)).rows, [{ fsync: 'on' }])
    assert.deepEqual((await sql`show synchronous_commit`.execute(db)).rows, [{ synchronous_commit: 'on' }])
    assert.deepEqual((await sql`show full_page_writes`.execute(db)).rows, [{ full_page_writes: 'on' }])
    assert.equal(readdirSync(home).filter(name => name.startsWith('database.incomplete-')).length, 1)
  })

  test('upkeep vacuums a table of mostly dead rows, and analyzes a changed one', async () => {
    await sql`create table swollen (n int primary key, t text)`.execute(db)
    await sql`insert into swollen select n, 'x' from generate_series(1, 2000) n`.execute(db)
    await sql`delete from swollen where n > 100`.execute(db)
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const upkeep = createUpkeep(db)
    const done: string[] = []
    for (let time = 0; time < 10; time += 1) done.push(...(await upkeep()))
    assert.ok(done.includes('vacuum analyze swollen'), done.join(', '))
    // at peace, it does nothing
    assert.deepEqual(await upkeep(), [])
  })

  test('upkeep writes a checkpoint when the log has grown, and then its old files go', async () => {
    const upkeep = createUpkeep(db, 20_000_000)
    await upkeep()
    assert.ok(!(await upkeep()).includes('checkpoint'))
    await sql`create table grown (b bytea)`.execute(db)
    await sql`alter table grown alter column b set storage external`.execute(db)
    const files = () => readdirSync(join(folder, 'pg_wal')).filter(name => /^[0-9A-F]{24}$/.test(name)).length
    const write = () =>
      sql`insert into grown select decode(repeat('00', 1000000), 'hex') from generate_series(1, 25)`.execute(
        db,
      )
    await write()
    const before = files()
    assert.ok((await upkeep()).includes('checkpoint'))
    assert.ok(!(await upkeep()).includes('checkpoint'))
    for (let time = 0; time < 3; time += 1) {
      await write()
      await upkeep()
    }
    assert.ok(files() <= 2 * before, `${files()} files of log`)
  })

  test('what was acknowledged before PostgreSQL gave up is there once its disk works again, without a new start', async () => {
    const insert = (n: number) => sql`insert into acknowledged values (-2, ${n}, '')`.execute(db)
    await insert(1)
    renameSync(join(folder, 'pg_wal'), join(folder, 'gone'))
    await assert.rejects(
      sql`select pg_switch_wal()`.execute(db).then(() => insert(2)),
      { kind: 'unavailable' },
    )
    await assert.rejects(insert(3), { kind: 'unavailable' })
    rmSync(join(folder, 'pg_wal'), { recursive: true, force: true })
    renameSync(join(folder, 'gone'), join(folder, 'pg_wal'))
    await eventually(() => insert(4))
    const { rows } = await sql<{ n: number }>`select n from acknowledged where round = -2 order by n`.execute(
      db,
    )
    assert.deepEqual(rows, [{ n: 1 }, { n: 4 }])
  })
})

/** Until `run` succeeds; the test's own limit ends it. */
async function eventually<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch {
      await sleep(100)
    }
  }
}
