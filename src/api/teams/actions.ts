// Creating, changing and deleting teams, and their members. Each verb is one transaction.
import type { Selectable } from 'kysely'
import { assert } from '../../base/assert.ts'
import { invalid, missing, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Teams } from '../../platform/db/tables.ts'
import { lockMembers } from '../members/rows.ts'
import { findTeamRoles, insertTeamMembers, removeTeamMembers } from './membership.ts'
import type { TeamAt } from './place.ts'
import { findTeam, insertTeam, lockTeam, removeTeam, type TeamRow, updateTitle } from './rows.ts'
import type { ChangeTeam, ChangeTeamMembers, CreateTeam, TeamRole } from './schema.ts'

type InTeam = { readonly user: string; readonly role: TeamRole }

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'team.created': { team: string; title: string; members: string[] }
    'team.changed': { team: string; title: string; before: string }
    'team.deleted': { team: string; title: string }
    /** `changed`: members with another role. */
    'team.members_changed': { team: string; added: InTeam[]; changed: InTeam[]; removed: string[] }
  }
}

export async function createTeam(
  context: ActionContext,
  organizationId: string,
  { title, members = [] }: CreateTeam,
): Promise<TeamRow> {
  return context.transaction(async trx => {
    const roles = new Map(members.map(id => [id, 'member' as const]))
    await checkMembers(
      trx,
      organizationId,
      members.map((id, index) => [`body.members.${index}`, id]),
    )
    const actorId = context.principal.user.id
    const id = await createTeamOf(trx, context, { organizationId, actorId }, title, roles)
    const row = await findTeam(trx, organizationId, id)
    assert(row !== undefined, 'a team that was just inserted exists')
    return row
  })
}

/** `createTeam` as a part of a transaction, of people who were checked. `actorId`: null for a directory. */
export async function createTeamOf(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  { organizationId, actorId }: { readonly organizationId: string; readonly actorId: string | null },
  title: string,
  roles: ReadonlyMap<string, TeamRole>,
): Promise<string> {
  const id = newId()
  await insertTeam(trx, { id, organization_id: organizationId, title })
  if (roles.size > 0) await insertTeamMembers(trx, { id, organization_id: organizationId }, roles)
  await events.append(trx, {
    type: 'team.created',
    organizationId,
    actorId,
    payload: { team: id, title, members: [...roles.keys()] },
  })
  return id
}

export const changeTeam = (context: ActionContext, at: TeamAt, { title }: ChangeTeam): Promise<void> =>
  context.transaction(async trx =>
    renameLockedTeam(trx, context, await getLocked(trx, at), title, context.principal.user.id),
  )

export async function renameLockedTeam(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  team: Selectable<Teams>,
  title: string,
  actorId: string | null,
): Promise<void> {
  if (team.title === title) return
  await updateTitle(trx, team.id, title)
  await events.append(trx, {
    type: 'team.changed',
    organizationId: team.organization_id,
    actorId,
    payload: { team: team.id, title, before: team.title },
  })
}

/** With its grants. Idempotent: succeeds if already deleted. */
export const deleteTeam = (context: ActionContext, at: TeamAt): Promise<void> =>
  context.transaction(async trx => {
    const team = await lockTeam(trx, at.organization.id, at.team.id)
    if (team !== undefined) await deleteLockedTeam(trx, context, team, context.principal.user.id)
  })

export async function deleteLockedTeam(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  team: Selectable<Teams>,
  actorId: string | null,
): Promise<void> {
  // Before its row: listeners still find what names it.
  await events.append(trx, {
    type: 'team.deleted',
    organizationId: team.organization_id,
    actorId,
    payload: { team: team.id, title: team.title },
  })
  await removeTeam(trx, team.id)
}

/**
 * Adds, changes and removes members at once; `remove` precedes the others. Throws `invalid` for the first person
 * outside of the organization.
 */
