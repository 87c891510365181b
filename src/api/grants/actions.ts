// Granting and revoking roles. Each verb is one transaction.
import { allows, type MemberRole } from '../../access/policy.ts'
import { type GrantedRole, roleInOrganization } from '../../access/roles.ts'
import { type Failure, invalid, missing } from '../../base/errors.ts'
import type { ActionContext, EventContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { PermissionsAt } from './place.ts'
import {
  findGivenRoles,
  type Grantee,
  insertGrants,
  lockMembers,
  lockResource,
  lockTeams,
  removeGrant,
} from './rows.ts'
import type { InviteUsersAndTeams } from './schema.ts'

/** The grant before and after: null is no grant, so the role is inherited; `none` is no access. */
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

/** A null role is no access. Throws `missing` for a grantee outside of the organization. */
export async function changePermission(
  context: ActionContext,
  at: PermissionsAt,
  grantee: Grantee,
  role: MemberRole | null,
): Promise<void> {
  await context.transaction(async trx => {
    await lock(trx, at)
    const changes = await grant(trx, context, at, grantee.kind, [grantee.id], role ?? 'none', () =>
      missing(NOUNS[grantee.kind]),
    )
    await appendChanges(trx, context, at, changes)
  })
}

const NOUNS = { user: 'member', team: 'team' } as const

/** Grants one role to all of them or none. Throws `invalid` for the first grantee outside of the organization. */
export async function invite(
  context: ActionContext,
  at: PermissionsAt,
  { role, users = [], teams = [] }: InviteUsersAndTeams,
): Promise<void> {
  if (users.length + teams.length === 0)
    throw invalid('invited_missing', 'body: send the users or teams to give the role to.')
  await context.transaction(async trx => {
    await lock(trx, at)
    const toUsers = await grant(trx, context, at, 'user', users, role, index =>
      invalid('user_unknown', `body.users.${index}: ${users[index]} is not a member of the organization.`),
    )
    const toTeams = await grant(trx, context, at, 'team', teams, role, index =>
      invalid('team_unknown', `body.teams.${index}: ${teams[index]} is not a team of the organization.`),
    )
    await appendChanges(trx, context, at, [...toUsers, ...toTeams])
  })
}

/** The grantee has the inherited role then. Idempotent: succeeds without a grant. */
export async function deletePermission(
  context: ActionContext,
  at: PermissionsAt,
  grantee: Grantee,
): Promise<void> {
  await context.transaction(async trx => {
    await lock(trx, at)
    const before = await removeGrant(trx, at.resource, grantee)
    if (before === undefined) return
    const change = { ...named(grantee), before, after: null }
    await appendChanges(trx, context, at, [change])
  })
}

/**
 * Grants a role to a member within another action's transaction, as when they accept an invitation. The principal is
 * the actor of the event.
 */
export async function grantRole(
  trx: Trx,
  context: EventContext,
  at: Where,
  userId: string,
  role: MemberRole,
): Promise<void> {
  await lock(trx, at)
  const changes = await grant(trx, context, at, 'user', [userId], role, () => missing(NOUNS.user))
  await appendChanges(trx, context, at, changes)
}

type Where = Pick<PermissionsAt, 'organizationId' | 'resource'>

async function lock(trx: Trx, { organizationId, resource }: Where): Promise<void> {
  if (!(await lockResource(trx, organizationId, resource))) throw missing(resource.kind)
}

/** `refuse` makes the failure for the first id that is not of the organization, or that the caller may not see. */
async function grant(
  trx: Trx,
  { principal }: EventContext,
  { organizationId, resource }: Where,
  kind: Grantee['kind'],
  ids: readonly string[],
  role: GrantedRole,
  refuse: (index: number) => Failure,
): Promise<PermissionChange[]> {
  const seesTeams = allows('organization', 'listTeams', roleInOrganization(principal, organizationId))
  const known =
    kind === 'user'
      ? await lockMembers(trx, organizationId, ids)
      : await lockTeams(trx, organizationId, resource, ids, seesTeams ? null : principal.user.id)
  const unknown = ids.findIndex(id => !known.has(id))
  if (unknown !== -1) throw refuse(unknown)
  const before = await findGivenRoles(trx, resource, kind, ids)
  const changed = [...known].filter(id => before.get(id) !== role)
  await insertGrants(trx, organizationId, resource, kind, changed, role)
  return changed.map(id => ({ ...named({ kind, id }), before: before.get(id) ?? null, after: role }))
}

const named = ({ kind, id }: Grantee) => (kind === 'user' ? { user: id } : { team: id })

async function appendChanges(
  trx: Trx,
  { events, principal }: EventContext,
  { organizationId, resource }: Where,
  changes: PermissionChange[],
): Promise<void> {
  if (changes.length === 0) return
  const about = { organizationId, actorId: principal.user.id }
  if (resource.kind === 'space')
    await events.append(trx, {
      ...about,
      type: 'space.permission_changed',
      spaceId: resource.id,
      payload: { changes },
    })
  else
    await events.append(trx, {
      ...about,
      type: 'collection.permission_changed',
      payload: { collection: resource.id, changes },
    })
}
