// The tools of a workspace: read and propose, in everything that the caller's token opens.
import { Type } from 'typebox'
import { type Answered, PREVIOUS_QUESTIONS_MAX, QUESTION_CHARACTERS_MAX } from '../api/ask/schema.ts'
import { at } from './api.ts'
import { changeRequestTools } from './change-request-tools.ts'
import { ChangeRequestId, Cursor, From, Limit, OrganizationId, Query, SpaceId } from './fields.ts'
import { describeSpaces, organizationOf } from './organizations.ts'
import { pageName } from './page-name.ts'
import { contentAt, listPages, readPage, searchSpace } from './reads.ts'
import { searchOrganization } from './search-organization.ts'
import { type Tool, tool } from './tool.ts'

const content = { space: SpaceId, changeRequest: Type.Optional(ChangeRequestId) }

const listSpaces = tool({
  name: 'list_spaces',
  title: 'List spaces',
  description: 'Lists your organizations and the spaces of documentation in them, with their ids.',
  input: Type.Object({
    organization: Type.Optional(OrganizationId),
    cursor: Type.Optional(Cursor),
    all: Type.Optional(
      Type.Boolean({
        description:
          'Also those that searches of the organization leave out, such as the guide of this server.',
      }),
    ),
  }),
  isReadOnly: true,
  run: describeSpaces,
})

const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Finds pages by words: in one space, or in all spaces of an organization that you may read. Answers titles, ids, addresses and the sections that were found.',
  input: Type.Object({
    query: Query,
    space: Type.Optional(SpaceId),
    organization: Type.Optional(OrganizationId),
    limit: Type.Optional(Limit),
  }),
  isReadOnly: true,
  run: async (api, { space, organization, ...request }) =>
    space === undefined
      ? searchOrganization(api, await organizationOf(api, organization), request)
      : searchSpace(api, space, request),
})

const ask = tool({
  name: 'ask',
  title: 'Ask',
  description:
    'Answers a question from the documentation of an organization, with the pages that it comes from. Says so where the documentation does not answer it.',
  input: Type.Object({
    question: Type.String({ minLength: 1, maxLength: QUESTION_CHARACTERS_MAX }),
    previousQuestions: Type.Optional(
      Type.Array(Type.String({ maxLength: QUESTION_CHARACTERS_MAX }), {
        maxItems: PREVIOUS_QUESTIONS_MAX,
        description: 'What was asked before, oldest first.',
      }),
    ),
    organization: Type.Optional(OrganizationId),
  }),
  isReadOnly: true,
  async run(api, { question, previousQuestions = [], organization }) {
    const id = await organizationOf(api, organization)
    const { answer } = await api.call<Answered>('POST', at`/orgs/${id}/ask`, {
      query: { format: 'markdown' },
      body: { query: question, previousQueries: previousQuestions },
    })
    if (answer.answer === undefined || !('markdown' in answer.answer))
      return 'The documentation does not answer this.'
    const sources = answer.sources.map(({ page, space }) => `- page ${page} of space ${space}`)
    return [answer.answer.markdown, '', 'Sources:', ...sources].join('\n')
  },
})

const listPagesOf = tool({
  name: 'list_pages',
  title: 'List pages',
  description: 'Lists the pages of a space, or of a change request, in the order of the navigation.',
  input: Type.Object({ ...content, from: Type.Optional(From) }),
  isReadOnly: true,
  run: (api, { space, changeRequest, from }) =>
    listPages(api, contentAt(space, changeRequest), { which: 'all', from }),
})

const readPageOf = tool({
  name: 'read_page',
  title: 'Read a page',
  description: 'Reads a page of a space, or of a change request, as Markdown.',
  input: Type.Object({ ...content, ...pageName, from: Type.Optional(From) }),
  isReadOnly: true,
  run: (api, { space, changeRequest, ...name }) => readPage(api, contentAt(space, changeRequest), name),
})

export const workspaceTools: readonly Tool[] = [
  ...[listSpaces, search, ask, listPagesOf, readPageOf],
  ...changeRequestTools,
]
