// Change requests: proposed changes of a space.
import { Type } from 'typebox'
import { seesClusters } from '../../access/sees-clusters.ts'
import { Id, Paging, toList } from '../../http/list.ts'
import { mount, operationsOf, programOperationsOf } from '../../http/operation.ts'
import { minimal } from '../../http/replies.ts'
import { toUser } from '../accounts/wire.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { changeChangeRequest } from './actions.ts'
import { listContributors } from './contributors.ts'
import { writeDescription } from './description.ts'
import { listChangeRequestsOfOrganization, listChangeRequestsOfSpace } from './lists.ts'
import { type ChangeRequestAt, onChangeRequest } from './place.ts'
import {
  listPossibleReviewers,
  listPossibleTeams,
  requestReviewers,
  seesTeams,
  withdrawRequest,
} from './reviewers.ts'
import { listRequestedReviewers } from './rows.ts'
import {
  ChangeChangeRequest,
  ChangeRequest,
  ChangeRequests,
  Contributors,
  GetChangeRequest,
  ListChangeRequests,
  ListPossibleReviewers,
  ListPossibleTeams,
  PossibleReviewers,
  PossibleTeams,
  RequestedReviewers,
  RequestReviewers,
  ReviewersRequested,
} from './schema.ts'
import { toChangeRequest, toContributor, toRequestedReviewer } from './wire.ts'

const organizationOperation = operationsOf<'organization', OrganizationAt>()
const operation = operationsOf<'space', ChangeRequestAt>()
const programOperation = programOperationsOf<'space', ChangeRequestAt>()
const programSpaceOperation = programOperationsOf<'space', SpaceAt>()

const PROGRAMS = ['user', 'installation'] as const
const reading = { method: 'GET', tag: 'Change requests', scope: 'space:read' } as const
const writing = { tag: 'Change requests', may: 'edit', scope: 'change-request:write' } as const

