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
import autocannon from 'autocannon'
import MiniSearch from 'minisearch'
import { importFolder, print, round, startServer, temporaryFolder, writeFile } from './measure.ts'
import { METRICS_TOKEN, metricsOf, processorMs } from './processor.ts'
import { textOf, wordAt } from './vocabulary.ts'

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
const SECONDS = 4
const CONNECTIONS = 10
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
const folder = temporaryFolder()
const home = join(folder, 'home')
const memory = values.cold ? { OCTAVO_SEARCH_MEMORY: '0' } : {}
const server = await startServer(home, { OCTAVO_METRICS_TOKEN: METRICS_TOKEN, ...memory })
const headers = { authorization: `Bearer ${server.token}` }
const { items } = await (await fetch(`${server.url}/v1/orgs`, { headers })).json()
const organization = `/orgs/${items[0].id}`
const path = SPACES === 1 ? `/v1/spaces/${await importPages()}/search` : `/v1${organization}/search`
if (SPACES > 1) await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeSpaces(writer)))
const urlOf = (query: string) => `${server.url}${path}?query=${encodeURIComponent(query)}`

const cold: Record<string, number> = {}
for (const [kind, [query = '']] of Object.entries(QUERIES)) cold[kind] = round(await timeOf(urlOf(query)))
const readyMs = values.cold ? 0 : await untilWarm()

const results: Record<string, object> = {}
for (const [kind, queries] of Object.entries(QUERIES)) {
  const before = await processorMs(server)
  const outcome = await autocannon({
    url: urlOf(queries[0] as string),
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: queries.map(query => ({ path: urlOf(query).slice(server.url.length) })),
  })
  if (outcome.non2xx > 0 || outcome.errors > 0)
    throw new Error(`${outcome.non2xx} refusals, ${outcome.errors} errors`)
  const spent = (await processorMs(server)) - before
  results[kind] = {
    coldMs: cold[kind],
    perSecond: round(outcome.requests.average),
    p50Ms: outcome.latency.p50,
    p99Ms: outcome.latency.p99,
    processorMs: round(spent / outcome.requests.total),
    ...(SPACES === 1 ? { miniSearchMs: round(miniSearchMs(queries)) } : {}),
  }
}
const bytes = Number(/^octavo_search_index_bytes (\d+)/m.exec(await metricsOf(server))?.[1])
await server.stop()
print({
  bench: 'search',
  database: process.env.DATABASE_URL === undefined ? 'embedded' : 'postgres',
  spaces: SPACES,
  pages: PAGES * SPACES,
  connections: CONNECTIONS,
  readyMs: round(readyMs),
  indexMegabytes: round(bytes / 1024 / 1024),
  ...results,
})

/** A space with all pages, imported. */
function importPages(): Promise<string> {
  const project = join(folder, 'project')
  const lines = ['# Table of contents', '']
  for (let page = 0; page < PAGES; page++) {
    const file = `part-${Math.floor(page / 50)}/page-${page}.md`
    const text = textOf(page, PAGE_BYTES)
    writeFile(join(project, file), text)
    lines.push(`* [${titleOf(text)}](${file})`)
  }
  writeFile(join(project, 'SUMMARY.md'), `${lines.join('\n')}\n`)
  return importFolder(home, project)
}

/** Its share of the spaces of the organization. */
async function writeSpaces(writer: number): Promise<void> {
  const post = async (address: string, body: object) => {
    const answer = await fetch(`${server.url}/v1${address}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  for (let space = writer; space < SPACES; space += WRITERS) {
    const { id } = await post(`${organization}/spaces`, { title: `Space ${space}` })
    const changes = Array.from({ length: PAGES }, (_, page) => {
      const markdown = textOf(space * PAGES + page, PAGE_BYTES)
      return { operation: 'insert_page', title: titleOf(markdown), document: { markdown } }
    })
    await post(`/spaces/${id}/content`, { changes })
  }
}

function titleOf(text: string): string {
  return text.slice(2, text.indexOf('\n'))
}

async function timeOf(url: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url, { headers })
  await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return performance.now() - start
}

/** Until the indexes of all spaces are in memory. */
async function untilWarm(): Promise<number> {
  const start = performance.now()
  while (Number(/^octavo_search_indexes (\d+)/m.exec(await metricsOf(server))?.[1]) < SPACES) {
    await timeOf(urlOf(QUERIES.rare[0] as string))
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
