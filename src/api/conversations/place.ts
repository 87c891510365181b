// Conversations, issues and clusters of an organization; and the organization for programs that ingest conversations.
import { Id } from '../../http/list.ts'
import { below, type Place } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { type ClusterRow, findCluster } from './cluster-rows.ts'
import { findIssue, type IssueRow } from './issue-rows.ts'
import { type ConversationRow, findConversation } from './rows.ts'

/** The scope of integrations that ingest conversations. */
const INGEST_SCOPE = 'conversations:ingest'

/** The organization, for installations too. */
export const intoOrganization: Place<'organization', OrganizationAt> = {
  ...inOrganization,
  name: 'organizationOfInstallation',
  role: (principal, at) => {
    if (principal.kind !== 'installation') return inOrganization.role(principal, at)
    if (principal.organizationId !== at.organization.id) return null
    return principal.scopes.includes(INGEST_SCOPE) ? 'create' : 'guest'
  },
}

export type ConversationAt = OrganizationAt & { readonly conversation: ConversationRow }
export type IssueAt = OrganizationAt & { readonly issue: IssueRow }
export type ClusterAt = OrganizationAt & { readonly cluster: ClusterRow }

export const onConversation: Place<'organization', ConversationAt> = below(inOrganization, {
  name: 'conversation',
  subject: 'organization',
  path: '/conversations/{conversationId}',
  params: { conversationId: Id('A conversation.') },
  noun: 'conversation',
  async find({ db }, at, { conversationId }) {
    const conversation = await findConversation(db, at.organization.id, conversationId)
    return conversation && { ...at, conversation }
  },
  role: inOrganization.role,
})

export const onIssue: Place<'organization', IssueAt> = below(inOrganization, {
  name: 'conversationIssue',
  subject: 'organization',
  path: '/conversations-issues/{issueId}',
  params: { issueId: Id('An issue of a conversation.') },
  noun: 'conversation issue',
  async find({ db }, at, { issueId }) {
    const issue = await findIssue(db, at.organization.id, issueId)
    return issue && { ...at, issue }
  },
  role: inOrganization.role,
})

export const onCluster: Place<'organization', ClusterAt> = below(inOrganization, {
  name: 'issuesCluster',
  subject: 'organization',
  path: '/conversations-clusters/{clusterId}',
  params: { clusterId: Id('A cluster of issues.') },
  noun: 'cluster of issues',
  async find({ db, principal }, at, { clusterId }) {
    const cluster = await findCluster(db, at.organization.id, principal, clusterId)
    return cluster && { ...at, cluster }
  },
  role: inOrganization.role,
})
