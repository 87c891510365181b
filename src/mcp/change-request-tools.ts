// Tools about change requests: find them, see what they are and what they change, propose, and edit.
import { type Static, Type } from 'typebox'
import { type ChangeRequest, STATUSES } from '../api/change-requests/schema.ts'
import type { ChangeRequestContentUpdate, Outcome } from '../api/edits/schema.ts'
import { counted } from '../base/counted.ts'
import { Id, type List, OneOf } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { ChangeRequestState, describeChangeRequest } from './change-request-state.ts'
import { ChangeRequestId, Cursor, OrganizationId, SpaceId } from './fields.ts'
import { organizationOf } from './organizations.ts'
import { ChangeRequestSummary, Next, toSummary } from './outputs.ts'
import { PageChanges, toContentChanges } from './page-changes.ts'
import { contentAt, ReadChanges, readChanges } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

const CHANGE_REQUESTS_LISTED_MAX = 50
const CHARACTERS_MAX = 100_000

const toLineOf = ({ number, status, subject, space, createdBy, outdated, urls }: ChangeRequest): string =>
  `- #${number} ${toLine(subject) || 'without a subject'} (space ${space}, ${status}${outdated ? ', outdated' : ''}, by ${toLine(createdBy.displayName)}) ${urls.app}`

const listChangeRequests = tool({
  name: 'list_change_requests',
  title: 'List change requests',
  description:
    'Lists change requests, of one space or of an organization, newest first: those that are open, unless status names others. Says how many it left out.',
  input: Type.Object({
    space: Type.Optional(SpaceId),
    organization: Type.Optional(OrganizationId),
    status: Type.Optional(OneOf([...STATUSES, 'all'], 'Those with this status; open when absent.')),
    cursor: Type.Optional(Cursor),
  }),
  output: Type.Object({
    count: Type.Integer({ description: 'All with this status.' }),
    others: Type.Integer({ description: 'Those with another status, which are left out.' }),
    changeRequests: Type.Array(ChangeRequestSummary),
    cursor: Next.cursor,
  }),
  isReadOnly: true,
  async run(api, { space, organization, status = 'open', cursor }) {
    const place =
      space === undefined ? at`/orgs/${await organizationOf(api, organization)}` : at`/spaces/${space}`
    const list = (query: Readonly<Record<string, string | number | undefined>>) =>
      api.call<List<ChangeRequest>>('GET', `${place}/change-requests`, {
        query,
        excerpt: { kind: 'value', charactersMax: CHARACTERS_MAX, without: ['description'] },
      })
    const { items, count, next } = await list({ status, page: cursor, limit: CHANGE_REQUESTS_LISTED_MAX })
    const all = status === 'all' ? count : (await list({ status: 'all', limit: 0 })).count
    const others = Math.max(0, all - count)
    const lines = [
      `${counted(count, 'change request')}${status === 'all' ? '' : ` with the status ${status}`}.`,
      ...items.map(toLineOf),
      ...(next === undefined ? [] : [`There are more: call again with cursor ${next.page}.`]),
      ...(others === 0
        ? []
        : [
            `Left out: ${counted(others, 'change request')} with another status. Call with status all to see them.`,
          ]),
    ]
    return {
      text: lines.join('\n'),
      data: {
        ...{ count, others, changeRequests: items.map(toSummary) },
        ...(next === undefined ? {} : { cursor: next.page }),
      },
    }
  },
})

const readChangeRequest = tool({
  name: 'read_change_request',
  title: 'Read a change request',
  description:
    'Shows what a change request is about, who was asked to review it, what the reviews say, and what blocks a merge. Its changes are shown by read_changes, its discussion by read_comments.',
  input: Type.Object({ space: SpaceId, changeRequest: ChangeRequestId }),
  output: ChangeRequestState,
  isReadOnly: true,
  run: (api, { space, changeRequest }) => describeChangeRequest(api, contentAt(space, changeRequest)),
})

const readChangesOf = tool({
  name: 'read_changes',
  title: 'Read changes',
  description:
    'Shows the changes of a change request, or of a revision of a space: pages, their fields, and removed (-) and added (+) text. Read the text of a new page with read_page.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: Type.Optional(ChangeRequestId),
    revision: Type.Optional(Id('The id of a revision, instead of a change request.')),
  }),
  output: ReadChanges,
  isReadOnly: true,
  run(api, { space, changeRequest, revision }) {
    if (changeRequest !== undefined && revision === undefined)
      return readChanges(api, contentAt(space, changeRequest))
    if (revision !== undefined && changeRequest === undefined)
      return readChanges(api, at`/spaces/${space}/revisions/${revision}`)
    throw new ArgumentError('arguments: name one of changeRequest and revision.')
  },
})

