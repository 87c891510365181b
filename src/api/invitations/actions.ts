// Inviting people. Each verb is one transaction; accepting.ts accepts invitations.
import { allows, type MemberRole } from '../../access/policy.ts'
import type { UserPrincipal } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { sha256 } from '../../base/canonical.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden, invalid, missing, orMissing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext } from '../../http/context.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import { readExpiry } from '../accounts/actions.ts'
import { findOrCreateUser, isMailAddress } from '../accounts/users-by-email.ts'
import { findCollectionFor } from '../collections/place.ts'
import { joinOrganization } from '../members/joining.ts'
import type { OrganizationRow } from '../organizations/rows.ts'
import { findSpaceFor } from '../spaces/place.ts'
import { INVITATION_MAIL } from './jobs.ts'
import type { InviteAt } from './place.ts'
import {
  countInvites,
  findInvite,
  findMembersElsewhere,
  hasActiveProvider,
  type InviteRow,
  insertInvite,
  lockInvite,
  removeInvite,
  updateInvite,
} from './rows.ts'
import {
  type ChangeInvite,
  type CreateInvite,
  type InvitedPerson,
  type InvitedUsers,
  type InviteUsersToOrganization,
  LINKS_MAX,
} from './schema.ts'

/** Without a space and a collection, the role is in the organization. */
type About = {
  invite: string
  collection?: string
  role: MemberRole | null
  expiresAt: string | null
  usesMax: number | null
}

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** `invite` is a fingerprint: the id itself is a secret. */
    'invite.created': About
    'invite.changed': About & { fields: string[] }
    'invite.deleted': About
  }
}

const fingerprintOf = (inviteId: string): string => sha256(inviteId).slice(0, 16)

/** All addresses or none. Members are not changed and get no email. */
export async function inviteUsers(
  context: ActionContext,
  organization: OrganizationRow,
  body: InviteUsersToOrganization,
): Promise<InvitedUsers> {
  const wanted = readAddresses(body, organization.default_role)
  return context.transaction(async trx => {
    const canBeSso = body.sso === true && (await hasActiveProvider(trx, organization.id))
    const people: { id: string; email: string; role: MemberRole | null }[] = []
    // Sorted, so that concurrent invitations of the same people do not deadlock.
    for (const [, { address, role, name }] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { id } = await findOrCreateUser(trx, address, name)
      people.push({ id, email: address, role })
    }
    const ids = people.map(({ id }) => id)
    // Members of other organizations cannot be bound to this identity provider.
    const elsewhere = canBeSso ? await findMembersElsewhere(trx, organization.id, ids) : new Set()
    const joined = new Set<string>()
    const failed = new Set<string>()
    for (const { id, email, role } of people) {
      const sso = canBeSso && !elsewhere.has(id)
      const joining = {
        organizationId: organization.id,
        userId: id,
        role,
        sso,
        actorId: context.principal.user.id,
      }
      if (!(await joinOrganization(trx, context, { ...joining, how: 'invitation' }))) continue
      joined.add(id)
      if (body.sso === true && !sso) failed.add(email)
      if (context.mail.isConfigured) {
        const data = { organization: organization.id, user: id, inviter: context.principal.user.id }
        await context.jobs.enqueue(trx, INVITATION_MAIL, data)
      }
    }
    const inOrder = [...wanted.values()].map(({ address }) => address)
    const idOf = new Map(people.map(({ id, email }) => [email, id]))
    return {
      users: inOrder.flatMap(address => idOf.get(address) ?? []).filter(id => joined.has(id)),
      invited: joined.size,
      mailed: context.mail.isConfigured,
      ...(body.sso === true ? { failedSSOEmails: inOrder.filter(address => failed.has(address)) } : {}),
    }
  })
}

type InvitedAddress = {
  readonly address: string
  readonly role: MemberRole | null
  readonly name: string | undefined
}

