// Tools about change requests: find them, see what they change, propose, and comment. None merges: that is left to
// people.
import { Type } from 'typebox'
import { type ChangeRequest, STATUSES } from '../api/change-requests/schema.ts'
import { BODY_CHARACTERS_MAX, type Comment } from '../api/comments/schema.ts'
import type { ChangeRequestContentUpdate, Outcome } from '../api/edits/schema.ts'
import { counted } from '../base/counted.ts'
import { Id, type List, OneOf } from '../http/list.ts'
import { at } from './api.ts'
import { ChangeRequestId, Cursor, OrganizationId, SpaceId } from './fields.ts'
import { organizationOf } from './organizations.ts'
import { PageChanges, toContentChange } from './page-changes.ts'
import { contentAt, readChanges } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

const CHANGE_REQUESTS_LISTED_MAX = 50
const CHARACTERS_MAX = 100_000

const toLineOf = ({ number, status, subject, space, createdBy, outdated, urls }: ChangeRequest): string =>
  `- #${number} ${toLine(subject) || 'without a subject'} (space ${space}, ${status}${outdated ? ', outdated' : ''}, by ${toLine(createdBy.displayName)}) ${urls.app}`

const listChangeRequests = tool({
  name: 'list_change_requests',
  title: 'List change requests',
  description: 'Lists change requests, of one space or of an organization, newest first.',
  input: Type.Object({
    space: Type.Optional(SpaceId),
    organization: Type.Optional(OrganizationId),
    status: Type.Optional(OneOf([...STATUSES, 'all'], 'Those with this status; open when absent.')),
    cursor: Type.Optional(Cursor),
  }),
  isReadOnly: true,
  async run(api, { space, organization, status, cursor }) {
    const place =
      space === undefined ? at`/orgs/${await organizationOf(api, organization)}` : at`/spaces/${space}`
    const { items, count, next } = await api.call<List<ChangeRequest>>('GET', `${place}/change-requests`, {
      query: { status, page: cursor, limit: CHANGE_REQUESTS_LISTED_MAX },
      excerpt: { kind: 'value', charactersMax: CHARACTERS_MAX, without: ['description'] },
    })
    return [
      `${counted(count, 'change request')}.`,
      ...items.map(toLineOf),
      ...(next === undefined ? [] : [`There are more: call again with cursor ${next.page}.`]),
    ].join('\n')
  },
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
  async run(api, { space, subject }) {
    const made = await api.call<ChangeRequest>('POST', at`/spaces/${space}/change-requests`, {
      body: { subject },
    })
    return `Change request #${made.number} was opened: ${made.urls.app}`
  },
})

const editChangeRequest = tool({
  name: 'edit_change_request',
  title: 'Edit a change request',
  description:
    'Inserts, updates and deletes pages of a change request. Read a page before you update it: the new text replaces the whole old one.',
  input: Type.Object({ space: SpaceId, changeRequest: ChangeRequestId, changes: PageChanges }),
  isDestructive: true,
  async run(api, { space, changeRequest, changes }) {
    const done = await api.call<ChangeRequestContentUpdate>(
      'POST',
      `${contentAt(space, changeRequest)}/content`,
      { query: { compat: false }, body: { changes: changes.map(toContentChange) } },
    )
    const { number, urls } = done.changeRequest
    return [
      `Change request #${number} was edited: ${urls.app}`,
      ...done.changes.map(outcome => `- ${toOutcome(outcome)}`),
      ...done.unresolved.map(
        ({ page = '', kind, path }) => `- ${kind} of ${page} that leads to nothing yet: ${toLine(path)}`,
      ),
    ].join('\n')
  },
})

function toOutcome(outcome: Outcome): string {
  const what = outcome.object.replaceAll('_', ' ')
  if (!('page' in outcome)) return what
  const id = typeof outcome.page === 'string' ? outcome.page : outcome.page.id
  return `${what} ${id}${'ref' in outcome ? ` (${outcome.ref})` : ''}`
}

const comment = tool({
  name: 'comment',
  title: 'Comment',
  description:
    'Posts a comment on a space, a change request, or a page of either. Participants are notified.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: Type.Optional(ChangeRequestId),
    page: Type.Optional(Id('The id of the page it is about.')),
    text: Type.String({ minLength: 1, maxLength: BODY_CHARACTERS_MAX, description: 'Markdown.' }),
  }),
  async run(api, { space, changeRequest, page, text }) {
    const posted = await api.call<Comment>('POST', `${contentAt(space, changeRequest)}/comments`, {
      body: { body: { markdown: text }, ...(page === undefined ? {} : { page }) },
    })
    return `The comment was posted, with the id ${posted.id}.`
  },
})

export const changeRequestTools: readonly Tool[] = [
  listChangeRequests,
  readChangesOf,
  createChangeRequest,
  editChangeRequest,
  comment,
]
