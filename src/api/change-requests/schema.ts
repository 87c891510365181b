// The wire of change requests.
import { type Static, Type } from 'typebox'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { dates, ListOf, model, named, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { RichDocument } from '../../http/rich-document.ts'
import { User } from '../accounts/schema.ts'

export const STATUSES = ['draft', 'open', 'archived', 'merged'] as const
export type Status = (typeof STATUSES)[number]

export const SUBJECT_CHARACTERS_MAX = 100
const Subject = Type.String({ maxLength: SUBJECT_CHARACTERS_MAX })

export const ChangeRequest = model('ChangeRequest', {
  object: OneOf(['change-request']),
  id: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'Counts from 1 in each space.' }),
  status: OneOf(STATUSES),
  subject: Subject,
  description: Type.Optional(RichDocument),
  descriptionMarkdown: Type.Optional(
    Type.String({ description: 'Octavo extension: the same as Markdown, if `format` asks for it.' }),
  ),
  createdBy: User,
  ...dates,
  space: Type.String(),
  revision: Type.String({ description: 'The head of the change request.' }),
  revisionInitial: Type.String({ description: 'The revision of the space that it started from.' }),
  revisionMergedAncestor: Type.Optional(
    Type.String({ description: 'The revision of the space that it was last brought up to date with.' }),
  ),
  revisionMerged: Type.Optional(Type.String({ description: 'The revision of the space that it became.' })),
  mergedBy: Type.Optional(User),
  mergedAt: Type.Optional(Timestamp),
  comments: Type.Integer({ minimum: 0, description: 'Open comments.' }),
  reviews: Type.Optional(
    Type.Object(
      {
        approved: Type.Integer({ minimum: 0 }),
        changesRequested: Type.Integer({ minimum: 0 }),
        requested: Type.Integer({
          minimum: 0,
          description: 'People and teams who have been asked and have not answered.',
        }),
      },
      { description: 'Octavo extension: in lists, how many current reviews say what.' },
    ),
  ),
  conflicts: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Octavo extension: in lists, how many conflicts it has with the space; absent until they are counted.',
    }),
  ),
  outdated: Type.Boolean({ description: 'The space has changed since it was last brought up to date.' }),
  conversationsIssuesCluster: Type.Optional(Type.String()),
  urls: Type.Object({ app: Url, location: Url }),
})
export type ChangeRequest = Static<typeof ChangeRequest>

export const ChangeRequests = ListOf(ChangeRequest)

const UserId = RefTo('user')

export const ListChangeRequests = PageOf({
  status: Type.Optional(OneOf([...STATUSES, 'all'], '`open` when absent; `all` is an Octavo extension.')),
  creator: Type.Optional(UserId),
  contributor: Type.Optional(UserId),
  requestedReviewer: Type.Optional(UserId),
  conversationsIssuesCluster: Type.Optional(RefTo('issuesCluster')),
})
export type ListChangeRequests = Static<typeof ListChangeRequests>

// The action tells them apart.
const SentDescription = Type.Unsafe<JSONDocument | { markdown: string }>({
  anyOf: [RichDocument, Type.Object({ markdown: Type.String() })],
  description: 'A rich document; as an Octavo extension also Markdown.',
})
export type SentDescription = Static<typeof SentDescription>

const words = {
  subject: Type.Optional(Subject),
  description: Type.Optional(SentDescription),
}

export const GetChangeRequest = Type.Object({
  format: Type.Optional(OneOf(['markdown'], 'Adds `descriptionMarkdown`.')),
})

export const CreateChangeRequest = Type.Object({
  ...words,
  agentTaskId: Type.Optional(RefTo('agentTask', 'The agent task that it completes.')),
})
export type CreateChangeRequest = Static<typeof CreateChangeRequest>

/** A description is for people; longer text belongs in a page. */
export const DESCRIPTION_BYTES_MAX = 64 * 1024

export const ChangeChangeRequest = Type.Object({
  ...words,
  status: Type.Optional(OneOf(['draft', 'open', 'archived'])),
})
export type ChangeChangeRequest = Static<typeof ChangeChangeRequest>

const request = {
  revision: Type.String({ description: 'The head of the change request when the review was asked for.' }),
  requestedBy: User,
  createdAt: Timestamp,
}
const RequestedUser = model('ChangeRequestRequestedUser', {
  object: OneOf(['change-request-requested-reviewer']),
  kind: OneOf(['user']),
  user: User,
  ...request,
})
const RequestedTeam = model('ChangeRequestRequestedTeam', {
  object: OneOf(['change-request-requested-reviewer']),
  kind: OneOf(['team']),
  team: Type.Object({ id: Type.String(), title: Type.String() }),
  ...request,
})

export const RequestedReviewer = named(
  'ChangeRequestRequestedReviewer',
  Type.Union([RequestedUser, RequestedTeam]),
)
export type RequestedReviewer = Static<typeof RequestedReviewer>

export const RequestedReviewers = ListOf(RequestedReviewer)

/** Open review requests of one change request. */
export const REQUESTED_REVIEWERS_MAX = 100

export const ListPossibleReviewers = PageOf({
  search: Type.Optional(
    Type.String({ maxLength: 256, description: 'A part of a name or of an email address, in any case.' }),
  ),
})
export type ListPossibleReviewers = Static<typeof ListPossibleReviewers>

export const PossibleReviewers = ListOf(User)

export const ListPossibleTeams = PageOf({
  search: Type.Optional(Type.String({ maxLength: 256, description: 'A part of a title, in any case.' })),
})
export type ListPossibleTeams = Static<typeof ListPossibleTeams>

const PossibleTeam = Type.Object({ id: Type.String(), title: Type.String() })
export type PossibleTeam = Static<typeof PossibleTeam>
export const PossibleTeams = ListOf(PossibleTeam)

export const RequestReviewers = Type.Object({
  ...words,
  users: Type.Array(UserId, {
    maxItems: REQUESTED_REVIEWERS_MAX,
    description: 'Members who may review in the space; those asked before are asked again.',
  }),
  teams: Type.Optional(
    Type.Array(RefTo('team'), {
      maxItems: REQUESTED_REVIEWERS_MAX,
      description:
        'Octavo extension: teams with a member who may review in the space. A review by any of its members answers the request.',
    }),
  ),
})
export type RequestReviewers = Static<typeof RequestReviewers>

export const ReviewersRequested = Type.Object({
  users: Type.Array(RequestedUser),
  teams: Type.Array(RequestedTeam),
})

/** Somebody who took part in something, how often and when last. */
export const UserContributor = model('UserContributor', {
  updatedAt: Timestamp,
  count: Type.Integer({ minimum: 1 }),
  user: User,
})

export const Contributor = model('ChangeRequestUserContributor', {
  ...UserContributor.properties,
  actionType: OneOf(['edit', 'comment']),
})
export type Contributor = Static<typeof Contributor>

export const Contributors = ListOf(Contributor)
