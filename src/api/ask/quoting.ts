// Answers without a model: whole sentences of the documentation, each with its source.
import { type Answer, answer } from '../../engines/answers/answer.ts'
import { askedAbout, kindOf, type Question } from '../../engines/answers/question.ts'
import type { Block, Section } from '../../engines/answers/sections.ts'
import { toQuestion } from '../../engines/answers/suggestions.ts'
import type { QuotedSection } from '../../engines/markdown/excerpt/excerpt.ts'
import { parseQuery } from '../../engines/search/query.ts'
import { fold } from '../../engines/search/word-positions.ts'
import type { Services } from '../../http/context.ts'
import { readText } from '../content/reads.ts'
import { analyse, toAskedTerm } from './analyse.ts'
import { fairShares } from './fair-shares.ts'
import { findPassages, type Passage, type PassageServices } from './passages.ts'
import type { AskedSpace } from './spaces.ts'

/** A question and the passages found for it. */
export type QuestionPassages = {
  readonly question: Question
  /** Best first. */
  readonly passages: readonly Passage[]
}

type AskedQuery = {
  readonly query: string
  readonly previousQueries?: readonly string[]
  readonly signal: AbortSignal
}

/** The parts of an answer, each with its passage. */
export type Quoted = {
  readonly coverage: number
  readonly parts: readonly { readonly passage: Passage; readonly markdown: string }[]
}

const PASSAGES_MAX = 24
const TERMS_MIN = 2
// The Markdown of these is read, up to CHARACTERS_READ_MAX in total.
export const SECTIONS_READ_MAX = 16
const CHARACTERS_READ_MAX = 100_000

/**
 * A question of few words is combined with the one before it. One without any, such as "How does it work?", finds
 * sections with that title.
 */
export async function findFor(
  services: PassageServices,
  organizationId: string,
  spaces: readonly AskedSpace[],
  { query, previousQueries = [], signal }: AskedQuery,
): Promise<QuestionPassages> {
  const alone = askedAbout(query, fold)
  const isShort = parseQuery(alone).terms.length < TERMS_MIN
  const before = isShort ? previousQueries.findLast(one => askedAbout(one, fold) !== '') : undefined
  const about = before === undefined ? alone : `${askedAbout(before, fold)} ${alone}`.trim()
  const { passages, terms } = await findPassages(services, {
    ...{ organizationId, spaces, signal, limit: PASSAGES_MAX },
    words: about === '' ? query : about,
    question: before === undefined ? query : `${before}\n${query}`,
  })
  const languages = [...new Set(spaces.map(({ language }) => language))]
  return {
    question: { kind: kindOf(query), terms: terms.map(term => toAskedTerm(term, languages)) },
    passages: about === '' ? passages.filter(passage => isCalled(passage, query)) : passages,
  }
}

const NAME_WORDS_MIN = 2

/** Whether every word of a section's title is in the question. */
function isCalled({ title, heading, language }: Passage, query: string): boolean {
  const asked = new Set(Array.from(analyse(query, language), ({ key }) => key))
  const name = Array.from(analyse(heading === '' ? title : heading, language), ({ key }) => key)
  return name.length >= NAME_WORDS_MIN && name.every(key => asked.has(key))
}

/** Undefined if the documentation has no answer. */
export async function quoteFrom(
  services: Pick<Services, 'objects' | 'compute'>,
  lane: string,
  { question, passages }: QuestionPassages,
): Promise<Quoted | undefined> {
  const read = passages.slice(0, SECTIONS_READ_MAX)
  const quotable = await readQuotable(services, lane, read)
  const blocksOf = read.map(passage => quotable.get(keyOf(passage)) ?? [])
  const rooms = fairShares(blocksOf.map(lengthOf), CHARACTERS_READ_MAX)
  const sections = read.map(({ title, heading, language, score }, at): Section => {
    const blocks = beginningOf(blocksOf[at] ?? [], rooms[at] ?? 0)
    return { title, heading, language, score, blocks }
  })
  const found: Answer | undefined = answer(question, sections, analyse)
  if (found === undefined) return undefined
  return {
    coverage: found.coverage,
    parts: found.parts.flatMap(({ section, markdown }) => {
      const passage = read[section]
      return passage === undefined ? [] : [{ passage, markdown }]
    }),
  }
}

const lengthOf = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { pieces }) => pieces.reduce((all, { text }) => all + text.length, sum), 0)

/** Drops pieces beyond `charactersMax`, so that a long list does not crowd out other sections. */
function beginningOf(blocks: readonly Block[], charactersMax: number): Block[] {
  let left = charactersMax
  return blocks.map(block => ({
    ...block,
    pieces: block.pieces.filter(({ text }) => {
      left -= text.length
      return left >= 0
    }),
  }))
}

const keyOf = ({ document, ordinal }: { document: string; ordinal: number }) => `${document}:${ordinal}`

/** What can be quoted of each passage; of a page that is too much to be read, nothing. */
async function readQuotable(
  services: Pick<Services, 'objects' | 'compute'>,
  lane: string,
  passages: readonly Passage[],
): Promise<ReadonlyMap<string, QuotedSection['quotations']>> {
  const byDocument = Map.groupBy(passages, passage => passage.document)
  const read = await Promise.all(
    [...byDocument].map(async ([document, of]) => {
      const ordinals = of.map(({ ordinal }) => ordinal)
      const markdown = of[0]?.markdown ?? (await readText(services, document))
      const outcome = await services.compute.run('pageQuotations', lane, { markdown, ordinals })
      const sections = outcome.kind === 'done' ? outcome.value : []
      return sections.map(({ ordinal, quotations }) => [keyOf({ document, ordinal }), quotations] as const)
    }),
  )
  return new Map(read.flat())
}

const FOLLOW_UPS_MAX = 3

/** Follow-up questions, about what was found but not quoted. */
export function followUps(found: QuestionPassages, said: readonly Passage[]): string[] {
  const told = new Set(said.map(keyOf))
  const asked = new Set(
    found.question.terms.flatMap(({ readings }) =>
      readings.flatMap(({ words }) => words.flatMap(keys => [...keys])),
    ),
  )
  const isNew = ({ heading, language }: Passage) =>
    [...analyse(heading, language)].some(({ key }) => !asked.has(key))
  const questions = found.passages
    .filter(passage => !told.has(keyOf(passage)) && isNew(passage))
    .map(toQuestion)
  return [...new Set(questions.filter(question => question !== undefined))].slice(0, FOLLOW_UPS_MAX)
}
