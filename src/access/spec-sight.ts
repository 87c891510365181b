// Which OpenAPI specifications somebody is shown where a text or a request names them. Public ones are for everybody.
import { type RawBuilder, sql } from 'kysely'
import { allows, MEMBER_ROLES, weakestRole } from './policy.ts'
import type { Principal } from './principal.ts'
import { rankOf, roleInOrganization } from './roles.ts'
import { coversScope } from './scopes.ts'

/** `published`: also the private ones that the head of the space publishes. `everything`: all of the organization. */
export type SpecSight = 'published' | 'everything'

const ACTION = 'viewOpenAPISpecs'

/** What somebody may see for themselves: in a change request, in the history, and of what their request names. */
export function specSightOf(principal: Principal, organizationId: string): SpecSight {
  const mayView = allows('organization', ACTION, roleInOrganization(principal, organizationId))
  return mayView && principal.kind === 'user' && coversScope(principal.scopes, 'openapi:read')
    ? 'everything'
    : 'published'
}

/** Whether a person may see all specifications of an organization, as SQL over their id and that of the organization. */
export const seesAllSpecs = (userId: string | null, organizationId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from members where members.user_id = ${userId}
    and members.organization_id = ${organizationId} and not members.disabled and members.rank >= ${sql.lit(LEAST)})`

const least = weakestRole('organization', ACTION)
const LEAST = rankOf(MEMBER_ROLES.find(role => role === least) ?? null)
