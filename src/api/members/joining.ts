// Joining an organization: one function for all ways writes the member and appends the event.
import type { MemberRole } from '../../access/policy.ts'
import { rankOf } from '../../access/roles.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { lockMemberAndAdmins, updateMember } from './rows.ts'

/** By an invited email address, by a link, by their email domain, through an identity provider, or by its directory. */
export type JoinMethod = 'invitation' | 'link' | 'domain' | 'saml' | 'oidc' | 'scim'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'member.joined': { user: string; role: MemberRole | null; how: JoinMethod; sso: boolean }
  }
}

export type NewMember = {
  readonly organizationId: string
  readonly userId: string
  /** null: a guest */
  readonly role: MemberRole | null
  readonly how: JoinMethod
  /** Only their identity provider signs them in. */
  readonly sso?: boolean
  /** Who added them, null for a directory; absent if they joined by themselves. */
  readonly actorId?: string | null
}

/** Makes a person a member; does not change existing members. Returns whether they were new. */
export async function joinOrganization(
  trx: Trx,
  { events }: { readonly events: Events },
  { organizationId, userId, role, how, sso = false, actorId = userId }: NewMember,
): Promise<boolean> {
  const row = await trx
    .insertInto('members')
    .values({ organization_id: organizationId, user_id: userId, role, sso })
    .onConflict(conflict => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (row === undefined) return false
  await events.append(trx, {
    type: 'member.joined',
    organizationId,
    actorId,
    payload: { user: userId, role, how, sso },
  })
  return true
}

/** Gives a member a stronger role, never a weaker one. Returns whether it changed. */
export async function raiseMemberRole(
  trx: Trx,
  { events }: { readonly events: Events },
  { organizationId, userId, role }: Pick<NewMember, 'organizationId' | 'userId' | 'role'>,
): Promise<boolean> {
  const rows = await lockMemberAndAdmins(trx, organizationId, userId)
  const current = rows.find(row => row.user_id === userId)
  if (current === undefined || rankOf(current.role) >= rankOf(role)) return false
  await updateMember(trx, organizationId, userId, { role })
  await events.append(trx, {
    type: 'member.changed',
    organizationId,
    actorId: userId,
    payload: { user: userId, before: { role: current.role }, after: { role } },
  })
  return true
}
