// How fast is a backup, and a restore, and what do others notice of it meanwhile?
//
//   node bench/backup.ts [--pages 10000] [--files 200] [postgres://user@host/database]
//
// A server on the embedded database, or on databases that are made on the server of the address, with a space of so many
// pages of 2 KB and a file of a megabyte each of so many. It is backed up while a page is read 40 times a second and one
// comment is written after the other, then with the server stopped, and restored elsewhere. Beside it: a copy of
// the folder (`cp`, then on the disk), and tar with gzip 1; with PostgreSQL pg_dump with gzip 1 and pg_restore, and a
// copy of the files. Megabytes are those of the database and the files on the disk, the same for every way.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT, report, round, temporaryFolder, timeMs } from './measure.ts'
import { residentMegabytesOf } from './memory.ts'
import { administer, createDatabase, type OwnDatabase } from './postgres.ts'
import { METRICS, metricsOf } from './processor.ts'
import { writeProject } from './prose.ts'
import { spreadOf } from './read-beside.ts'
import { type BenchServer, startServer } from './server.ts'

const FILE_BYTES = 1_000_000
const READ_EVERY_MS = 25

const { values, positionals } = parseArgs({
  options: { pages: { type: 'string', default: '10000' }, files: { type: 'string', default: '200' } },
  allowPositionals: true,
})
const pages = Number(values.pages)
const files = Number(values.files)
const [postgres] = positionals

const folder = temporaryFolder()
const databases: OwnDatabase[] = []
const from = await place('from')
const to = await place('to')
const beside = await place('beside')

const project = join(folder, 'project')
writeProject(project, pages, 2000)
const assets = join(project, '.gitbook/assets')
mkdirSync(assets, { recursive: true })
const half = randomBytes(FILE_BYTES / 2)
for (let file = 0; file < files; file += 1) {
  // Half of it can be made smaller, as in many a file.
  writeFileSync(
    join(assets, `${file}.bin`),
    Buffer.concat([randomBytes(8), half, Buffer.alloc(FILE_BYTES / 2)]),
  )
}
Object.assign(process.env, from.env)
const server = await startServer({ ...from.env, ...METRICS }, from.home)
const space = await server.importFolder(project)

const file = join(folder, 'backup.tar.gz')
const idle = await askBeside(server, space, async () => {
  await new Promise(resolve => setTimeout(resolve, 5000))
})
const backup = await askBeside(server, space, () => octavo(['backup', file], from))
const held = Number(/^octavo_loop_hold_longest_seconds (\S+)/m.exec(await metricsOf(server))?.[1]) * 1000
await server.stop()
const aloneMs = await timeMs(() => octavo(['backup', join(folder, 'alone.tar.gz')], from))
const restoreMs = await timeMs(() => octavo(['restore', file], to))

const megabytes = (await databaseBytes()) / 1e6 + sizeOf(join(from.home, 'blobs')) / 1e6
const others = postgres === undefined ? await copies() : await dumps()

report('backup', {
  database: postgres === undefined ? 'embedded' : 'PostgreSQL',
  pages,
  files,
  megabytes: round(megabytes),
  fileMegabytes: round(statSync(file).size / 1e6),
  backup: rate(backup.ms),
  backupAlone: rate(aloneMs),
  restore: rate(restoreMs),
  ...others,
  meanwhile: { idle: idle.seen, backup: backup.seen, heldMs: round(held) },
})
for (const database of databases) await database.drop()

function rate(ms: number) {
  return { seconds: round(ms / 1000), megabytesASecond: round(megabytes / (ms / 1000)) }
}

type Place = { readonly home: string; readonly env: OwnDatabase['env'] }

async function place(name: string): Promise<Place> {
  const database = await createDatabase(name, postgres)
  databases.push(database)
  return { home: join(folder, name), env: database.env }
}

async function databaseBytes(): Promise<number> {
  const url = from.env.DATABASE_URL
  if (url === undefined) return sizeOf(join(from.home, 'database'))
  return Number((await administer('select pg_database_size(current_database()) as size', url)).size)
}

async function octavo(args: readonly string[], { home, env }: Place): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/main.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DATABASE_URL: undefined, ...env, OCTAVO_HOME: home },
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  if ((await new Promise(resolve => child.once('exit', resolve))) !== 0) throw new Error(said)
}

async function copies() {
  const copied = join(folder, 'copied')
  const copyMs = await timeMs(async () => {
    execFileSync('cp', ['-r', from.home, copied])
    execFileSync('sync', ['-f', copied])
  })
  const tar = join(folder, 'copy.tar.gz')
  const tarMs = await timeMs(async () =>
    execFileSync('tar', ['-I', 'gzip -1', '-cf', tar, '-C', from.home, 'database', 'blobs']),
  )
  mkdirSync(beside.home)
  const untarMs = await timeMs(async () => {
    execFileSync('tar', ['-I', 'gzip', '-xf', tar, '-C', beside.home])
    execFileSync('sync', ['-f', beside.home])
  })
  return {
    copy: rate(copyMs),
    tar: rate(tarMs),
    untar: rate(untarMs),
    tarMegabytes: round(statSync(tar).size / 1e6),
  }
}

async function dumps() {
  const dump = join(folder, 'pg.dump')
  const tar = join(folder, 'blobs.tar.gz')
  const dumpMs = await timeMs(async () => {
    execFileSync('pg_dump', ['-Fc', '-Z1', '-f', dump, from.env.DATABASE_URL as string])
    execFileSync('tar', ['-I', 'gzip -1', '-cf', tar, '-C', from.home, 'blobs'])
  })
  mkdirSync(beside.home)
  const undumpMs = await timeMs(async () => {
    execFileSync('pg_restore', ['--no-owner', '-1', '-d', beside.env.DATABASE_URL as string, dump])
    execFileSync('tar', ['-I', 'gzip', '-xf', tar, '-C', beside.home])
    execFileSync('sync', ['-f', beside.home])
  })
  const bytes = statSync(dump).size + statSync(tar).size
  return { pgDump: rate(dumpMs), pgRestore: rate(undumpMs), dumpMegabytes: round(bytes / 1e6) }
}

/** Runs it while others read and write. */
async function askBeside({ send, pid }: BenchServer, space: string, run: () => Promise<void>) {
  const ask = (method: string, path: string, body?: object) =>
    timeMs(async () => (await send(method, path, body)).arrayBuffer())
  const reads: number[] = []
  const writes: number[] = []
  let isOver = false
  let memory = 0
  const asking: Promise<void>[] = []
  const timer = setInterval(() => {
    memory = Math.max(memory, residentMegabytesOf(pid))
    asking.push(ask('GET', `${space}/content/path/part-0`).then(ms => void reads.push(ms)))
  }, READ_EVERY_MS)
  const writing = (async () => {
    while (!isOver)
      writes.push(await ask('POST', `${space}/comments`, { body: { markdown: 'Said meanwhile.' } }))
  })()
  const ms = await timeMs(run)
  clearInterval(timer)
  isOver = true
  await writing
  await Promise.all(asking)
  return {
    ms,
    seen: {
      memoryMb: memory,
      reads: spreadOf(reads),
      writes: spreadOf(writes),
      writesASecond: round(writes.length / (ms / 1000)),
    },
  }
}

function sizeOf(path: string): number {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