export const changeTeamMembers = (
  context: ActionContext,
  at: TeamAt,
  { add = [], memberships = {}, remove = [] }: ChangeTeamMembers,
): Promise<void> =>
  context.transaction(async trx => {
    const team = await getLocked(trx, at)
    await checkMembers(trx, team.organization_id, [
      ...add.map((id, index) => [`body.add.${index}`, id] as const),
      ...Object.keys(memberships).map(id => [`body.memberships.${id}`, id] as const),
      ...remove.map((id, index) => [`body.remove.${index}`, id] as const),
    ])
    const wanted = new Map<string, TeamRole | null>(add.map(id => [id, null]))
    for (const [id, { role }] of Object.entries(memberships)) wanted.set(id, role)
    for (const id of remove) wanted.delete(id)
    await applyMembers(trx, context, team, context.principal.user.id, wanted, remove)
  })

/** Adds a member of the organization to the team, or changes their role there. */
export const putTeamMember = (
  context: ActionContext,
  at: TeamAt,
  userId: string,
  role: TeamRole | null,
): Promise<void> =>
  context.transaction(async trx => {
    const team = await getLocked(trx, at)
    const known = await lockMembers(trx, team.organization_id, [userId])
    if (!known.has(userId)) throw missing('member')
    await applyMembers(trx, context, team, context.principal.user.id, new Map([[userId, role]]), [])
  })

/** Idempotent: succeeds if not in the team. */
export const deleteTeamMember = (context: ActionContext, at: TeamAt, userId: string): Promise<void> =>
  context.transaction(async trx => {
    const team = await lockTeam(trx, at.organization.id, at.team.id)
    if (team !== undefined)
      await applyMembers(trx, context, team, context.principal.user.id, new Map(), [userId])
  })

/**
 * Adds a member of the organization to a team, for ways of joining that name one. Does nothing if the team was deleted
 * or they are in it.
 */
export async function joinTeam(
  trx: Trx,
  services: Pick<Services, 'events'>,
  joining: { readonly organizationId: string; readonly teamId: string; readonly userId: string },
): Promise<void> {
  const team = await lockTeam(trx, joining.organizationId, joining.teamId)
  if (team === undefined) return
  await applyMembers(trx, services, team, joining.userId, new Map([[joining.userId, null]]), [])
}

/** Who is in a locked team. `wanted`: null keeps the current role, and adds others as members. */
export async function applyMembers(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  team: Selectable<Teams>,
  actorId: string | null,
  wanted: ReadonlyMap<string, TeamRole | null>,
  unwanted: readonly string[],
): Promise<void> {
  const current = await findTeamRoles(trx, team.id, [...wanted.keys(), ...unwanted])
  const added: InTeam[] = []
  const changed: InTeam[] = []
  for (const [user, role] of wanted) {
    const has = current.get(user)
    if (has === undefined) added.push({ user, role: role ?? 'member' })
    else if (role !== null && role !== has) changed.push({ user, role })
  }
  const removed = [...new Set(unwanted)].filter(id => current.has(id))
  const written = [...added, ...changed]
  if (written.length + removed.length === 0) return
  if (written.length > 0)
    await insertTeamMembers(trx, team, new Map(written.map(({ user, role }) => [user, role])))
  if (removed.length > 0) await removeTeamMembers(trx, team.id, removed)
  await events.append(trx, {
    type: 'team.members_changed',
    organizationId: team.organization_id,
    actorId,
    payload: { team: team.id, added, changed, removed },
  })
}

async function getLocked(trx: Trx, { organization, team }: TeamAt): Promise<Selectable<Teams>> {
  const locked = orMissing(await lockTeam(trx, organization.id, team.id), 'team')
  return locked
}

/** `named`: the field of each id in the body. The members stay members until the transaction ends. */
async function checkMembers(
  trx: Trx,
  organizationId: string,
  named: readonly (readonly [field: string, id: string])[],
): Promise<void> {
  if (named.length === 0) return
  const known = await lockMembers(
    trx,
    organizationId,
    named.map(([, id]) => id),
  )
  const wrong = named.find(([, id]) => !known.has(id))
  if (wrong === undefined) return
  const [field, id] = wrong
  throw invalid(
    'member_unknown',
    `${field}: ${id} is not a member of the organization. Send the id of a member.`,
  )
}