const createChangeRequest = tool({
  name: 'create_change_request',
  title: 'Open a change request',
  description:
    'Opens a change request on a space: a draft with its content, for edit_change_request to change. Readers see nothing of it until somebody merges it.',
  input: Type.Object({
    space: SpaceId,
    subject: Type.String({ minLength: 1, maxLength: 100, description: 'What it is about, in one line.' }),
  }),
  output: ChangeRequestSummary,
  async run(api, { space, subject }) {
    const made = await api.call<ChangeRequest>('POST', at`/spaces/${space}/change-requests`, {
      body: { subject },
    })
    return {
      text: `Change request #${made.number} was opened: ${made.urls.app}`,
      data: toSummary(made),
    }
  },
})

const editChangeRequest = tool({
  name: 'edit_change_request',
  title: 'Edit a change request',
  description:
    'Inserts, updates and deletes pages of a change request, all or none. To change some words of a page, use replace_text; update_page replaces the whole text, so read the page first.',
  input: Type.Object({ space: SpaceId, changeRequest: ChangeRequestId, changes: PageChanges }),
  output: Type.Object({
    ...ChangeRequestSummary.properties,
    changes: Type.Array(
      Type.Object({
        what: Type.String(),
        page: Type.Optional(Type.String()),
        ref: Type.Optional(Type.String()),
      }),
    ),
    unresolved: Type.Array(
      Type.Object({ page: Type.Optional(Type.String()), kind: Type.String(), path: Type.String() }),
      { description: 'What the texts refer to and this content does not have.' },
    ),
  }),
  isDestructive: true,
  async run(api, { space, changeRequest, changes }) {
    const content = contentAt(space, changeRequest)
    const sent = await toContentChanges(api, content, changes)
    const done = await api.call<ChangeRequestContentUpdate>('POST', `${content}/content`, {
      query: { compat: false },
      body: { changes: sent },
    })
    const outcomes = done.changes.map(toOutcome)
    const lines = [
      `Change request #${done.changeRequest.number} was edited: ${done.changeRequest.urls.app}`,
      ...outcomes.map(
        ({ what, page, ref }) =>
          `- ${what}${page === undefined ? '' : ` ${page}`}${ref === undefined ? '' : ` (${ref})`}`,
      ),
      ...done.unresolved.map(
        ({ page = '', kind, path }) => `- ${kind} of ${page} that leads to nothing yet: ${toLine(path)}`,
      ),
    ]
    return {
      text: lines.join('\n'),
      data: {
        ...toSummary(done.changeRequest),
        changes: outcomes,
        unresolved: done.unresolved.map(({ page, kind, path }) => ({
          ...{ kind, path },
          ...(page === undefined ? {} : { page }),
        })),
      },
    }
  },
})

function toOutcome(outcome: Outcome): { what: string; page?: string; ref?: string } {
  const what = outcome.object.replaceAll('_', ' ')
  if (!('page' in outcome)) return { what }
  const page = typeof outcome.page === 'string' ? outcome.page : outcome.page.id
  return 'ref' in outcome && outcome.ref !== undefined ? { what, page, ref: outcome.ref } : { what, page }
}

const submitChangeRequest = tool({
  name: 'submit_change_request',
  title: 'Submit a change request',
  description:
    'Takes a change request out of draft, so that people review it. Ask particular people with request_reviewers.',
  input: Type.Object({ space: SpaceId, changeRequest: ChangeRequestId }),
  output: ChangeRequestSummary,
  async run(api, { space, changeRequest }) {
    const opened = await setOpen(api, contentAt(space, changeRequest))
    return { text: `Change request #${opened.number} is open: ${opened.address}`, data: opened }
  },
})

const setOpen = async (api: Api, content: string): Promise<Static<typeof ChangeRequestSummary>> =>
  toSummary(await api.call<ChangeRequest>('PATCH', content, { body: { status: 'open' } }))

export const changeRequestTools: readonly Tool[] = [
  listChangeRequests,
  readChangeRequest,
  readChangesOf,
  createChangeRequest,
  editChangeRequest,
  submitChangeRequest,
]
