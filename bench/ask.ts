// What does a question cost without a language model, of the whole server, beside a search for the same question?
//
//   node bench/ask.ts --pages 1000
//   node bench/ask.ts --pages 10000
//
// On the embedded database, or on the PostgreSQL of DATABASE_URL. Questions that a sentence answers, and questions of
// words that no page has together: the time of ten connections, and that of a processor in all threads of the server.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CONNECTIONS, sendInTurn } from './connections.ts'
import { DATABASE, report, round, temporaryFolder } from './measure.ts'
import { METRICS, metricsOf } from './processor.ts'
import { startServer } from './server.ts'
import { textOf, wordAt, writeTexts } from './vocabulary.ts'

const { values } = parseArgs({ options: { pages: { type: 'string', default: '1000' } } })
const PAGES = Number(values.pages)
const PAGE_BYTES = 4_000
const QUESTIONS = 20

const server = await startServer(METRICS)
const { organization } = server
const project = join(temporaryFolder(), 'project')
writeTexts(project, PAGES, PAGE_BYTES)
await server.importFolder(project)

const KINDS = {
  answered: Array.from({ length: QUESTIONS }, (_, place) =>
    questionOf(Math.floor((place * PAGES) / QUESTIONS)),
  ),
  refused: Array.from({ length: QUESTIONS }, (_, place) =>
    questionFrom([150, 900, 4_000].map(n => wordAt(n + place))),
  ),
}
const ask = (query: string) =>
  ({ method: 'POST', path: `/v1${organization}/ask`, body: JSON.stringify({ query }) }) as const
const search = (query: string) =>
  ({ method: 'GET', path: `/v1${organization}/search?query=${encodeURIComponent(query)}` }) as const

await untilWarm()
const results: Record<string, object> = {}
for (const [kind, questions] of Object.entries(KINDS)) {
  const asked = await sendInTurn(server, questions.map(ask))
  const searched = await sendInTurn(server, questions.map(search))
  results[kind] = {
    share: round(await shareAnswered(questions)),
    ask: asked,
    search: searched,
    times: round(asked.processorMs / searched.processorMs),
  }
}
await server.stop()
report('ask', { database: DATABASE, pages: PAGES, connections: CONNECTIONS, ...results })

/** Four neighbouring words of a page. */
function questionOf(page: number): string {
  const sentences = textOf(page, PAGE_BYTES)
    .split('\n')
    .filter(line => line.endsWith('.'))
  return questionFrom((sentences[3] ?? '').replace('.', '').split(' ').slice(4, 8))
}

function questionFrom(words: readonly string[]): string {
  return `How do I ${words.join(' ')}?`
}

async function shareAnswered(questions: readonly string[]): Promise<number> {
  let answered = 0
  for (const question of questions) {
    const { answer } = await server.call('POST', `${organization}/ask`, { query: question })
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
