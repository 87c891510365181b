// What a directory does with the teams of its organization, which it calls groups. Each verb is one transaction.
import type { Selectable } from 'kysely'
import { orMissing, precondition } from '../../base/errors.ts'
import type { PatchOperation } from '../../engines/scim/patch.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Teams } from '../../platform/db/tables.ts'
import { lockMembers } from '../members/rows.ts'
import { applyMembers, createTeamOf, deleteLockedTeam, renameLockedTeam } from '../teams/actions.ts'
import { listTeamMemberIds } from '../teams/membership.ts'
import { lockTeam } from '../teams/rows.ts'
import { PEOPLE_MAX } from '../teams/schema.ts'
import { invalidValue, notUnique } from './failures.ts'
import { type GroupDraft, readGroup } from './group-draft.ts'
import { findGroup, type GroupRow, isTitleTaken, upsertGroupRecord } from './group-rows.ts'
import { versionOfGroup } from './group-wire.ts'
import type { ScimContext, Versions } from './user-actions.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The directory calls a team something else. */
    'scim_group.changed': { team: string; title: string; externalId: string | null }
  }
}

export const createGroup = (
  context: ScimContext,
  operations: readonly PatchOperation[],
): Promise<GroupRow> => {
  const draft = readGroup(operations)
  const { displayName, externalId = null } = draft
  if (displayName === undefined) throw invalidValue('displayName: this is required.')
  const { organizationId } = context.principal
  return context.transaction(async trx => {
    if (await isTitleTaken(trx, organizationId, displayName, null)) throw TAKEN
    const who = { organizationId, actorId: null }
    const id = await createTeamOf(trx, context, who, displayName, new Map())
    await upsertGroupRecord(trx, { team_id: id, organization_id: organizationId, external_id: externalId })
    await writeMembers(trx, context, await getLocked(trx, organizationId, id), draft)
    return orMissing(await findGroup(trx, organizationId, id), 'group')
  })
}

export const changeGroup = (
  context: ScimContext,
  id: string,
  operations: readonly PatchOperation[],
  versions: Versions,
): Promise<GroupRow> => {
  const draft = readGroup(operations)
  const { displayName, externalId } = draft
  const { organizationId } = context.principal
  return context.transaction(async trx => {
    const team = await getLocked(trx, organizationId, id)
    await requireVersion(trx, team, versions)
    if (displayName !== undefined && displayName !== team.title) {
      if (await isTitleTaken(trx, organizationId, displayName, id)) throw TAKEN
      await renameLockedTeam(trx, context, team, displayName, null)
    }
    const row = orMissing(await findGroup(trx, organizationId, id), 'group')
    if (externalId !== undefined && externalId !== row.external_id) {
      await upsertGroupRecord(trx, { team_id: id, organization_id: organizationId, external_id: externalId })
      await context.events.append(trx, {
        type: 'scim_group.changed',
        organizationId,
        actorId: null,
        payload: { team: id, title: row.title, externalId },
      })
    }
    await writeMembers(trx, context, team, draft)
    return orMissing(await findGroup(trx, organizationId, id), 'group')
  })
}

/** With what it was given; its members stay members of the organization. */
export const deleteGroup = (context: ScimContext, id: string, versions: Versions): Promise<void> =>
  context.transaction(async trx => {
    const team = await getLocked(trx, context.principal.organizationId, id)
    await requireVersion(trx, team, versions)
    await deleteLockedTeam(trx, context, team, null)
  })

async function getLocked(trx: Trx, organizationId: string, id: string): Promise<Selectable<Teams>> {
  return orMissing(await lockTeam(trx, organizationId, id), 'group')
}

/** Members are read for it only if a version is asked for. */
async function requireVersion(
  trx: Trx,
  { id, organization_id }: Selectable<Teams>,
  versions: Versions,
): Promise<void> {
  if (versions === null) return
  const row = orMissing(await findGroup(trx, organization_id, id), 'group')
  if (!versions.has(versionOfGroup(row, await listTeamMemberIds(trx, id))))
    throw precondition('version_differs', 'The group has changed since you read it. Read it again.')
}

/** In parts, so that no event and no statement grows with the request. Who is in the team keeps the role they have. */
async function writeMembers(
  trx: Trx,
  context: ScimContext,
  team: Selectable<Teams>,
  { members, isReplacing }: GroupDraft,
): Promise<void> {
  const wanted = [...members].filter(([, isIn]) => isIn).map(([id]) => id)
  const named = [...members].filter(([, isIn]) => !isIn).map(([id]) => id)
  const former = isReplacing
    ? (await listTeamMemberIds(trx, team.id)).filter(id => members.get(id) !== true)
    : named
  for (const ids of partsOf(wanted)) {
    const known = await lockMembers(trx, team.organization_id, ids)
    const stranger = ids.find(id => !known.has(id))
    if (stranger !== undefined)
      throw invalidValue(
        `members: ${JSON.stringify(stranger.slice(0, 100))} is not the id of a user of this organization.`,
      )
    await applyMembers(trx, context, team, null, new Map(ids.map(id => [id, null])), [])
  }
  for (const ids of partsOf(former)) await applyMembers(trx, context, team, null, new Map(), ids)
}

const partsOf = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / PEOPLE_MAX) }, (_, index) =>
    ids.slice(index * PEOPLE_MAX, (index + 1) * PEOPLE_MAX),
  )

const TAKEN = notUnique('Another group of this organization has this displayName. Look for it with a filter.')
