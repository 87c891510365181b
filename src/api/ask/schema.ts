// The wire of answers.
import { type Static, Type } from 'typebox'
import { model, OneOf } from '../../http/list.ts'
import { RichDocument } from '../../http/rich-document.ts'

export const QUESTION_CHARACTERS_MAX = 512
export const PREVIOUS_QUESTIONS_MAX = 10

const QuestionText = Type.String({
  minLength: 1,
  maxLength: QUESTION_CHARACTERS_MAX,
  description: 'The question, in any language.',
})

const options = {
  format: Type.Optional(OneOf(['document', 'markdown'], 'The format of the answer; Markdown when absent.')),
  details: Type.Optional(Type.Boolean({ description: 'Adds how the answer was made, as `octavo`.' })),
}

export const AskOptions = Type.Object(options)
export const StreamedQuestion = Type.Object({ query: QuestionText, ...options })
export type AnswerOptions = Static<typeof AskOptions>

export const SearchAIQuery = model('SearchAIQuery', {
  query: QuestionText,
  previousQueries: Type.Optional(
    Type.Array(Type.String({ maxLength: QUESTION_CHARACTERS_MAX }), {
      maxItems: PREVIOUS_QUESTIONS_MAX,
      description: 'Earlier questions, oldest first: a follow-up question is understood with them.',
    }),
  ),
})

const Source = model('SearchAIAnswerSource', {
  type: OneOf(['page']),
  reason: Type.Optional(Type.String({ description: 'How it was used.' })),
  page: Type.String(),
  revision: Type.String({ description: 'The revision of the space that it was read from.' }),
  space: Type.String(),
  sections: Type.Array(Type.String(), {
    description: 'The ids of its sections that were used, as search names them: `<page>#<anchor>`.',
  }),
})
export type Source = Static<typeof Source>

export const SearchAIAnswer = model('SearchAIAnswer', {
  answer: Type.Optional(
    Type.Union([Type.Object({ markdown: Type.String() }), Type.Object({ document: RichDocument })]),
  ),
  followupQuestions: Type.Array(Type.String()),
  sources: Type.Array(Source),
})
export type SearchAIAnswer = Static<typeof SearchAIAnswer>

export const AnswerDetails = model('AnswerDetails', {
  engine: OneOf(['quotations', 'model'], 'What wrote the answer.'),
  model: OneOf(
    ['none', 'used', 'spent', 'failed', 'unsupported'],
    '`none`: there is no model. `used`: it wrote the answer. `spent`: the organization has used up its hourly limit. `failed`: it did not answer. `unsupported`: the passages support nothing of its text.',
  ),
  dropped: Type.Integer({
    minimum: 0,
    description: 'Sentences of the model that were left out because no passage supports them.',
  }),
  terms: Type.Array(Type.Object({ word: Type.String(), weight: Type.Number() }), {
    description: 'The words of the question, and how rare each is.',
  }),
  passages: Type.Array(Type.Object({ space: Type.String(), section: Type.String(), score: Type.Number() }), {
    description: 'The sections that were read, best first.',
  }),
})
export type AnswerDetails = Static<typeof AnswerDetails>

export const Answered = Type.Object({ answer: SearchAIAnswer, octavo: Type.Optional(AnswerDetails) })
export type Answered = Static<typeof Answered>

export const AnswerStream = model('SearchAIAnswerStream', {
  type: OneOf(['answer']),
  answer: SearchAIAnswer,
  octavo: Type.Optional(AnswerDetails),
})
export type AnswerStream = Static<typeof AnswerStream>

export const RecommendedQuestions = model('SearchAIRecommendedQuestions', {
  questions: Type.Array(Type.String()),
})
export type RecommendedQuestions = Static<typeof RecommendedQuestions>
export const RecommendedQuestion = model('SearchAIRecommendedQuestionStream', { question: Type.String() })
export type RecommendedQuestion = Static<typeof RecommendedQuestion>
