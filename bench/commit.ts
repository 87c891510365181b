// Does changing one page cost the change, or the space? And duplicating one?
//
//   node bench/commit.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/commit.ts
//
// Requests to a server that runs its jobs. Edits of live spaces alternate between the sizes, so that a slow moment of the
// machine meets all of them. Then spaces are duplicated: `duplicateMs` is the request; `waitMs` what a page of another
// space takes while the jobs run that follow it, asked for again and again, and `firstEditMs` the first edit of the copy.
// `idleMs` is that page when nothing else happens.
import { join } from 'node:path'
import { DATABASE, median, report, round, temporaryFolder, timeMs } from './measure.ts'
import { proseOf, writeProject } from './prose.ts'
import { readBeside, spreadOf } from './read-beside.ts'
import { startServer } from './server.ts'

const SIZES = [10, 100, 1000, 5000, 10_000]
const EDITED = [100, 1000, 10_000]
const DUPLICATED = [10, 5000]
const EDITS = 60
const DUPLICATES = 15
const JOBS_MS = 1500
const PAGE_BYTES = 2000

type Page = { readonly id: string; readonly pages?: readonly Page[] }
type Space = { readonly path: string; readonly pages: readonly string[] }

const folder = temporaryFolder()
const server = await startServer()
const { call } = server
const spaces = new Map<number, Space>()
for (const size of SIZES) spaces.set(size, await importSpace(size))
const other = spaceOf(1000)
const page = `${other.path}/content/page/${other.pages[0]}?format=markdown`

const commits = timesOf(EDITED)
for (let index = 0; index < EDITS; index++)
  for (const [size, times] of commits) times.push(await timeMs(() => edit(spaceOf(size), index)))

const [requests, firstEdits, waits] = [timesOf(DUPLICATED), timesOf(DUPLICATED), timesOf(DUPLICATED)]
const idle: number[] = []
for (let index = 0; index < DUPLICATES; index++) {
  idle.push((await readBeside(server, page, sleep(JOBS_MS))).pageMs.max)
  for (const size of DUPLICATED) {
    const { path, pages } = spaceOf(size)
    let copy = ''
    requests.get(size)?.push(
      await timeMs(async () => {
        copy = `/spaces/${(await call('POST', `${path}/duplicate`)).id}`
      }),
    )
    waits.get(size)?.push((await readBeside(server, page, sleep(JOBS_MS))).pageMs.max)
    firstEdits.get(size)?.push(await timeMs(() => edit({ path: copy, pages }, index)))
  }
}
await server.stop()

const commitMs = mediansOf(commits)
const duplicateMs = mediansOf(requests)
const waitMs = mediansOf(waits)
report('commit', {
  database: DATABASE,
  commitMs,
  commitRatio: ratio(commitMs, 10_000, 100),
  duplicateMs,
  duplicateRatio: ratio(duplicateMs, 5000, 10),
  idleMs: spreadOf(idle),
  waitMs,
  waitRatio: ratio(waitMs, 5000, 10),
  firstEditMs: mediansOf(firstEdits),
})

async function importSpace(size: number): Promise<Space> {
  const project = join(folder, `project-${size}`)
  writeProject(project, size, PAGE_BYTES)
  const path = await server.importFolder(project)
  const idsOf = (pages: readonly Page[]): string[] =>
    pages.flatMap(({ id, pages: below = [] }) => [id, ...idsOf(below)])
  return { path, pages: idsOf((await call('GET', `${path}/content/pages`)).pages) }
}

function spaceOf(size: number): Space {
  const space = spaces.get(size)
  if (space === undefined) throw new Error(`no space has ${size} pages`)
  return space
}

function edit({ path, pages }: Space, index: number): Promise<unknown> {
  const markdown = `${proseOf(index + 1_000_000, PAGE_BYTES)}\nEdit ${index} of ${path}.\n`
  const change = {
    operation: 'update_page',
    page: pages[(index * 7919) % pages.length],
    document: { markdown },
  }
  return call('POST', `${path}/content?compat=false`, { changes: [change] })
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

function timesOf(sizes: readonly number[]): Map<number, number[]> {
  return new Map(sizes.map(size => [size, []]))
}

function mediansOf(times: ReadonlyMap<number, readonly number[]>): Record<number, number> {
  return Object.fromEntries([...times].map(([size, values]) => [size, round(median(values))]))
}

function ratio(values: Readonly<Record<number, number>>, large: number, small: number): number {
  return round((values[large] ?? Number.NaN) / (values[small] ?? Number.NaN))
}
