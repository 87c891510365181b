// Changing and removing members. Each verb is one transaction, and none leaves an organization without an admin.

import type { MemberRole } from '../../access/policy.ts'
import { now } from '../../base/clock.ts'
import { conflict, orMissing } from '../../base/errors.ts'
import { keysOf } from '../../base/objects.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { MemberAt } from './place.ts'
import {
  lockMemberAndAdmins,
  removeMember,
  updateLastSeen,
  updateMember,
  updateSeenInSessions,
} from './rows.ts'
import type { ChangeMember } from './schema.ts'

/** The settings of a member that admins decide. */
type Settings = { role: MemberRole | null; disabled: boolean; sso: boolean }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** Only changed settings, with their old and new values. */
    'member.changed': { user: string; before: Partial<Settings>; after: Partial<Settings> }
    'member.sso_set': { user: string }
    'member.removed': { user: string; role: MemberRole | null }
  }
}

/** Bounds the writes of clients that report often. */
export const SEEN_SECONDS = 60

export const changeMember = (
  context: ActionContext,
  { organization, member }: MemberAt,
  wanted: ChangeMember,
): Promise<void> =>
  context.transaction(trx => {
    const who = { organizationId: organization.id, userId: member.id, actorId: context.principal.user.id }
    return changeLockedMember(trx, context, who, wanted)
  })

/** A member, and who changes them: null for the directory of the organization. */
type ChangedMember = {
  readonly organizationId: string
  readonly userId: string
  readonly actorId: string | null
}

/** `changeMember` as a part of a transaction. */
export async function changeLockedMember(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  { organizationId, userId, actorId }: ChangedMember,
  wanted: ChangeMember,
): Promise<void> {
  const { current, isLastAdmin } = await lockMember(trx, organizationId, userId)
  const after = differing(current, wanted)
  const names = keysOf(after)
  if (names.length === 0) return
  if (isLastAdmin && !isActiveAdmin({ ...current, ...after })) throw lastAdmin()
  await updateMember(trx, organizationId, userId, after)
  const before = Object.fromEntries(names.map(name => [name, current[name]]))
  await events.append(trx, {
    type: 'member.changed',
    organizationId,
    actorId,
    payload: { user: userId, before, after },
  })
}

/** From now on only an identity provider of the organization signs them in. */
export const setSsoMember = (context: ActionContext, { organization, member }: MemberAt): Promise<void> =>
  context.transaction(async trx => {
    const { current } = await lockMember(trx, organization.id, member.id)
    if (current.sso) return
    await updateMember(trx, organization.id, member.id, { sso: true })
    await context.events.append(trx, {
      type: 'member.sso_set',
      organizationId: organization.id,
      actorId: context.principal.user.id,
      payload: { user: member.id },
    })
  })

/** Removes their grants and team memberships; what they wrote stays. */
export const deleteMember = (context: ActionContext, { organization, member }: MemberAt): Promise<void> =>
  context.transaction(async trx => {
    const who = { organizationId: organization.id, userId: member.id, actorId: context.principal.user.id }
    await deleteLockedMember(trx, context, who)
  })

/** `deleteMember` as a part of a transaction. Returns whether there was such a member. */
export async function deleteLockedMember(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  { organizationId, userId, actorId }: ChangedMember,
): Promise<boolean> {
  const locked = await findLocked(trx, organizationId, userId)
  if (locked === undefined) return false
  if (locked.isLastAdmin) throw lastAdmin()
  await removeMember(trx, organizationId, userId)
  await events.append(trx, {
    type: 'member.removed',
    organizationId,
    actorId,
    payload: { user: userId, role: locked.current.role },
  })
  return true
}

/**
 * Records that a member is active. No decision depends on it, so it is written outside of a transaction, without an
 * event and without invalidating caches.
 */
export async function recordMemberSeen(
  services: Services,
  organizationId: string,
  userId: string,
): Promise<void> {
  const at = now()
  const before = new Date(at.getTime() - SEEN_SECONDS * 1000)
  await updateLastSeen(services.db, organizationId, userId, at, before)
}

/** Between two times that are written for somebody who works in a browser. */
export const SEEN_IN_SESSION_SECONDS = 5 * 60

/** Records that the people of these sessions were active, as `recordMemberSeen` does for one of them. */
export const recordSessionsSeen = (db: Services['db'], uses: ReadonlyMap<string, Date>): Promise<void> =>
  updateSeenInSessions(db, uses, SEEN_IN_SESSION_SECONDS)

type Locked = { readonly current: Settings; readonly isLastAdmin: boolean }

async function findLocked(trx: Trx, organizationId: string, userId: string): Promise<Locked | undefined> {
  const rows = await lockMemberAndAdmins(trx, organizationId, userId)
  const current = rows.find(row => row.user_id === userId)
  if (current === undefined) return undefined
  return { current, isLastAdmin: isActiveAdmin(current) && rows.length === 1 }
}

const isActiveAdmin = ({ role, disabled }: Settings): boolean => role === 'admin' && !disabled

async function lockMember(trx: Trx, organizationId: string, userId: string): Promise<Locked> {
  return orMissing(await findLocked(trx, organizationId, userId), 'member')
}

const differing = (current: Settings, wanted: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(
    keysOf(wanted).flatMap(name => {
      const value = wanted[name]
      return value === undefined || value === current[name] ? [] : [[name, value]]
    }),
  )

const lastAdmin = () =>
  conflict('last_admin', 'This is the last admin of the organization. Make someone else an admin first.')
