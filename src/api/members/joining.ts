// Joining an organization: one function for all ways writes the member and appends the event.
import type { MemberRole } from '../../access/policy.ts'
import { rankOf } from '../../access/roles.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
import { lockMemberAndAdmins, updateMember } from './rows.ts'

/** By an email address that was invited, by a link, by their mail domain, or because an identity provider sent them. */
export type JoinMethod = 'invitation' | 'link' | 'domain' | 'saml' | 'oidc'

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
  /** Only their identity provider lets them in. */
  readonly sso?: boolean
  /** Who brought them; absent: they came by themselves. */
  readonly actorId?: string
}

/** Makes a person a member; who is one already stays as they are. Answers whether they were none. */
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

/** Gives a member a stronger role, never a weaker one. Answers whether it is another one now. */
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
