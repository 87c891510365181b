// Conversations with customers, their issues, and clusters of issues.
import { now } from '../../base/clock.ts'
import { orMissing } from '../../base/errors.ts'
import { toList } from '../../http/list.ts'
import { mount, operationsOf, programOperationsOf } from '../../http/operation.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { countIssuesByWeek, listClusters } from './cluster-rows.ts'
import { deleteConversation, ingest } from './ingest.ts'
import { listIssues } from './issue-rows.ts'
import {
  type ClusterAt,
  type ConversationAt,
  type IssueAt,
  intoOrganization,
  onCluster,
  onConversation,
  onIssue,
} from './place.ts'
import { findDetails, listConversations } from './rows.ts'
import {
  ConversationDetails,
  Conversations,
  INGEST_BYTES_MAX,
  IngestConversations,
  IssueOfConversation,
  IssuesCluster,
  IssuesClusters,
  IssuesOfConversations,
  ListClusters,
  ListConversations,
  ListIssues,
  PULSE_WEEKS,
} from './schema.ts'
import { toCluster, toConversation, toDetails, toIssue } from './wire.ts'

const operation = operationsOf<'organization', OrganizationAt>()
const ingestOperation = programOperationsOf<'organization', OrganizationAt>()
const conversationOperation = operationsOf<'organization', ConversationAt>()
const issueOperation = operationsOf<'organization', IssueAt>()
const clusterOperation = operationsOf<'organization', ClusterAt>()

const reading = {
  method: 'GET',
  tag: 'Conversations',
  may: 'viewConversations',
  scope: 'organization:conversations:read',
} as const
const writing = {
  tag: 'Conversations',
  may: 'ingestConversations',
  scope: 'organization:conversations:write',
} as const

export const conversationOperations = [
  ...mount(
    [inOrganization],
    [
      operation({
        ...reading,
        id: 'listConversations',
        path: '/conversations',
        summary: 'List conversations of an organization',
        description: 'Newest first.',
        query: ListConversations,
        reply: Conversations,
        run: async ({ context: { db, urls }, at: { organization }, query }) =>
          toList(await listConversations(db, organization.id, query), toConversation, urls),
      }),
      operation({
        ...reading,
        id: 'listConversationsIssues',
        path: '/conversations-issues',
        summary: 'List issues of conversations',
        description: 'Requests and complaints of customers, newest first, each with its conversation.',
        query: ListIssues,
        reply: IssuesOfConversations,
        run: async ({ context: { db, urls }, at: { organization }, query }) =>
          toList(await listIssues(db, organization.id, query), toIssue, urls),
      }),
      operation({
        ...reading,
        id: 'listConversationsIssuesClusters',
        path: '/conversations-clusters',
        summary: 'List clusters of issues',
        description: 'Groups of issues about the same thing. Counts the tasks that you may see.',
        query: ListClusters,
        reply: IssuesClusters,
        run: async ({ context: { db, principal, urls }, at, query }) => {
          const rows = await listClusters(db, at.organization.id, principal, query)
          const ids = rows.items.map(({ id }) => id)
          const counts = Map.groupBy(
            await countIssuesByWeek(db, ids, now(), PULSE_WEEKS),
            one => one.cluster_id,
          )
          return toList(rows, row => toCluster(urls, row, counts.get(row.id) ?? []))
        },
      }),
    ],
  ),
  ...mount(
    [intoOrganization],
    [
      ingestOperation({
        ...writing,
        id: 'ingestConversation',
        method: 'POST',
        path: '/conversations',
        summary: 'Ingest conversations',
        description:
          'One or several, all or none. A known one, with the same `id` and source, is replaced, and its issues are found anew. Installations need the scope `conversations:ingest`; conversations from a person have the source `email`.',
        by: ['user', 'installation'],
        body: IngestConversations,
        bodyBytesMax: INGEST_BYTES_MAX,
        run: ({ context, at, body }) => ingest(context, at.organization.id, body),
      }),
    ],
  ),
  ...mount(
    [onConversation],
    [
      conversationOperation({
        ...reading,
        id: 'getConversationById',
        path: '',
        summary: 'Get a conversation',
        description: 'With its parts and its metadata as ingested.',
        reply: ConversationDetails,
        run: async ({ context, at }) => {
          const details = await findDetails(context.db, at.conversation.id)
          return toDetails(context.urls, at.conversation, orMissing(details, 'conversation'))
        },
      }),
      conversationOperation({
        ...writing,
        id: 'deleteConversationById',
        method: 'DELETE',
        path: '',
        summary: 'Delete a conversation for good',
        description:
          'Octavo extension. With its issues; clusters stop quoting them at once. Nothing is kept.',
        absent: 'done',
        run: ({ context, at }) => deleteConversation(context, at),
      }),
    ],
  ),
  ...mount(
    [onIssue],
    [
      issueOperation({
        ...reading,
        id: 'getConversationIssueById',
        path: '',
        summary: 'Get an issue',
        description: 'With its conversation.',
        reply: IssueOfConversation,
        run: async ({ context, at }) => toIssue(context.urls, at.issue),
      }),
    ],
  ),
  ...mount(
    [onCluster],
    [
      clusterOperation({
        ...reading,
        id: 'getConversationsIssuesCluster',
        path: '',
        summary: 'Get a cluster of issues',
        reply: IssuesCluster,
        run: async ({ context: { db, urls }, at: { cluster } }) =>
          toCluster(urls, cluster, await countIssuesByWeek(db, [cluster.id], now(), PULSE_WEEKS)),
      }),
    ],
  ),
]
