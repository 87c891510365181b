// Rows of conversations, issues and clusters to wire.
import type { Urls } from '../../http/urls.ts'
import type { ClusterRow, IssueCount } from './cluster-rows.ts'
import type { IssueRow } from './issue-rows.ts'
import type { ConversationRow, findDetails } from './rows.ts'
import {
  type Conversation,
  type ConversationDetails,
  type ConversationIssue,
  type IssuesCluster,
  PULSE_WEEKS,
} from './schema.ts'

export const toConversation = (urls: Urls, row: ConversationRow): Conversation => ({
  object: 'conversation',
  id: row.id,
  ...(row.subject === null ? {} : { subject: row.subject }),
  createdAt: row.created_at.toISOString(),
  ...(row.processed_at === null ? {} : { processedAt: row.processed_at.toISOString() }),
  source: row.source,
  urls: {
    location: urls.api(`/orgs/${row.organization_id}/conversations/${row.id}`),
    ...(row.url === null ? {} : { source: row.url }),
  },
})

type Details = NonNullable<Awaited<ReturnType<typeof findDetails>>>

/** Parts and metadata as ingested. */
export const toDetails = (
  urls: Urls,
  row: ConversationRow,
  { parts, attributes, is_dated }: Details,
): ConversationDetails => ({
  conversation: toConversation(urls, row),
  parts,
  metadata: {
    ...(row.url === null ? {} : { url: row.url }),
    ...(attributes === null ? {} : { attributes }),
    ...(is_dated ? { createdAt: row.created_at.toISOString() } : {}),
  },
})

export function toIssue(
  urls: Urls,
  { conversation, ...row }: IssueRow,
): { issue: ConversationIssue; conversation: Conversation } {
  return {
    issue: {
      object: 'conversation-issue',
      id: row.id,
      title: row.title,
      summary: row.summary,
      createdAt: row.created_at.toISOString(),
      ingestedAt: row.ingested_at.toISOString(),
      conversation: row.conversation_id,
      ...(row.cluster_id === null ? {} : { cluster: row.cluster_id }),
      urls: { location: urls.api(`/orgs/${row.organization_id}/conversations-issues/${row.id}`) },
    },
    conversation: toConversation(urls, {
      ...conversation,
      created_at: new Date(conversation.created_at),
      processed_at: conversation.processed_at === null ? null : new Date(conversation.processed_at),
    }),
  }
}

/** `counts`: of this cluster. */
export function toCluster(urls: Urls, row: ClusterRow, counts: readonly IssueCount[]): IssuesCluster {
  const pulse = Array.from({ length: PULSE_WEEKS }, () => 0)
  const sources: Record<string, number> = {}
  for (const { source, weeks_ago, count } of counts) {
    sources[source] = (sources[source] ?? 0) + count
    if (weeks_ago < PULSE_WEEKS)
      pulse[PULSE_WEEKS - 1 - weeks_ago] = (pulse[PULSE_WEEKS - 1 - weeks_ago] ?? 0) + count
  }
  return {
    object: 'issues-cluster',
    id: row.id,
    label: row.label,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    icon: row.icon,
    summary: row.summary,
    weeklyPulse: pulse,
    sources,
    stats: {
      issues: row.issues,
      conversations: row.conversations,
      tasksTotal: row.tasks_total,
      tasksBacklog: row.tasks_backlog,
      tasksStarted: row.tasks_started,
      tasksCompleted: row.tasks_completed,
      tasksCancelled: row.tasks_canceled,
    },
    urls: {
      location: urls.api(`/orgs/${row.organization_id}/conversations-clusters/${row.id}`),
      // There is no page for clusters: the home page lists the spaces.
      app: urls.root('/'),
    },
  }
}
