// Are questions answered where the documentation says something, and only there? Without a model, through the API of
// the real command, over two imported documentations in one organization.
//
//   node bench/ask-quality.ts            one line of JSON
//   node bench/ask-quality.ts --misses   and, to read, what was answered wrongly (--half tune for one half)
//
// The questions were written from the pages, before any answer was seen: 106 first, and 68 more once the rating had been
// tuned on the first, because by then it was right about more of the questions it had been tuned with than of the others.
//
// An answer is right when it quotes what a right answer has to say and comes from a page that says it. The questions of
// `questions/ask.json` are in two halves: `tune` to tune with, `report` to judge by.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CORPORA, type CorpusName } from './corpora.ts'
import { ROOT, report, round } from './measure.ts'
import { startServer } from './server.ts'

type Half = 'tune' | 'report'
type Question = {
  readonly half: Half
  readonly corpus: CorpusName
  readonly question: string
} & (
  | { readonly answerable: true; readonly pages: readonly string[]; readonly key: string }
  | { readonly answerable: false }
)
type Asked = { readonly question: Question; readonly verdict: Verdict; readonly text: string }
/** `wrong`: an answer that says something else. `refused`: no answer. */
type Verdict = 'right' | 'wrong' | 'refused'

type Node = {
  readonly id: string
  readonly git?: { readonly path?: string }
  readonly pages?: readonly Node[]
}
type Answered = {
  readonly answer: {
    readonly answer?: { readonly markdown: string }
    readonly sources: readonly { readonly page: string }[]
  }
}

const { values } = parseArgs({ options: { misses: { type: 'boolean' }, half: { type: 'string' } } })
const questions: readonly Question[] = JSON.parse(readFileSync(`${ROOT}/bench/questions/ask.json`, 'utf8'))

const server = await startServer()
const { call, organization } = server

const paths = new Map<string, string>()
await removeGuide()
for (const { name } of CORPORA) {
  const space = await server.importFolder(join(ROOT, '../shared/corpus', name))
  const { pages }: { pages: readonly Node[] } = await call('GET', `${space}/content/pages`)
  for (const page of pages.flatMap(withDescendants)) if (page.git?.path) paths.set(page.id, page.git.path)
}

const asked: Asked[] = []
const milliseconds: number[] = []
for (const question of questions) {
  const start = performance.now()
  const answered: Answered = await call('POST', `${organization}/ask`, { query: question.question })
  milliseconds.push(performance.now() - start)
  asked.push(judge(question, answered))
}
await server.stop()

if (values.misses) for (const one of asked) writeMiss(one)
report('ask-quality', {
  questions: asked.length,
  ...scores(asked),
  tune: scores(asked.filter(({ question }) => question.half === 'tune')),
  report: scores(asked.filter(({ question }) => question.half === 'report')),
  corpora: Object.fromEntries(
    CORPORA.map(({ name }) => [name, scores(asked.filter(({ question }) => question.corpus === name))]),
  ),
  medianMs: round(milliseconds.sort((a, b) => a - b)[milliseconds.length >> 1] ?? 0),
})

/** The guide to Octavo that a first start makes: a question about comments would be answered from it, and rightly. */
async function removeGuide(): Promise<void> {
  const { items } = await call('GET', `${organization}/spaces`)
  for (const { id } of items) await call('DELETE', `/spaces/${id}`)
}

function judge(question: Question, { answer: { answer, sources } }: Answered): Asked {
  if (answer === undefined) return { question, verdict: 'refused', text: '' }
  const from = sources.map(({ page }) => paths.get(page) ?? page)
  const text = `${from.join(', ')}: ${answer.markdown}`
  const isRight =
    question.answerable &&
    new RegExp(question.key, 'i').test(asRead(answer.markdown)) &&
    from.some(path => question.pages.includes(path))
  return { question, verdict: isRight ? 'right' : 'wrong', text }
}

/** Without what is written only so that Markdown reads the rest as it is meant. */
function asRead(markdown: string): string {
  return markdown.replaceAll('<!-- -->', '').replaceAll('\\', '')
}

function scores(given: readonly Asked[]) {
  const answerable = given.filter(({ question }) => question.answerable)
  const unanswerable = given.filter(({ question }) => !question.answerable)
  const share = (of: readonly Asked[], wanted: Verdict) =>
    round(of.filter(({ verdict }) => verdict === wanted).length / of.length)
  return {
    answerable: {
      n: answerable.length,
      right: share(answerable, 'right'),
      wrong: share(answerable, 'wrong'),
      refused: share(answerable, 'refused'),
    },
    unanswerable: { n: unanswerable.length, refused: share(unanswerable, 'refused') },
  }
}

function writeMiss({ question, verdict, text }: Asked): void {
  if (verdict === (question.answerable ? 'right' : 'refused')) return
  if (values.half !== undefined && question.half !== values.half) return
  const wanted = question.answerable ? `${question.key} of ${question.pages.join(' or ')}` : 'no answer'
  process.stderr.write(
    `${question.half} · ${question.question}\n  wanted ${wanted}\n  ${verdict} ${text.slice(0, 400).replaceAll(/\s+/g, ' ')}\n`,
  )
}

function withDescendants(node: Node): Node[] {
  return [node, ...(node.pages ?? []).flatMap(withDescendants)]
}
