// What a directory does with the people of its organization. Each verb is one transaction. Their accounts may be of
// other organizations as well: a directory gives and takes the membership of its own, and changes nothing else of them.
import type { ScimPrincipal, UserRow } from '../../access/principal.ts'
import { missing, orMissing, precondition } from '../../base/errors.ts'
import { keysOf } from '../../base/objects.ts'
import type { PatchOperation } from '../../engines/scim/patch.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { sqlState } from '../../platform/db/failures.ts'
import { findUserByEmail, updateUser } from '../accounts/rows.ts'
import { createUserIfNew } from '../accounts/users-by-email.ts'
import { changeLockedMember, deleteLockedMember } from '../members/actions.ts'
import { joinOrganization } from '../members/joining.ts'
import { lockMemberAndAdmins } from '../members/rows.ts'
import { readName } from '../sso/identity.ts'
import { notUnique } from './failures.ts'
import { changeDraft, EMPTY_DRAFT, type Person, toPerson, type UserDraft } from './user-draft.ts'
import {
  findPerson,
  findRecord,
  isElsewhere,
  isTaken,
  type PersonRow,
  removeFormerRecords,
  upsertRecord,
} from './user-rows.ts'
import { versionOf } from './user-wire.ts'

export type ScimContext = ActionContext<ScimPrincipal>

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The directory says something else of a member. */
    'scim_person.changed': { user: string; fields: string[] }
  }
}

/** Versions that the caller asks for (If-Match); null: any. */
export type Versions = ReadonlySet<string> | null

export const createPerson = (
  context: ScimContext,
  operations: readonly PatchOperation[],
): Promise<PersonRow> => {
  const person = toPerson(operations.reduce(changeDraft, EMPTY_DRAFT))
  const { organizationId } = context.principal
  return refusingTwins(() =>
    context.transaction(async trx => {
      if (await isTaken(trx, organizationId, person, null)) throw TAKEN
      const { user, isMade } = await findAccount(trx, organizationId, person)
      const organization = await trx
        .selectFrom('organizations')
        .select('default_role')
        .where('id', '=', organizationId)
        .executeTakeFirst()
      const isNew = await joinOrganization(trx, context, {
        organizationId,
        userId: user.id,
        role: orMissing(organization, 'organization').default_role,
        how: 'scim',
        sso: true,
        actorId: null,
      })
      if (!isNew) throw TAKEN
      await removeFormerRecords(trx, organizationId, person, user.id)
      await upsertRecord(trx, toRecord(organizationId, user.id, person, isMade))
      await nameAccount(trx, organizationId, user.id, person, isMade)
      if (!person.active) await changeLockedMember(trx, context, whoOf(context, user.id), { disabled: true })
      return orMissing(await findPerson(trx, organizationId, user.id), 'user')
    }),
  )
}

/** `from`: what the operations change; `nothing` for a PUT. */
export const changePerson = (
  context: ScimContext,
  id: string,
  operations: readonly PatchOperation[],
  versions: Versions,
  from: 'nothing' | 'current',
): Promise<PersonRow> => {
  const { organizationId } = context.principal
  return refusingTwins(() =>
    context.transaction(async trx => {
      const row = await getLocked(trx, organizationId, id, versions)
      const current = toDraft(row)
      // A body without `active` does not let in who was disabled.
      const base = from === 'current' ? current : { ...EMPTY_DRAFT, active: current.active }
      const draft = operations.reduce(changeDraft, base)
      const person = toPerson(draft)
      const fields = keysOf(person).filter(field => field !== 'active' && person[field] !== current[field])
      if (fields.length > 0) {
        if (await isTaken(trx, organizationId, person, id)) throw TAKEN
        await removeFormerRecords(trx, organizationId, person, id)
        await upsertRecord(trx, toRecord(organizationId, id, person, row.made_account))
        await nameAccount(trx, organizationId, id, person, row.made_account)
        await context.events.append(trx, {
          type: 'scim_person.changed',
          organizationId,
          actorId: null,
          payload: { user: id, fields: fields.sort() },
        })
      }
      if (person.active !== current.active)
        await changeLockedMember(trx, context, whoOf(context, id), { disabled: !person.active })
      return orMissing(await findPerson(trx, organizationId, id), 'user')
    }),
  )
}

/** They keep their account, and what they have in other organizations. */
export const deletePerson = (context: ScimContext, id: string, versions: Versions): Promise<void> =>
  context.transaction(async trx => {
    await getLocked(trx, context.principal.organizationId, id, versions)
    if (!(await deleteLockedMember(trx, context, whoOf(context, id)))) throw missing('user')
  })

const whoOf = ({ principal }: ScimContext, userId: string) => ({
  organizationId: principal.organizationId,
  userId,
  actorId: null,
})

async function getLocked(
  trx: Trx,
  organizationId: string,
  id: string,
  versions: Versions,
): Promise<PersonRow> {
  await lockMemberAndAdmins(trx, organizationId, id)
  const row = orMissing(await findPerson(trx, organizationId, id), 'user')
  if (versions !== null && !versions.has(versionOf(row)))
    throw precondition('version_differs', 'The user has changed since you read it. Read it again.')
  return row
}

/**
 * The account of the address, made if there is none. An account that was somebody else's in the same directory is not
 * given to who has the address now: its tokens would open the organization again.
 */
async function findAccount(
  trx: Trx,
  organizationId: string,
  { email, externalId }: Person,
): Promise<{ user: UserRow; isMade: boolean }> {
  const made = await createUserIfNew(trx, email)
  if (made !== undefined) return { user: made, isMade: true }
  const user = orMissing(await findUserByEmail(trx, email), 'user')
  const former = await findRecord(trx, organizationId, user.id)
  const known = former?.external_id ?? null
  if (known !== null && externalId !== null && known !== externalId) throw FORMER
  return { user, isMade: former?.made_account ?? false }
}

/** The name of an account is of everybody who sees it: only one that the directory had made, and nobody else has. */
async function nameAccount(
  trx: Trx,
  organizationId: string,
  userId: string,
  { displayName }: Person,
  isMade: boolean,
): Promise<void> {
  const display_name = readName(displayName)
  if (!isMade || display_name === null || (await isElsewhere(trx, organizationId, userId))) return
  await updateUser(trx, userId, { display_name })
}

const toRecord = (organizationId: string, userId: string, person: Person, isMade: boolean) => ({
  organization_id: organizationId,
  user_id: userId,
  user_name: person.userName,
  external_id: person.externalId,
  email: person.email,
  display_name: person.displayName,
  given_name: person.givenName,
  family_name: person.familyName,
  made_account: isMade,
})

const toDraft = (row: PersonRow): UserDraft => ({
  userName: row.user_name,
  externalId: row.external_id,
  displayName: row.display_name,
  formatted: null,
  givenName: row.given_name,
  familyName: row.family_name,
  email: row.email,
  active: !row.disabled,
})

const TAKEN = notUnique(
  'Another user of this organization has this userName or this email address. Look for it with a filter.',
)
const FORMER = notUnique(
  'The account with this email address belonged to somebody else of this directory, who has left. Ask the operator of this server to release it (octavo unbind), or use another address.',
)
const UNIQUE_VIOLATION = '23505'

/** Two transactions may find the same name free at once. */
async function refusingTwins<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw TAKEN
    throw error
  }
}