/** By the address in lower case. */
function readAddresses(
  { emails, role }: InviteUsersToOrganization,
  defaultRole: MemberRole | null,
): ReadonlyMap<string, InvitedAddress> {
  const wanted = new Map<string, InvitedAddress>()
  for (const [index, entry] of emails.entries()) {
    const given: InvitedPerson = typeof entry === 'string' ? { email: entry } : entry
    const { email: address, name } = given
    const field = typeof entry === 'string' ? `body.emails.${index}` : `body.emails.${index}.email`
    if (!isMailAddress(address)) throw invalid('email_invalid', `${field}: this is not an email address.`)
    const own = [given.role, role, defaultRole].find(one => one !== undefined) ?? null
    const key = address.toLowerCase()
    const before = wanted.get(key)
    if (before !== undefined && before.role !== own)
      throw invalid('email_twice', `${field}: this address is listed twice, with different roles.`)
    wanted.set(key, before ?? { address, role: own, name })
  }
  return wanted
}

/** Throws `invalid` for a target that the caller cannot see, `forbidden` for one that they may not invite to. */
export async function createInvite(
  context: SignedInContext,
  organization: OrganizationRow,
  body: CreateInvite,
): Promise<InviteRow> {
  const target = await readTarget(context, organization, body)
  const expiresAt = readExpiry(body.expiresAt ?? null)
  if (!organization.invite_links) throw linksAreOff()
  return context.transaction(async trx => {
    await requireRoom(trx, organization)
    const id = newId()
    await insertInvite(trx, {
      id,
      organization_id: organization.id,
      ...target,
      created_by: context.principal.user.id,
      expires_at: expiresAt,
      uses_max: body.usesMax ?? null,
    })
    const row = await findInvite(trx, organization.id, id)
    // Its target was deleted in the meantime.
    if (row === undefined) throw missing('invitation')
    await context.events.append(trx, { type: 'invite.created', ...about(context.principal, row) })
    return row
  })
}

async function requireRoom(trx: Trx, organization: OrganizationRow): Promise<void> {
  if ((await countInvites(trx, organization.id)) >= LINKS_MAX)
    throw conflict(
      'invites_too_many',
      `The organization has ${LINKS_MAX} invitations already. Delete some that nobody needs.`,
    )
}

type Columns = Pick<InviteRow, 'role' | 'space_id' | 'collection_id'>

async function readTarget(
  context: SignedInContext,
  organization: OrganizationRow,
  { role, level, space, collection }: CreateInvite,
): Promise<Columns> {
  if (space !== undefined && collection !== undefined)
    throw invalid('target_ambiguous', 'body: send either space or collection, not both.')
  if (space !== undefined) {
    const granted = levelOnResource(role, level)
    const at = await findSpaceFor(context, space)
    if (at?.space.organization_id !== organization.id || !allows('space', 'view', at.role))
      throw invalid('space_unknown', 'body.space: there is no such space in this organization.')
    if (!allows('space', 'viewInviteLinks', at.role)) throw inviteForbidden('this space')
    return { role: granted, space_id: space, collection_id: null }
  }
  if (collection !== undefined) {
    const granted = levelOnResource(role, level)
    const at = await findCollectionFor(context, collection)
    if (at?.collection.organization_id !== organization.id || !allows('collection', 'view', at.role))
      throw invalid(
        'collection_unknown',
        'body.collection: there is no such collection in this organization.',
      )
    if (!allows('collection', 'viewInviteLinks', at.role)) throw inviteForbidden('this collection')
    return { role: granted, space_id: null, collection_id: collection }
  }
  if (level !== undefined)
    throw invalid(
      'target_missing',
      'body.space: level is a role on a space or a collection: name it, or send role.',
    )
  if (role === undefined)
    throw invalid('role_missing', 'body.role: send role, or level with space, or level with collection.')
  const own = roleInOrganization(context.principal, organization.id)
  if (!allows('organization', 'invite', own)) throw inviteForbidden('the organization')
  return { role, space_id: null, collection_id: null }
}

