// Asking the documentation of an organization.
import { mount, operationsOf, streamsOf } from '../../http/operation.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { ask } from './asking.ts'
import {
  Answered,
  AnswerStream,
  AskOptions,
  RecommendedQuestion,
  RecommendedQuestions,
  SearchAIQuery,
  StreamedQuestion,
} from './schema.ts'
import { suggestQuestions } from './suggesting.ts'
import { NO_ANSWER } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()
const stream = streamsOf<'organization', OrganizationAt>()

const shared = { tag: 'Ask', may: 'view', scope: 'organization:ask' } as const

const FROM =
  'Uses the live content of the spaces that you may see, without pages that are hidden from search.'

export const askOperations = mount(
  [inOrganization],
  [
    operation({
      ...shared,
      id: 'askInOrganization',
      method: 'POST',
      path: '/ask',
      summary: 'Ask a question',
      description: `${FROM} If the documentation has no answer, the inner \`answer\` is absent and \`sources\` is empty.`,
      isReadOnly: true,
      query: AskOptions,
      body: SearchAIQuery,
      reply: Answered,
      run: async ({ context, at, query, body, signal }) => {
        let last: Answered = { answer: NO_ANSWER }
        for await (const { type: _, ...answered } of ask(context, at.organization.id, {
          ...{ ...query, ...body, signal },
        }))
          last = answered
        return last
      },
    }),
    stream({
      ...shared,
      id: 'streamAskInOrganization',
      path: '/ask/stream',
      summary: 'Ask a question, with a streamed answer',
      description: `${FROM} Each event has the whole answer so far and replaces the one before it; the last has all sources and follow-up questions.`,
      query: StreamedQuestion,
      reply: AnswerStream,
      run: async ({ context, at, query, signal }) => ask(context, at.organization.id, { ...query, signal }),
    }),
    operation({
      ...shared,
      id: 'getRecommendedQuestionsInOrganization',
      method: 'GET',
      path: '/ask/questions',
      summary: 'List suggested questions',
      description: `Questions that the documentation answers. ${FROM}`,
      reply: RecommendedQuestions,
      run: async ({ context, at }) => ({ questions: await suggestQuestions(context, at.organization.id) }),
    }),
    stream({
      ...shared,
      id: 'streamRecommendedQuestionsInOrganization',
      path: '/ask/questions/stream',
      summary: 'Stream suggested questions',
      description: `The same questions, each in an event. ${FROM}`,
      reply: RecommendedQuestion,
      run: async ({ context, at }) => streamOf(await suggestQuestions(context, at.organization.id)),
    }),
  ],
)

async function* streamOf(questions: readonly string[]): AsyncGenerator<RecommendedQuestion> {
  for (const question of questions) yield { question }
}
