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

const operation = operationsOf<'organization', OrganizationAt>()
const stream = streamsOf<'organization', OrganizationAt>()

const FROM = 'From the spaces that you may see: their live content, without pages that are not to be found.'

export const askOperations = mount(
  [inOrganization],
  [
    operation({
      id: 'askInOrganization',
      method: 'POST',
      path: '/ask',
      summary: 'Ask a question',
      description: `${FROM} Where the documentation does not say, the inner \`answer\` is absent and \`sources\` is empty.`,
      tag: 'Ask',
      may: 'view',
      scope: 'organization:ask',
      isReadOnly: true,
      query: AskOptions,
      body: SearchAIQuery,
      reply: Answered,
      run: async ({ context, at, query, body, signal }) => {
        let last: AnswerStream | undefined
        for await (const answer of ask(context, at.organization.id, { ...query, ...body, signal }))
          last = answer
        const { answer, octavo } = last as AnswerStream
        return { answer, ...(octavo === undefined ? {} : { octavo }) }
      },
    }),
    stream({
      id: 'streamAskInOrganization',
      path: '/ask/stream',
      summary: 'Ask a question, answered as it is written',
      description: `${FROM} Each event holds the whole answer so far and takes the place of the one before it; the last has all sources and follow-up questions.`,
      tag: 'Ask',
      may: 'view',
      scope: 'organization:ask',
      query: StreamedQuestion,
      reply: AnswerStream,
      run: async ({ context, at, query, signal }) => ask(context, at.organization.id, { ...query, signal }),
    }),
    operation({
      id: 'getRecommendedQuestionsInOrganization',
      method: 'GET',
      path: '/ask/questions',
      summary: 'Questions to begin with',
      description: `What the documentation answers. ${FROM}`,
      tag: 'Ask',
      may: 'view',
      scope: 'organization:ask',
      reply: RecommendedQuestions,
      run: async ({ context, at }) => ({ questions: await suggestQuestions(context, at.organization.id) }),
    }),
    stream({
      id: 'streamRecommendedQuestionsInOrganization',
      path: '/ask/questions/stream',
      summary: 'Questions to begin with, one by one',
      description: `The same questions, each in an event. ${FROM}`,
      tag: 'Ask',
      may: 'view',
      scope: 'organization:ask',
      reply: RecommendedQuestion,
      run: async ({ context, at }) => streamOf(await suggestQuestions(context, at.organization.id)),
    }),
  ],
)

async function* streamOf(questions: readonly string[]): AsyncGenerator<RecommendedQuestion> {
  for (const question of questions) yield { question }
}
