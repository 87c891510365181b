// Giving roles and taking them back. Each verb is one transaction.
import type { MemberRole } from '../../access/policy.ts'
import type { GrantedRole } from '../../access/roles.ts'
import { type Failure, invalid, missing } from '../../base/errors.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { PermissionsAt } from './place.ts'
import { findGivenRoles, type Grantee, insertGrants, lockGrantees, lockThing, removeGrant } from './rows.ts'
import type { InviteUsersAndTeams } from './schema.ts'

/** What was given before and after: null is nothing, so that it is inherited; `none` is no access. */
export type PermissionChange = {
  readonly before: GrantedRole | null
  readonly after: GrantedRole | null
} & ({ readonly user: string } | { readonly team: string })

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.permission_changed': { changes: PermissionChange[] }
    'collection.permission_changed': { collection: string; changes: PermissionChange[] }
  }
}

/** Gives a role to one; null is no access. Throws `missing` for who does not belong to the organization. */
export async function changePermission(
  context: ActionContext,
  at: PermissionsAt,
  grantee: Grantee,
  role: MemberRole | null,
): Promise<void> {
  await context.transaction(async trx => {
    await lock(trx, at)
    const changes = await give(trx, at, grantee.kind, [grantee.id], role ?? 'none', () =>
      missing(NOUNS[grantee.kind]),
    )
    await tell(trx, context, at, changes)
  })
}

const NOUNS = { user: 'member', team: 'team' } as const

/** Gives one role to many, all of them or none. Throws `invalid` for the first who is not of the organization. */
export async function invite(
  context: ActionContext,
  at: PermissionsAt,
  { role, users = [], teams = [] }: InviteUsersAndTeams,
): Promise<void> {
  if (users.length + teams.length === 0)
    throw invalid('invited_missing', 'body: name whom to give the role to, in users or in teams.')
  await context.transaction(async trx => {
    await lock(trx, at)
    const toUsers = await give(trx, at, 'user', users, role, index =>
      invalid('user_unknown', `body.users.${index}: ${users[index]} is no member of the organization.`),
    )
    const toTeams = await give(trx, at, 'team', teams, role, index =>
      invalid('team_unknown', `body.teams.${index}: ${teams[index]} is no team of the organization.`),
    )
    await tell(trx, context, at, [...toUsers, ...toTeams])
  })
}

/** Takes back what one was given, so that they have what is inherited; nothing given is no matter. */
export async function deletePermission(
  context: ActionContext,
  at: PermissionsAt,
  grantee: Grantee,
): Promise<void> {
  await context.transaction(async trx => {
    await lock(trx, at)
    const before = await removeGrant(trx, at.thing, grantee)
    if (before === undefined) return
    const change = { ...named(grantee), before: before as GrantedRole, after: null }
    await tell(trx, context, at, [change])
  })
}

/**
 * Gives a role to one who belongs to the organization, within a transaction that does it for another reason: they
 * accepted an invitation. `principal` is told as the one who did it.
 */
export async function giveRole(
  trx: Trx,
  context: EventContext,
  at: Where,
  userId: string,
  role: MemberRole,
): Promise<void> {
  await lock(trx, at)
  const changes = await give(trx, at, 'user', [userId], role, () => missing(NOUNS.user))
  await tell(trx, context, at, changes)
}

type Where = Pick<PermissionsAt, 'organizationId' | 'thing'>

async function lock(trx: Trx, { organizationId, thing }: Where): Promise<void> {
  if (!(await lockThing(trx, organizationId, thing))) throw missing(thing.kind)
}

/** `refuse` is what is thrown for the first of the ids that does not belong to the organization. */
async function give(
  trx: Trx,
  { organizationId, thing }: Where,
  kind: Grantee['kind'],
  ids: readonly string[],
  role: GrantedRole,
  refuse: (index: number) => Failure,
): Promise<PermissionChange[]> {
  const known = await lockGrantees(trx, organizationId, kind, ids)
  const unknown = ids.findIndex(id => !known.has(id))
  if (unknown !== -1) throw refuse(unknown)
  const before = await findGivenRoles(trx, thing, kind, ids)
  const changed = [...known].filter(id => before.get(id) !== role)
  await insertGrants(trx, organizationId, thing, kind, changed, role)
  return changed.map(id => ({ ...named({ kind, id }), before: before.get(id) ?? null, after: role }))
}

const named = ({ kind, id }: Grantee) => (kind === 'user' ? { user: id } : { team: id })

/** What changes nothing is not told. */
async function tell(
  trx: Trx,
  { events, principal }: EventContext,
  { organizationId, thing }: Where,
  changes: PermissionChange[],
): Promise<void> {
  if (changes.length === 0) return
  const about = { organizationId, actorId: principal.user.id }
  if (thing.kind === 'space')
    await events.append(trx, {
      ...about,
      type: 'space.permission_changed',
      spaceId: thing.id,
      payload: { changes },
    })
  else
    await events.append(trx, {
      ...about,
      type: 'collection.permission_changed',
      payload: { collection: thing.id, changes },
    })
}
