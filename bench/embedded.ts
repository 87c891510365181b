// What does the embedded database cost where it runs: in the event loop, in a thread, in a process of its own?
//
//   node bench/embedded.ts [postgres://user@host/database]
//
// One line for each way, all of them on a folder of their own with 5,000 rows of 4 KB. `startMs` is from the call to the
// first answer on a folder that exists, `megabytes` what all processes of the way hold. Rates are answers a second with
// one and with 50 asking at once; CPU is that of the asking process with its threads. `stallMs` is the longest pause of
// the event loop beside a statement of a second. An address adds a PostgreSQL server.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'pg'
import { type Engine, openFolder } from '../src/platform/db/embedded.ts'
import { openPostgres } from '../src/platform/db/embedded-postgres.ts'
import { poolOf } from '../src/platform/db/open.ts'
import { createLog } from '../src/platform/log.ts'
import { report, round, temporaryFolder } from './measure.ts'
import { residentMegabytesOf } from './memory.ts'

const ROWS = 5_000
const ROUND_MS = 1_500
const SETTINGS = { statementMs: 30_000 }
const log = createLog('silent')

type Way = { readonly pool: Pool; readonly pids: readonly number[] }

async function inLoop(folder: string): Promise<Way> {
  const postgres = await openPostgres({ folder }, SETTINGS, () => {})
  const session = {
    exchange(request: Uint8Array, deliver: (answer: Buffer) => void) {
      const parts: Buffer[] = []
      void postgres
        .run(request, part => parts.push(Buffer.from(part)))
        .then(() => setImmediate(() => deliver(Buffer.concat(parts))))
    },
  }
  const engine = { session: async () => session } as unknown as Engine
  return { pool: poolOf(engine, 60_000), pids: [process.pid] }
}

async function inThread(folder: string): Promise<Way> {
  return { pool: poolOf(await openFolder(folder, log, SETTINGS), 60_000), pids: [process.pid] }
}

async function inProcess(folder: string): Promise<Way> {
  const sockets = mkdtempSync(join(tmpdir(), 'octavo-bench-'))
  const child = fork(import.meta.filename, ['serve', folder, join(sockets, '.s.PGSQL.5432')])
  await once(child, 'message')
  process.on('exit', () => {
    child.kill('SIGKILL')
    rmSync(sockets, { recursive: true, force: true })
  })
  const pool = new Pool({ host: sockets, user: 'postgres', database: 'postgres', max: 1 })
  return { pool, pids: [process.pid, child.pid as number] }
}

/** The process that `inProcess` speaks to. */
async function serve(folder: string, path: string): Promise<void> {
  const postgres = await openPostgres({ folder }, SETTINGS, () => {})
  const server = createServer(socket => {
    let queue: Promise<unknown> = Promise.resolve()
    socket.on('data', request => {
      queue = queue.then(() => postgres.run(request, part => socket.write(Buffer.from(part))))
    })
  }).listen(path)
  await once(server, 'listening')
  process.send?.('ready')
}

const WAYS: Record<string, (folder: string) => Promise<Way>> = {
  'event loop': inLoop,
  thread: inThread,
  process: inProcess,
  server: async url => ({ pool: new Pool({ connectionString: url, max: 1 }), pids: [process.pid] }),
}

async function measure(way: string, at: string): Promise<void> {
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  const { pool, pids } = await (WAYS[way] as (at: string) => Promise<Way>)(at)
  await pool.query('select 1')
  const startMs = performance.now() - began
  const { user, system } = process.cpuUsage(cpuBefore)
  await pool.query('create table if not exists bench (id int primary key, body text)')
  await pool.query('create table if not exists bench_written (id serial primary key, body text)')
  await pool.query(
    `insert into bench select n, repeat('abcdefgh', 500) from generate_series(1, ${ROWS}) n on conflict do nothing`,
  )
  const read = (n: number) =>
    pool.query({ name: 'read', text: 'select body from bench where id = $1', values: [(n % ROWS) + 1] })
  const write = () =>
    pool.query({
      name: 'write',
      text: 'insert into bench_written (body) values ($1)',
      values: ['x'.repeat(200)],
    })
  await rate(1, read)
  const line = {
    way: process.execArgv.includes('--liftoff-only') ? `${way}, liftoff only` : way,
    startMs: round(startMs),
    startCpuMs: round((user + system) / 1000),
    reads1: await rate(1, read),
    reads50: await rate(50, read),
    writes1: await rate(1, write),
    writes50: await rate(50, write),
    stallMs: round(await longestPause(() => pool.query('select pg_sleep(1)'))),
    megabytes: pids.reduce((sum, pid) => sum + residentMegabytesOf(pid), 0),
  }
  // With its exit the process that it asked ends too.
  process.send?.(line, () => process.exit())
}

async function rate(clients: number, run: (n: number) => Promise<unknown>) {
  const cpu = process.cpuUsage()
  const began = performance.now()
  let count = 0
  const client = async () => {
    while (performance.now() - began < ROUND_MS) await run(count++)
  }
  await Promise.all(Array.from({ length: clients }, client))
  const { user, system } = process.cpuUsage(cpu)
  return {
    aSecond: round((count * 1000) / (performance.now() - began)),
    cpuMicroseconds: round((user + system) / count),
  }
}

async function longestPause(run: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await run()
  await new Promise(resolve => setTimeout(resolve, 5))
  clearInterval(timer)
  return longest
}

async function run(way: string, at: string, flags: readonly string[] = []): Promise<object> {
  const child: ChildProcess = fork(import.meta.filename, [way, at], { execArgv: [...flags] })
  const exited = once(child, 'exit')
  const [line] = (await once(child, 'message')) as [object]
  await exited
  return line
}

const [first, ...rest] = process.argv.slice(2)
if (first === 'serve') await serve(rest[0] as string, rest[1] as string)
else if (first !== undefined && first in WAYS) await measure(first, rest[0] as string)
else {
  const folder = temporaryFolder()
  const lines: object[] = []
  for (const way of ['event loop', 'thread', 'process']) {
    const at = join(folder, way.replace(' ', '-'))
    // the first start makes the folder
    await run(way, at)
    for (const flags of [[], ['--liftoff-only']]) lines.push(await run(way, at, flags))
  }
  if (first !== undefined) lines.push(await run('server', first))
  report('embedded', { ways: lines })
}
