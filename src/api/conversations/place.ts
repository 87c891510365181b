// Conversations, issues and clusters of an organization; and the organization for programs that ingest conversations.
import { Id } from '../../http/list.ts'
import { type Place, rowBelow } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { type ClusterRow, findCluster } from './cluster-rows.ts'
import { findIssue, type IssueRow } from './issue-rows.ts'
import { type ConversationRow, findConversation } from './rows.ts'

/** The scope of integrations that ingest conversations. */
const INGEST_SCOPE = 'conversations:ingest'

/** The organization, for installations too. */
export const intoOrganization: Place<'organization', OrganizationAt> = {
  ...inOrganization,
  role: (principal, at) => {
    if (principal.kind !== 'installation') return inOrganization.role(principal, at)
    if (principal.organizationId !== at.organization.id) return null
    return principal.scopes.includes(INGEST_SCOPE) ? 'create' : 'guest'
  },
}

export type ConversationAt = OrganizationAt & { readonly conversation: ConversationRow }
export type IssueAt = OrganizationAt & { readonly issue: IssueRow }
export type ClusterAt = OrganizationAt & { readonly cluster: ClusterRow }

export const onConversation = rowBelow(inOrganization, 'conversation', {
  path: '/conversations/{conversationId}',
  params: { conversationId: Id('A conversation.') },
  find: ({ db }, { organization }, { conversationId }) =>
    findConversation(db, organization.id, conversationId),
})

export const onIssue = rowBelow(inOrganization, 'issue', {
  path: '/conversations-issues/{issueId}',
  params: { issueId: Id('An issue of a conversation.') },
  noun: 'conversation issue',
  find: ({ db }, { organization }, { issueId }) => findIssue(db, organization.id, issueId),
})

export const onCluster = rowBelow(inOrganization, 'cluster', {
  path: '/conversations-clusters/{clusterId}',
  params: { clusterId: Id('A cluster of issues.') },
  noun: 'cluster of issues',
  find: ({ db, principal }, { organization }, { clusterId }) =>
    findCluster(db, organization.id, principal, clusterId),
})
