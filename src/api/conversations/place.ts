// Conversations, issues and clusters of an organization; and the organization for programs that bring conversations.
import { Type } from 'typebox'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { type ClusterRow, findCluster } from './cluster-rows.ts'
import { findIssue, type IssueRow } from './issue-rows.ts'
import { type ConversationRow, findConversation } from './rows.ts'

/** An installation may bring conversations where its integration asked for that. */
const INGEST_SCOPE = 'conversations:ingest'

/** The organization, also for what is installed there. */
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

export const onConversation: Place<'organization', ConversationAt> = {
  name: 'conversation',
  subject: 'organization',
  path: `${inOrganization.path}/conversations/{conversationId}`,
  params: Type.Object({ ...inOrganization.params.properties, conversationId: Id('A conversation.') }),
  noun: 'conversation',
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    const conversation =
      at && (await findConversation(context.db, at.organization.id, params.conversationId ?? ''))
    return at && conversation && { ...at, conversation }
  },
  role: inOrganization.role,
}

export const onIssue: Place<'organization', IssueAt> = {
  name: 'conversationIssue',
  subject: 'organization',
  path: `${inOrganization.path}/conversations-issues/{issueId}`,
  params: Type.Object({ ...inOrganization.params.properties, issueId: Id('An issue of a conversation.') }),
  noun: 'conversation issue',
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    const issue = at && (await findIssue(context.db, at.organization.id, params.issueId ?? ''))
    return at && issue && { ...at, issue }
  },
  role: inOrganization.role,
}

export const onCluster: Place<'organization', ClusterAt> = {
  name: 'issuesCluster',
  subject: 'organization',
  path: `${inOrganization.path}/conversations-clusters/{clusterId}`,
  params: Type.Object({ ...inOrganization.params.properties, clusterId: Id('A cluster of issues.') }),
  noun: 'cluster of issues',
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    const cluster =
      at && (await findCluster(context.db, at.organization.id, context.principal, params.clusterId ?? ''))
    return at && cluster && { ...at, cluster }
  },
  role: inOrganization.role,
}
