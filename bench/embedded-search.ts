// Our engine with the embeddings of a model, as the server ranks with them, over vectors in memory.

import { embeddedText } from '../src/api/embeddings/embedded-text.ts'
import { KNOWN_PAIRS } from '../src/api/embeddings/known-pairs.ts'
import { NEAR_PAGES_MAX, NEAR_SECTIONS_MAX } from '../src/api/search/near.ts'
import type { Language } from '../src/engines/search/language.ts'
import { parseQuery } from '../src/engines/search/query.ts'
import { isQuestionLike } from '../src/engines/search/question-like.ts'
import { firstPages } from '../src/engines/search/rank-with-near.ts'
import { rank } from '../src/engines/search/search.ts'
import { nearPagesOf } from '../src/engines/vectors/near-pages.ts'
import { nearest } from '../src/engines/vectors/nearest.ts'
import { scaleOf } from '../src/engines/vectors/scale.ts'
import { readConfig } from '../src/platform/config.ts'
import { toBytes } from '../src/platform/model/embedder.ts'
import { openEmbed } from '../src/platform/model/writers.ts'
import { indexOf } from '../test/support/search-indexes.ts'
import type { CorpusPage } from './corpora.ts'
import type { Finder } from './search-rivals.ts'

export type Embedding = (texts: readonly string[]) => Promise<Int8Array[]>

const TEXTS_AT_ONCE = 16
const CALL_MS_MAX = 60_000

/** The model that the settings of a server name. */
export async function embedder(): Promise<Embedding> {
  const { model } = readConfig({ OCTAVO_AI_MODEL: 'none', ...process.env })
  if (model?.embeddingModel === undefined)
    throw new Error('OCTAVO_AI_BASE_URL and OCTAVO_AI_EMBEDDING_MODEL name a model of embeddings')
  const embed = await openEmbed(model, model.embeddingModel)
  return async texts => {
    const made: Int8Array[] = []
    for (let at = 0; at < texts.length; at += TEXTS_AT_ONCE) {
      const some = texts.slice(at, at + TEXTS_AT_ONCE)
      made.push(...toBytes((await embed(some, AbortSignal.timeout(CALL_MS_MAX))).vectors, some.length))
    }
    return made
  }
}

/** Answers the questions that it was made for. */
export async function octavoWithEmbeddings(
  embed: Embedding,
  pages: readonly CorpusPage[],
  language: Language,
  questions: readonly string[],
): Promise<Finder> {
  const index = indexOf(language, pages)
  const sections = pages.flatMap(({ id, sections }) => {
    const title = sections[0]?.anchor === '' ? sections[0].heading : ''
    return sections.map((section, ordinal) => ({ id, ordinal, text: embeddedText({ title, ...section }) }))
  })
  const vectors = await embed(sections.map(({ text }) => text))
  const dimensions = vectors[0]?.length ?? 0
  const bytes = new Int8Array(dimensions * vectors.length)
  for (const [row, vector] of vectors.entries()) bytes.set(vector, row * dimensions)
  const scale = scaleOf(
    await embed(KNOWN_PAIRS.map(({ question }) => question)),
    await embed(KNOWN_PAIRS.map(({ answer }) => answer)),
  )
  if (scale === undefined) throw new Error('the vectors of the model do not differ')
  process.stderr.write(`${JSON.stringify(scale)}\n`)
  const asked = await embed(questions)
  const vectorOf = new Map(questions.map((question, at) => [question, asked[at] as Int8Array]))
  return (question, limit) => {
    const query = parseQuery(question)
    const ranking = rank([index], query)
    if (!isQuestionLike(query, [language])) return ranking.read({ limit }).pages.map(({ pageId }) => pageId)
    const found = nearest([{ bytes, dimensions }], vectorOf.get(question) as Int8Array, NEAR_SECTIONS_MAX)
    const near = nearPagesOf(
      found.map(({ row, score }) => {
        const { id, ordinal } = sections[row] as (typeof sections)[number]
        return { page: id, ordinal, score }
      }),
      scale,
      { limit: NEAR_PAGES_MAX, nameOf: id => id },
    )
    const { pages } = firstPages(
      ranking,
      near.map(one => ({ ...one, key: one.page, at: { index: 0, pageId: one.page } })),
      ({ pageId }) => pageId,
    )
    return pages.slice(0, limit).map(({ key }) => key)
  }
}
