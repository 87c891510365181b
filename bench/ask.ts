// What does a question cost without a language model, of the whole server, beside a search for the same question?
//
//   node bench/ask.ts --pages 1000
//   node bench/ask.ts --pages 10000
//
// On the embedded database, or on the PostgreSQL of DATABASE_URL. Questions that a sentence answers, and questions of
// words that stand nowhere together: the time of ten connections, and that of a processor in all threads of the server.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { importFolder, print, round, startServer, temporaryFolder, writeFile } from './measure.ts'
import { METRICS_TOKEN, metricsOf, processorMs } from './processor.ts'
import { textOf, wordAt } from './vocabulary.ts'

const { values } = parseArgs({ options: { pages: { type: 'string', default: '1000' } } })
const PAGES = Number(values.pages)
const PAGE_BYTES = 4_000
const SECONDS = 4
const CONNECTIONS = 10
const QUESTIONS = 20

const folder = temporaryFolder()
const home = join(folder, 'home')
const server = await startServer(home, { OCTAVO_METRICS_TOKEN: METRICS_TOKEN })
const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
await importPages()
const { items } = await (await fetch(`${server.url}/v1/orgs`, { headers })).json()
const organization = `/v1/orgs/${items[0].id}`

const KINDS = {
  answered: Array.from({ length: QUESTIONS }, (_, place) =>
    questionOf(Math.floor((place * PAGES) / QUESTIONS)),
  ),
  refused: Array.from({ length: QUESTIONS }, (_, place) =>
    questionFrom([150, 900, 4_000].map(n => wordAt(n + place))),
  ),
}
const ask = (query: string) =>
  ({ method: 'POST', path: `${organization}/ask`, body: JSON.stringify({ query }) }) as const
const search = (query: string) =>
  ({ method: 'GET', path: `${organization}/search?query=${encodeURIComponent(query)}` }) as const

await untilWarm()
const results: Record<string, object> = {}
for (const [kind, questions] of Object.entries(KINDS)) {
  const asked = await loadWith(questions.map(ask))
  const searched = await loadWith(questions.map(search))
  results[kind] = {
    share: round(await shareAnswered(questions)),
    ask: asked,
    search: searched,
    times: round(asked.processorMs / searched.processorMs),
  }
}
await server.stop()
print({
  bench: 'ask',
  database: process.env.DATABASE_URL === undefined ? 'embedded' : 'postgres',
  pages: PAGES,
  connections: CONNECTIONS,
  ...results,
})

function importPages(): Promise<string> {
  const project = join(folder, 'project')
  const lines = ['# Table of contents', '']
  for (let page = 0; page < PAGES; page++) {
    const file = `part-${Math.floor(page / 50)}/page-${page}.md`
    const text = textOf(page, PAGE_BYTES)
    writeFile(join(project, file), text)
    lines.push(`* [${text.slice(2, text.indexOf('\n'))}](${file})`)
  }
  writeFile(join(project, 'SUMMARY.md'), `${lines.join('\n')}\n`)
  return importFolder(home, project)
}

/** Four words that stand beside each other on a page. */
function questionOf(page: number): string {
  const sentences = textOf(page, PAGE_BYTES)
    .split('\n')
    .filter(line => line.endsWith('.'))
  return questionFrom((sentences[3] ?? '').replace('.', '').split(' ').slice(4, 8))
}

function questionFrom(words: readonly string[]): string {
  return `How do I ${words.join(' ')}?`
}

type Sent = ReturnType<typeof ask> | ReturnType<typeof search>

async function loadWith(requests: readonly Sent[]) {
  const before = await processorMs(server)
  const outcome = await autocannon({
    url: server.url,
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [...requests],
  })
  if (outcome.non2xx > 0 || outcome.errors > 0)
    throw new Error(`${outcome.non2xx} refusals, ${outcome.errors} errors`)
  const spent = (await processorMs(server)) - before
  return {
    perSecond: round(outcome.requests.average),
    p50Ms: outcome.latency.p50,
    p99Ms: outcome.latency.p99,
    processorMs: round(spent / outcome.requests.total),
  }
}

async function shareAnswered(questions: readonly string[]): Promise<number> {
  let answered = 0
  for (const question of questions) {
    const { method, path, body } = ask(question)
    const response = await fetch(`${server.url}${path}`, { method, headers, body })
    const { answer } = (await response.json()) as { answer: { answer?: object } }
    if (answer.answer !== undefined) answered += 1
  }
  return answered / questions.length
}

/** Until the index is in memory. */
async function untilWarm(): Promise<void> {
  while (/^octavo_search_indexes 0/m.test(await metricsOf(server))) {
    await shareAnswered(KINDS.answered.slice(0, 1))
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
