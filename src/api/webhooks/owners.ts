// Whether the owner of a webhook may still manage it.
import { allows } from '../../access/policy.ts'
import { findEffectiveRole, roleInOrganization } from '../../access/roles.ts'
import type { Services } from '../../http/context.ts'
import type { WebhookRow } from './rows.ts'

type Owned = Pick<WebhookRow, 'owner_id' | 'organization_id' | 'space_id'>

/** Deliveries contain what the owner could read in the feed. Only admins own webhooks, and they may read all of it. */
export async function mayOwn(
  { db, principals }: Pick<Services, 'db' | 'principals'>,
  { owner_id, organization_id, space_id }: Owned,
): Promise<boolean> {
  const owner = owner_id === null ? undefined : await principals.findPerson(owner_id)
  if (owner === undefined) return false
  if (space_id === null) return allows('organization', 'admin', roleInOrganization(owner, organization_id))
  const { role } = await findEffectiveRole(db, owner, organization_id, { kind: 'space', id: space_id })
  return allows('space', 'admin', role)
}
