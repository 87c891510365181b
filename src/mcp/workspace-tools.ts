// The tools of a workspace: read and propose, in everything that the caller's token opens.
import { Type } from 'typebox'
import { type Answered, PREVIOUS_QUESTIONS_MAX, QUESTION_CHARACTERS_MAX } from '../api/ask/schema.ts'
import { at } from './api.ts'
import { changeRequestTools } from './change-request-tools.ts'
import { conflictTools } from './conflict-tools.ts'
import { decisionTools } from './decision-tools.ts'
import { discussionTools } from './discussion-tools.ts'
import { ChangeRequestId, Cursor, From, Limit, OrganizationId, Query, SpaceId } from './fields.ts'
import { describeSpaces, ListedSpaces, organizationOf } from './organizations.ts'
import { pageAddress, pageAt, pageName } from './page-name.ts'
import { contentAt, ListedPages, listPages, ReadPage, readPage, searchSpace } from './reads.ts'
import { Found, searchOrganization } from './search-organization.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

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
  output: ListedSpaces,
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
  output: Found,
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
  output: Type.Object({
    answer: Type.Optional(Type.String({ description: 'Markdown; absent: the documentation does not say.' })),
    sources: Type.Array(Type.Object({ page: Type.String(), space: Type.String() })),
  }),
  async run(api, { question, previousQuestions = [], organization }) {
    const id = await organizationOf(api, organization)
    const { answer } = await api.call<Answered>('POST', at`/orgs/${id}/ask`, {
      query: { format: 'markdown' },
      body: { query: question, previousQueries: previousQuestions },
    })
    if (answer.answer === undefined || !('markdown' in answer.answer))
      return { text: 'The documentation does not answer this.', data: { sources: [] } }
    const sources = answer.sources.map(({ page, space }) => ({ page, space }))
    const lines = sources.map(({ page, space }) => `- page ${page} of space ${space}`)
    const { markdown } = answer.answer
    return { text: [markdown, '', 'Sources:', ...lines].join('\n'), data: { answer: markdown, sources } }
  },
})

const listPagesOf = tool({
  name: 'list_pages',
  title: 'List pages',
  description: 'Lists the pages of a space, or of a change request, in the order of the navigation.',
  input: Type.Object({ ...content, from: Type.Optional(From) }),
  isReadOnly: true,
  output: ListedPages,
  run: (api, { space, changeRequest, from }) =>
    listPages(api, contentAt(space, changeRequest), { which: 'all', from }),
})

const readPageOf = tool({
  name: 'read_page',
  title: 'Read a page',
  description:
    'Reads a page of a space, or of a change request, as Markdown: by its id or its path, or by its address alone.',
  input: Type.Object({
    space: Type.Optional(SpaceId),
    changeRequest: content.changeRequest,
    ...pageName,
    address: pageAddress,
    from: Type.Optional(From),
  }),
  isReadOnly: true,
  output: ReadPage,
  run(api, { space, changeRequest, address, from, ...name }) {
    if (address === undefined) {
      if (space === undefined)
        throw new ArgumentError('arguments: name the page by space and one of page and path, or by address.')
      return readPage(api, contentAt(space, changeRequest), { ...name, from })
    }
    if (name.page !== undefined || name.path !== undefined)
      throw new ArgumentError('arguments: name the page by address, or by page or path, and not by both.')
    const { space: there, changeRequest: number = changeRequest, ...found } = pageAt(address)
    return readPage(api, contentAt(there, number), { ...found, from })
  },
})

export const workspaceTools: readonly Tool[] = [
  ...[listSpaces, search, ask, listPagesOf, readPageOf],
  ...changeRequestTools,
  ...discussionTools,
  ...conflictTools,
  ...decisionTools,
]