function levelOnResource(role: CreateInvite['role'], level: CreateInvite['level']) {
  if (role !== undefined)
    throw invalid(
      'role_ambiguous',
      'body.role: an invitation to a space or a collection has a level instead.',
    )
  if (level === undefined) throw invalid('level_missing', 'body.level: this is required.')
  return level
}

const inviteForbidden = (what: string) => forbidden(`Inviting to ${what} needs the role admin on it.`)

export const linksAreOff = () =>
  conflict(
    'invite_links_off',
    'This organization does not accept people by link at the moment: its inviteLinks is off. Ask one of its admins.',
  )

export async function changeInvite(
  context: ActionContext,
  { organization, invite }: InviteAt,
  body: ChangeInvite,
): Promise<InviteRow> {
  const [field, other] = (invite.space_id ?? invite.collection_id) ? LEVEL : ROLE
  if (body[other] !== undefined)
    throw invalid('role_ambiguous', `body.${other}: what this invitation gives is its ${field}.`)
  const role = body[field]
  const expiresAt = body.expiresAt === undefined ? undefined : readExpiry(body.expiresAt)
  const { usesMax } = body
  if (role === undefined && expiresAt === undefined && usesMax === undefined)
    throw invalid('role_missing', `body.${field}: this is required.`)
  return context.transaction(async trx => {
    const locked = orMissing(await lockInvite(trx, organization.id, invite.id), 'invitation')
    const isOtherRole = role !== undefined && role !== locked.role
    const isOtherEnd = expiresAt !== undefined && expiresAt?.getTime() !== locked.expires_at?.getTime()
    const isOtherBound = usesMax !== undefined && usesMax !== locked.uses_max
    if (!isOtherRole && !isOtherEnd && !isOtherBound) return locked
    if ((isOtherEnd && isOver(locked)) || (isOtherBound && isUsedUp(locked)))
      await requireRoom(trx, organization)
    const changed = {
      ...locked,
      ...(isOtherRole ? { role } : {}),
      ...(isOtherEnd ? { expires_at: expiresAt } : {}),
      ...(isOtherBound ? { uses_max: usesMax } : {}),
    }
    const { expires_at, uses_max } = changed
    await updateInvite(trx, locked.id, { role: changed.role, expires_at, uses_max })
    const { payload, ...rest } = about(context.principal, changed)
    const fields = [
      ...(isOtherEnd ? ['expiresAt'] : []),
      ...(isOtherRole ? [field] : []),
      ...(isOtherBound ? ['usesMax'] : []),
    ]
    await context.events.append(trx, { type: 'invite.changed', ...rest, payload: { ...payload, fields } })
    return changed
  })
}

const ROLE = ['role', 'level'] as const
const LEVEL = ['level', 'role'] as const

export const isOver = ({ expires_at }: InviteRow): boolean => expires_at !== null && expires_at <= now()

export const isUsedUp = ({ uses, uses_max }: InviteRow): boolean => uses_max !== null && uses >= uses_max

/** People who accepted it stay. */
export async function deleteInvite(
  context: ActionContext,
  { organization, invite }: InviteAt,
): Promise<void> {
  await context.transaction(async trx => {
    const locked = await lockInvite(trx, organization.id, invite.id)
    if (locked === undefined) return
    await removeInvite(trx, locked.id)
    await context.events.append(trx, { type: 'invite.deleted', ...about(context.principal, locked) })
  })
}

/** The fields of its events. */
export const about = (principal: UserPrincipal, row: InviteRow) => ({
  organizationId: row.organization_id,
  spaceId: row.space_id,
  actorId: principal.user.id,
  payload: {
    invite: fingerprintOf(row.id),
    ...(row.collection_id === null ? {} : { collection: row.collection_id }),
    role: row.role,
    expiresAt: row.expires_at?.toISOString() ?? null,
    usesMax: row.uses_max,
  },
})
