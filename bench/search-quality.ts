// Does search put the page first that a reader means? Our engine beside MiniSearch and Orama, on the same sections of
// the same documentation, with the questions of `questions/search.json`.
//
//   node bench/search-quality.ts            one line of JSON
//   node bench/search-quality.ts --misses   and, to read, what each engine did not put first
//   node bench/search-quality.ts --misses --half tune
//   node bench/search-quality.ts --embeddings   and, beside them, ours with the embeddings of a model, in English:
//                                           OCTAVO_AI_BASE_URL and OCTAVO_AI_EMBEDDING_MODEL name it
//
// The questions were written from the pages before any engine had answered them. They are in two halves, each kind
// alternating: an engine is tuned on `tune`, and judged by `report`.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { languageOf } from '../src/engines/search/language.ts'
import { found, indexOf } from '../test/support/search-indexes.ts'
import { CORPORA, type CorpusName, type CorpusPage, readCorpus } from './corpora.ts'
import { embedder, octavoWithEmbeddings } from './embedded-search.ts'
import { ROOT, report, round } from './measure.ts'
import { type Finder, miniSearch, orama } from './search-rivals.ts'

type Half = 'tune' | 'report'
type Question = {
  readonly kind: string
  readonly half: Half
  readonly corpus: CorpusName
  readonly question: string
  /** Any of these is right as the first. */
  readonly pages: readonly string[]
}
type Answer = { readonly question: Question; readonly found: readonly string[]; readonly rank: number }

/** Later pages count as not found: readers do not look there. */
const PAGES_READ = 10

const { values } = parseArgs({
  options: { misses: { type: 'boolean' }, half: { type: 'string' }, embeddings: { type: 'boolean' } },
})
const questions: readonly Question[] = JSON.parse(readFileSync(`${ROOT}/bench/questions/search.json`, 'utf8'))

const answers = new Map<string, Answer[]>()
for (const { name, language } of CORPORA) {
  const pages = await readCorpus(name)
  const asked = questions.filter(({ corpus }) => corpus === name)
  const known = new Set(pages.map(({ id }) => id))
  for (const { question, pages: wanted } of asked)
    for (const page of wanted)
      if (!known.has(page)) throw new Error(`${question}: ${page} is no page of ${name}`)
  const engines: Readonly<Record<string, Finder>> = {
    octavo: octavo(pages, language),
    ...(values.embeddings && language === 'en' ? await withEmbeddings(pages, language, asked) : {}),
    minisearch: miniSearch(pages),
    orama: await orama(pages, language),
  }
  for (const [engine, find] of Object.entries(engines))
    answers.set(engine, [...(answers.get(engine) ?? []), ...asked.map(question => answer(question, find))])
}

if (values.misses) for (const [engine, given] of answers) writeMisses(engine, given)
report('search-quality', {
  questions: questions.length,
  engines: Object.fromEntries([...answers].map(([engine, given]) => [engine, scores(given)])),
})

/** As the index of a space in its language. */
function octavo(pages: readonly CorpusPage[], language: string): Finder {
  const index = indexOf(languageOf(language), pages)
  return (question, limit) => found(index, question, limit)
}

/** Beside it the same without, on the same questions: not all corpora are in English. */
async function withEmbeddings(pages: readonly CorpusPage[], language: string, asked: readonly Question[]) {
  const texts = asked.map(({ question }) => question)
  return {
    'octavo, English': octavo(pages, language),
    'octavo with embeddings, English': await octavoWithEmbeddings(
      await embedder(),
      pages,
      languageOf(language),
      texts,
    ),
  }
}

function answer(question: Question, find: Finder): Answer {
  const pages = find(question.question, PAGES_READ)
  return { question, found: pages, rank: pages.findIndex(page => question.pages.includes(page)) + 1 }
}

/** In all and by half, each in all and by kind. */
function scores(given: readonly Answer[]) {
  const half = (wanted: Half) => byKind(given.filter(({ question }) => question.half === wanted))
  return { all: byKind(given), tune: half('tune'), report: half('report') }
}

function byKind(given: readonly Answer[]) {
  const kinds = Map.groupBy(given, ({ question }) => question.kind)
  return {
    all: score(given),
    ...Object.fromEntries([...kinds].map(([kind, ofKind]) => [kind, score(ofKind)])),
  }
}

function score(given: readonly Answer[]) {
  const share = (value: (rank: number) => number) =>
    round(given.reduce((sum, { rank }) => sum + value(rank), 0) / given.length)
  return {
    n: given.length,
    hit1: share(rank => (rank === 1 ? 1 : 0)),
    hit3: share(rank => (rank >= 1 && rank <= 3 ? 1 : 0)),
    mrr: share(rank => (rank === 0 ? 0 : 1 / rank)),
  }
}

function writeMisses(engine: string, given: readonly Answer[]): void {
  for (const { question, found, rank } of given) {
    if (rank === 1 || (values.half !== undefined && question.half !== values.half)) continue
    process.stderr.write(
      [
        `${engine} · ${question.kind} · ${question.half} · ${question.question}`,
        `  at ${rank === 0 ? 'none' : rank}, wanted ${question.pages.join(' or ')}`,
        `  first ${found.slice(0, 3).join(', ') || 'nothing'}`,
        '',
      ].join('\n'),
    )
  }
}