export const changeRequestOperations = [
  ...mount(
    [inOrganization],
    [
      organizationOperation({
        ...reading,
        id: 'listChangeRequestsForOrganization',
        path: '/change-requests',
        summary: 'List change requests of an organization',
        description:
          'The change requests of all spaces that you are a member of, most recently changed first.',
        may: 'view',
        query: ListChangeRequests,
        reply: ChangeRequests,
        run: async ({ context, at: { organization }, query }) =>
          toList(
            await listChangeRequestsOfOrganization(context, organization.id, query),
            toChangeRequest,
            context,
          ),
      }),
    ],
  ),
  ...mount(
    [onSpace],
    [
      programSpaceOperation({
        ...reading,
        by: PROGRAMS,
        id: 'listChangeRequestsForSpace',
        path: '/change-requests',
        summary: 'List change requests of a space',
        description: 'Most recently changed first.',
        may: 'access',
        query: ListChangeRequests,
        reply: ChangeRequests,
        run: async ({ context, at: { space }, query }) => {
          const maySeeClusters = seesClusters(context.principal, space.organization_id)
          return toList(
            await listChangeRequestsOfSpace(context.db, space.id, maySeeClusters, query),
            toChangeRequest,
            context,
          )
        },
      }),
    ],
  ),
  ...mount(
    [onChangeRequest],
    [
      programOperation({
        ...reading,
        by: PROGRAMS,
        id: 'getChangeRequestById',
        path: '',
        summary: 'Get a change request',
        may: 'access',
        query: GetChangeRequest,
        reply: ChangeRequest,
        run: async ({ context, at: { space, changeRequest }, query }) => {
          const shown = toChangeRequest(context, changeRequest)
          const { description } = changeRequest
          if (query.format === undefined || description === null) return shown
          return { ...shown, descriptionMarkdown: await writeDescription(context, space.id, description) }
        },
      }),
      programOperation({
        ...writing,
        by: PROGRAMS,
        id: 'updateChangeRequestById',
        method: 'PATCH',
        path: '',
        summary: 'Change a change request',
        description:
          'Its subject, description and status: draft, open and archived in any order. A merged one keeps its status. `If-Match` names the `updatedAt` that you have read.',
        body: ChangeChangeRequest,
        reply: ChangeRequest,
        failures: [409],
        supportedHeaders: ['if-match', 'return=minimal'],
        run: async ({ context, at, body }) => {
          const row = await changeChangeRequest(context, at, body)
          return context.prefersMinimal ? minimal() : toChangeRequest(context, row)
        },
      }),
      operation({
        ...reading,
        id: 'getRequestedReviewersByChangeRequestId',
        path: '/requested-reviewers',
        summary: 'List requested reviewers',
        description:
          'People and teams who have not reviewed it since they were asked, latest request first. Teams only as far as you may see them.',
        may: 'access',
        query: Paging,
        reply: RequestedReviewers,
        run: async ({ context, at: { space, changeRequest }, query }) => {
          const viewerId = seesTeams(context, space) ? null : context.principal.user.id
          const rows = await listRequestedReviewers(context.db, changeRequest.id, viewerId, query)
          return toList(rows, one => toRequestedReviewer(context.urls, one))
        },
      }),
      operation({
        ...writing,
        id: 'listPossibleReviewersOfChangeRequest',
        method: 'GET',
        path: '/possible-reviewers',
        summary: 'List who may be asked for a review',
        description: 'Octavo extension. People who may review in the space, by name.',
        query: ListPossibleReviewers,
        reply: PossibleReviewers,
        run: async ({ context, at: { space }, query }) =>
          toList(await listPossibleReviewers(context.db, space, query), one => toUser(context.urls, one)),
      }),
      operation({
        ...writing,
        id: 'listPossibleReviewerTeamsOfChangeRequest',
        method: 'GET',
        path: '/possible-reviewers/teams',
        summary: 'List which teams may be asked for a review',
        description:
          'Octavo extension. Teams of which somebody may review in the space, by title; those that you may see.',
        query: ListPossibleTeams,
        reply: PossibleTeams,
        run: async ({ context, at: { space }, query }) =>
          toList(await listPossibleTeams(context, space, query), ({ id, title }) => ({ id, title })),
      }),
      operation({
        ...writing,
        id: 'requestReviewersForChangeRequest',
        method: 'POST',
        path: '/requested-reviewers',
        summary: 'Request reviews',
        description: 'Opens a draft. Asking somebody again makes their earlier review obsolete.',
        body: RequestReviewers,
        reply: ReviewersRequested,
        failures: [409],
        run: async ({ context, at, body }) => {
          const rows = await requestReviewers(context, at, body)
          const requests = rows.map(row => toRequestedReviewer(context.urls, row))
          return {
            users: requests.filter(one => one.kind === 'user'),
            teams: requests.filter(one => one.kind === 'team'),
          }
        },
      }),
      operation({
        ...writing,
        id: 'removeRequestedReviewerFromChangeRequest',
        method: 'DELETE',
        path: '/requested-reviewers/{userId}',
        params: Type.Object({ userId: Id('A user who was asked.') }),
        summary: 'Withdraw a review request',
        run: ({ context, at, params }) => withdrawRequest(context, at, 'user', params.userId),
      }),
      operation({
        ...writing,
        id: 'removeRequestedTeamFromChangeRequest',
        method: 'DELETE',
        path: '/requested-reviewers/teams/{teamId}',
        params: Type.Object({ teamId: Id('A team that was asked.') }),
        summary: 'Withdraw a review request to a team',
        description: 'Octavo extension.',
        run: ({ context, at, params }) => withdrawRequest(context, at, 'team', params.teamId),
      }),
      operation({
        ...reading,
        id: 'getContributorsByChangeRequestId',
        path: '/contributors',
        summary: 'List contributors of a change request',
        description:
          'One item for each person and kind of contribution, edit or comment, with its number and latest time; latest first.',
        may: 'access',
        reply: Contributors,
        run: async ({ context, at }) => {
          const rows = await listContributors(context.db, at.changeRequest)
          return {
            items: rows.map(row => toContributor(context.urls, row)),
            count: rows.length,
          }
        },
      }),
    ],
  ),
]
