// How long from the command to the first answer, how much of a processor does it take, and how much memory does it hold?
//
//   node bench/start.ts
//
// On the embedded database, or on the PostgreSQL of DATABASE_URL, whose time is not counted. The folder exists and holds a
// space of 10,000 pages. `probe` is `node -e 0`: what any Node.js program costs.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { DATABASE, median, report, round, temporaryFolder, timeMs } from './measure.ts'
import { residentMegabytesOf } from './memory.ts'
import { ownProcessorMs } from './processor.ts'
import { writeProject } from './prose.ts'
import { startServer } from './server.ts'

const PAGES = 10_000
const STARTS = 5
const REST_MS = 3000

const folder = temporaryFolder()
const home = join(folder, 'home')
writeProject(join(folder, 'project'), PAGES, 2000)
const first = await startServer({}, home)
const space = await first.importFolder(join(folder, 'project'))
await first.stop()

const starts: number[] = []
const spent: number[] = []
for (let index = 0; index < STARTS; index++) {
  const began = performance.now()
  const server = await startServer({}, home)
  starts.push(performance.now() - began)
  spent.push(ownProcessorMs(server.pid))
  await server.stop()
}
const probe = await timeMs(
  () => new Promise(resolve => spawn(process.execPath, ['-e', '0']).once('exit', resolve)),
)

const server = await startServer({}, home)
await new Promise(resolve => setTimeout(resolve, REST_MS))
const atRest = residentMegabytesOf(server.pid)
type Tree = { id: string; pages?: Tree }[]
const idsOf = (pages: Tree): string[] => pages.flatMap(page => [page.id, ...idsOf(page.pages ?? [])])
const { pages } = (await server.call('GET', `${space}/content/pages`)) as { pages: Tree }
const ids = idsOf(pages)
const readMs = await timeMs(async () => {
  for (const id of ids) await server.call('GET', `${space}/content/page/${id}?format=markdown`)
})
await new Promise(resolve => setTimeout(resolve, REST_MS))
const afterReading = residentMegabytesOf(server.pid)
await server.stop()

report('start', {
  database: DATABASE,
  pages: ids.length,
  readyMs: round(median(starts)),
  readyProcessorMs: round(median(spent)),
  probeMs: round(probe),
  residentAtRestMb: atRest,
  residentAfterReadingMb: afterReading,
  firstReadsPerSecond: round(ids.length / (readMs / 1000)),
})
