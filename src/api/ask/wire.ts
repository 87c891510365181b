// Converts answers to their wire format.
import type { Services } from '../../http/context.ts'
import type { Passage } from './passages.ts'
import { type QuestionPassages, type Quoted, SECTIONS_READ_MAX } from './quoting.ts'
import type { AnswerDetails, SearchAIAnswer, Source } from './schema.ts'

/** The id that search gives it. */
const sectionId = ({ pageId, anchor }: Pick<Passage, 'pageId' | 'anchor'>): string =>
  anchor === '' ? pageId : `${pageId}#${anchor}`

/** Its address in the reader. */
export const addressOf = ({ urls }: Pick<Services, 'urls'>, { space, path, anchor }: Passage): string => {
  const page = urls.page(space, path)
  return anchor === '' ? page : `${page}#${encodeURIComponent(anchor)}`
}

const nameOf = ({ title, heading }: Passage): string =>
  heading === '' || heading === title ? title : `${title} › ${heading}`

/** A link to the section, as Markdown. */
const citation = (services: Pick<Services, 'urls'>, passage: Passage): string =>
  `[${nameOf(passage).replaceAll(/[\\[\]`*_<>]/g, '\\$&')}](${addressOf(services, passage)})`

/** Each quotation with a link to its section. */
export const toMarkdown = (services: Pick<Services, 'urls'>, { parts }: Quoted): string =>
  parts.map(({ passage, markdown }) => `${markdown}\n\n${citation(services, passage)}`).join('\n\n')

/** A source for each page, with the sections of it that were used. */
export function toSources(passages: readonly Passage[]): Source[] {
  const byPage = Map.groupBy(passages, ({ space, pageId }) => `${space}:${pageId}`)
  return [...byPage.values()].flatMap(ofPage => {
    const [first] = ofPage
    if (first === undefined) return []
    const { pageId: page, revision, space } = first
    const sections = [...new Set(ofPage.map(sectionId))]
    const names = [...new Set(ofPage.map(nameOf))].map(name => `“${name}”`).join(', ')
    return { type: 'page', reason: `Says this in ${names}.`, page, revision, space, sections }
  })
}

/** `dropped`: sentences of the model that nothing supports. */
export const toDetails = (
  engine: AnswerDetails['engine'],
  model: AnswerDetails['model'],
  { question, passages }: QuestionPassages,
  dropped: number,
): AnswerDetails => ({
  ...{ engine, model, dropped },
  terms: question.terms.map(({ word, weight }) => ({ word, weight: round(weight) })),
  passages: passages.slice(0, SECTIONS_READ_MAX).map(passage => ({
    space: passage.space,
    section: sectionId(passage),
    score: round(passage.score),
  })),
})

const round = (value: number): number => Math.round(value * 1000) / 1000

export const NO_ANSWER: SearchAIAnswer = { followupQuestions: [], sources: [] }
