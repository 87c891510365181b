// Who may see clusters of issues: they belong to conversations, so whoever may not see those learns nothing about a
// cluster by its id.
import { allows } from './policy.ts'
import type { Principal } from './principal.ts'
import { roleInOrganization } from './roles.ts'
import { coversScope } from './scopes.ts'

export const seesClusters = (principal: Principal, organizationId: string): boolean =>
  principal.kind === 'user' &&
  allows('organization', 'viewConversations', roleInOrganization(principal, organizationId)) &&
  coversScope(principal.scopes, 'organization:conversations:read')
