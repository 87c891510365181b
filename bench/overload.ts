// What do edits, reads and `/healthz` take while many connections read at once?
//
//   node bench/overload.ts              on the embedded database
//   DATABASE_URL=postgres://… node bench/overload.ts
//
// Eight editors of one live space, each with the next edit when the last was answered, alone and then beside 50, 150 and
// 200 connections that read: pages of the reader, lists of pages, pages as Markdown and searches, in turn. A probe asks
// `/healthz` all the time. For each number of readers: edits and reads in a second, the share of refused edits (503), and
// the spread of all three in milliseconds. Readers and editors share this process, which has to have a processor of
// its own: with one for both, the figures are of the load, not of the server.
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DATABASE, report, round, temporaryFolder } from './measure.ts'
import { proseOf, writeProject } from './prose.ts'
import { type Spread, spreadOf } from './read-beside.ts'
import { startServer } from './server.ts'

const PAGES = 200
const PAGE_BYTES = 2_000
const EDITORS = 8
const READERS = [0, 50, 150, 200]
const ROUND_MS = 6_000
const PROBE_PAUSE_MS = 20

type Page = { readonly id: string; readonly path: string; readonly pages?: readonly Page[] }
type Call = { readonly method: string; readonly path: string; readonly body?: string }

const folder = temporaryFolder()
writeProject(join(folder, 'project'), PAGES, PAGE_BYTES)
const server = await startServer({ OCTAVO_RATE_LIMIT: '0' })
const space = await server.importFolder(join(folder, 'project'))
const flatten = (pages: readonly Page[]): Page[] =>
  pages.flatMap(page => [page, ...flatten(page.pages ?? [])])
const pages = flatten((await server.call('GET', `${space}/content/pages`)).pages)
await server.call('PATCH', space, { visibility: 'public' })
const pageOf = (count: number): Page => pages[(count * 7919) % pages.length] as Page

const agent = new Agent({ keepAlive: true })
/** The status of the answer, once all of it has arrived. */
function send({ method, path, body }: Call): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const asked = request(
    server.url + path,
    { method, agent, headers: { ...server.headers, ...length } },
    answer => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0)).once('error', reject)
    },
  )
  asked.once('error', reject)
  asked.end(body)
  return promise
}

const reads: readonly ((count: number) => Call)[] = [
  count => ({ method: 'GET', path: `/s/${space.split('/').pop()}/${pageOf(count).path}` }),
  () => ({ method: 'GET', path: `/v1${space}/content/pages` }),
  count => ({ method: 'GET', path: `/v1${space}/content/page/${pageOf(count).id}?format=markdown` }),
  count => ({ method: 'GET', path: `/v1${space}/search?query=word${count % 50}` }),
]
let count = 0
const readNext = (): Call => {
  count += 1
  return (reads[count % reads.length] as (typeof reads)[number])(count)
}
const editNext = (): Call => {
  count += 1
  const markdown = `${proseOf(count, PAGE_BYTES)}\nEdit ${count}.\n`
  const change = { operation: 'update_page', page: pageOf(count).id, document: { markdown } }
  return {
    method: 'POST',
    path: `/v1${space}/content?compat=false`,
    body: JSON.stringify({ changes: [change] }),
  }
}

type Tally = { readonly times: number[]; refused: number }
const tally = (): Tally => ({ times: [], refused: 0 })

/** Sends one after the other until `end`; those that are refused are sent again like any client would, a second later. */
async function repeat(end: number, to: Tally, next: () => Call, pauseMs = 0): Promise<void> {
  while (performance.now() < end) {
    const began = performance.now()
    const call = next()
    const status = await send(call)
    if (status === 503) {
      to.refused += 1
      await sleep(1_000)
      continue
    }
    if (status >= 400) throw new Error(`${call.method} ${call.path} answered ${status}`)
    to.times.push(performance.now() - began)
    if (pauseMs > 0) await sleep(pauseMs)
  }
}

type Figures = { readonly perSecond: number; readonly refused: number; readonly ms: Spread }
const figuresOf = ({ times, refused }: Tally): Figures => {
  const all = times.length + refused
  return {
    perSecond: round((times.length / ROUND_MS) * 1_000),
    refused: all === 0 ? 0 : round(refused / all),
    ms: spreadOf(times),
  }
}

async function measure(readers: number) {
  const [edits, reading, health] = [tally(), tally(), tally()]
  const end = performance.now() + ROUND_MS
  const many = (length: number, run: () => Promise<void>) => Array.from({ length }, run)
  await Promise.all([
    ...many(EDITORS, () => repeat(end, edits, editNext)),
    ...many(readers, () => repeat(end, reading, readNext)),
    repeat(end, health, () => ({ method: 'GET', path: '/healthz' }), PROBE_PAUSE_MS),
  ])
  return { edits: figuresOf(edits), reads: figuresOf(reading), health: figuresOf(health) }
}

await measure(10)
const beside: Record<string, Awaited<ReturnType<typeof measure>>> = {}
for (const readers of READERS) beside[readers] = await measure(readers)
agent.destroy()
await server.stop()
report('overload', { database: DATABASE, pages: pages.length, editors: EDITORS, beside })
