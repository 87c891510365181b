// What does a search cost, of the whole server, beside MiniSearch in this process?
//
//   node bench/search.ts --pages 1000            a space of so many pages
//   node bench/search.ts --pages 10000
//   node bench/search.ts --spaces 1000           an organization of so many spaces, ten pages each
//   node bench/search.ts --pages 10000 --cold    without memory for indexes: the database finds the candidates
//
// On the embedded database, or on the PostgreSQL of DATABASE_URL. Of each kind of query: the time of ten connections, and
// the time of a processor in all threads of the server, for PostgreSQL with that of its processes on this machine.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import MiniSearch from 'minisearch'
import { CONNECTIONS, sendInTurn } from './connections.ts'
import { DATABASE, report, round, temporaryFolder, timeMs } from './measure.ts'
import { METRICS, metricsOf } from './processor.ts'
import { startServer } from './server.ts'
import { textOf, titleOf, wordAt, writeTexts } from './vocabulary.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    spaces: { type: 'string', default: '1' },
    cold: { type: 'boolean', default: false },
  },
})
const SPACES = Number(values.spaces)
const PAGES = SPACES === 1 ? Number(values.pages) : 10
const PAGE_BYTES = 4_000
const WRITERS = 4

const QUESTIONS = 20
const pairs = (first: number, firstStep: number, second: number, secondStep: number): string[] =>
  Array.from({ length: QUESTIONS }, (_, at) => {
    const words = [wordAt(first + firstStep * at), wordAt(second + secondStep * at)]
    return words.join(' ')
  })

// By how often a word is written: the last in nearly every page, the first in a few.
const QUERIES = {
  rare: pairs(9_000, -50, 7_000, -50),
  usual: pairs(300, 5, 500, -7),
  common: pairs(1, 1, 2, 2),
}

let rival: MiniSearch<{ id: number; title: string; text: string }> | undefined
const memory: Record<string, string> = values.cold ? { OCTAVO_SEARCH_MEMORY: '0' } : {}
const server = await startServer({ ...METRICS, ...memory })
const { call, organization } = server
const path = SPACES === 1 ? `${await importPages()}/search` : `${organization}/search`
if (SPACES > 1) await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeSpaces(writer)))
const pathOf = (query: string) => `${path}?query=${encodeURIComponent(query)}`
const search = (query: string) => timeMs(() => call('GET', pathOf(query)))

const cold: Record<string, number> = {}
for (const [kind, [query = '']] of Object.entries(QUERIES)) cold[kind] = round(await search(query))
const readyMs = values.cold ? 0 : await untilWarm()

const results: Record<string, object> = {}
for (const [kind, queries] of Object.entries(QUERIES)) {
  results[kind] = {
    coldMs: cold[kind],
    ...(await sendInTurn(
      server,
      queries.map(query => ({ path: `/v1${pathOf(query)}` })),
    )),
    ...(SPACES === 1 ? { miniSearchMs: round(miniSearchMs(queries)) } : {}),
  }
}
const bytes = Number(/^octavo_search_index_bytes (\d+)/m.exec(await metricsOf(server))?.[1])
await server.stop()
report('search', {
  database: DATABASE,
  spaces: SPACES,
  pages: PAGES * SPACES,
  connections: CONNECTIONS,
  readyMs: round(readyMs),
  indexMegabytes: round(bytes / 1024 / 1024),
  ...results,
})

/** A space with all pages, imported. */
function importPages(): Promise<string> {
  const project = join(temporaryFolder(), 'project')
  writeTexts(project, PAGES, PAGE_BYTES)
  return server.importFolder(project)
}

/** Its share of the spaces of the organization. */
async function writeSpaces(writer: number): Promise<void> {
  for (let space = writer; space < SPACES; space += WRITERS) {
    const { id } = await call('POST', `${organization}/spaces`, { title: `Space ${space}` })
    const changes = Array.from({ length: PAGES }, (_, page) => {
      const markdown = textOf(space * PAGES + page, PAGE_BYTES)
      return { operation: 'insert_page', title: titleOf(markdown), document: { markdown } }
    })
    await call('POST', `/spaces/${id}/content`, { changes })
  }
}

/** Until the indexes of all spaces are in memory. */
async function untilWarm(): Promise<number> {
  const start = performance.now()
  while (Number(/^octavo_search_indexes (\d+)/m.exec(await metricsOf(server))?.[1]) < SPACES) {
    await search(QUERIES.rare[0] ?? '')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return performance.now() - start
}

/** A query of MiniSearch over the same pages, whole, as it comes. */
function miniSearchMs(queries: readonly string[]): number {
  if (rival === undefined) {
    rival = new MiniSearch({ fields: ['title', 'text'], searchOptions: { prefix: true, fuzzy: 0.2 } })
    for (let page = 0; page < PAGES; page++) {
      const text = textOf(page, PAGE_BYTES)
      rival.add({ id: page, title: titleOf(text), text })
    }
  }
  const start = process.cpuUsage()
  for (const query of queries) rival.search(query)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000 / queries.length
}
