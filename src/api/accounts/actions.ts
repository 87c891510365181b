// Changing profiles, creating and revoking tokens.
import { isOwn, type UserPrincipal, type UserRow } from '../../access/principal.ts'
import { isPreset, isScope, PRESET_NAMES, PRESETS, SCOPES } from '../../access/scopes.ts'
import { now } from '../../base/clock.ts'
import { forbidden, invalid, orMissing } from '../../base/errors.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { ActionContext } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { insertToken, insertUser, removeToken, type TokenRow, updateUser } from './rows.ts'
import type { ChangeUser, CreateToken } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'user.changed': { fields: string[] }
    'token.created': { token: string; user: string; label: string }
    'token.deleted': { token: string; user: string; label: string }
  }
}

// Makes a token recognisable in logs and to secret scanners.
const TOKEN_PREFIX = 'octv_'
export const newTokenSecret = (): string => TOKEN_PREFIX + newSecret()

export async function changeUser(
  services: ActionContext,
  user: UserRow,
  change: ChangeUser,
): Promise<UserRow> {
  const { session, onlyIn } = services.principal
  if (session !== null && !isOwn(session.method) && onlyIn !== null)
    throw forbidden('You are signed in to one organization only, so you cannot change your account here.')
  return services.transaction(async trx => {
    const columns = {
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.photoURL === undefined ? {} : { photo_url: change.photoURL }),
    }
    if (Object.keys(columns).length === 0) return user
    const changed = orMissing(await updateUser(trx, user.id, columns), 'user')
    await services.events.append(trx, {
      type: 'user.changed',
      actorId: user.id,
      payload: { fields: Object.keys(change).sort() },
    })
    return changed
  })
}

/** A new person. `email` has to be free; the display name is its local part until they change it. */
export const createUser = (trx: Trx, email: string): Promise<UserRow> =>
  insertUser(trx, { id: newId(), email, display_name: (email.split('@')[0] ?? email).slice(0, 64) })

export type IssuedToken = { row: TokenRow; secret: string }

/** The token has at most the scopes and the lifetime of the one it is made with. */
export async function createToken(context: ActionContext, body: CreateToken): Promise<IssuedToken> {
  const scopes = body.may === undefined ? (body.scopes ?? null) : PRESETS[body.may]
  if (body.may !== undefined && body.scopes != null)
    throw invalid('scopes_twice', 'body.may: it is a set of scopes, so send either may or scopes.')
  const { expiresAt, organizationId } = await readBounds(context, {
    expiresAt: readExpiry(body.expiresAt ?? null),
    organizationId: body.organization ?? null,
  })
  return context.transaction(async trx => {
    const { id } = context.principal.user
    const issued = await issueToken(trx, { userId: id, label: body.label, scopes, expiresAt, organizationId })
    await context.events.append(trx, {
      type: 'token.created',
      ...(organizationId === null ? {} : { organizationId }),
      actorId: id,
      payload: { token: issued.row.id, user: id, label: issued.row.label },
    })
    return issued
  })
}

/** How long something acts for a person, and in which of their organizations; null: for ever, and in all. */
export type Bounds = { readonly expiresAt: Date | null; readonly organizationId: string | null }

/** What somebody makes to act for them reaches no further than what they make it with. */
export async function readBounds(context: ActionContext, wanted: Bounds): Promise<Bounds> {
  const expiresAt = boundExpiry(context.principal, wanted.expiresAt)
  const organizationId = readOrganization(context.principal, wanted.organizationId)
  if (organizationId === null && !(await opensAll(context)))
    throw invalid(
      'organization_needed',
      'body.organization: name one. You are signed in with a password, which does not open all of your organizations, so the token may not either.',
    )
  return { expiresAt, organizationId }
}

/**
 * Caps an expiry at that of the caller's token, also of the one that their session was begun with. Another session sets
 * no cap: the person is present.
 */
export function boundExpiry(maker: UserPrincipal, wanted: Date | null): Date | null {
  const end = maker.session === null ? maker.expiresAt : (maker.session.token?.expiresAt ?? null)
  if (end === null || (wanted !== null && wanted <= end)) return wanted
  if (wanted === null) return end
  throw invalid(
    'expiry_beyond_maker',
    `body.expiresAt: your own token ends at ${end.toISOString()}, so the new token has to end by then.`,
  )
}

/** Callers who open only one organization make tokens for that one. */
function readOrganization({ onlyIn, memberships }: UserPrincipal, wanted: string | null): string | null {
  if (wanted === null) return onlyIn
  if (memberships.has(wanted)) return wanted
  throw invalid('organization_unknown', 'body.organization: you belong to no such organization.')
}

/**
 * Whether it opens all organizations of the person. A password or a passkey does not open those whose identity provider
 * signs them in, nor a password or a token alone those that demand a second factor, so they make nothing that would.
 */
export async function opensAll({
  db,
  principal: { user, session, onlyIn },
}: Pick<ActionContext, 'db' | 'principal'>): Promise<boolean> {
  if (onlyIn !== null) return false
  if (session === null) return true
  if (session.lacking.length > 0) return false
  if (!isOwn(session.method)) return true
  const closed = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', user.id)
    .where('sso', '=', true)
    .limit(1)
    .executeTakeFirst()
  return closed === undefined
}

export type TokenOrder = {
  readonly userId: string
  readonly label: string
  readonly scopes?: readonly string[] | null
  readonly expiresAt?: Date | null
  /** The only organization that it opens. */
  readonly organizationId?: string | null
  /** Only if an operator chose it (OCTAVO_ADMIN_TOKEN). */
  readonly secret?: string
}

/** Writes a token of a person. */
export async function issueToken(trx: Trx, order: TokenOrder): Promise<IssuedToken> {
  const { userId, label, scopes = null, expiresAt = null, organizationId = null } = order
  const unknown = scopes?.find(scope => !isScope(scope))
  if (unknown !== undefined) {
    throw invalid('scope_unknown', `scopes: there is no scope ${unknown}. There are: ${SCOPES.join(', ')}.`)
  }
  const secret = order.secret ?? newTokenSecret()
  const row = await insertToken(
    trx,
    {
      id: newId(),
      user_id: userId,
      label,
      scopes: scopes === null ? null : [...new Set(scopes)].sort(),
      expires_at: expiresAt,
      organization_id: organizationId,
    },
    secret,
  )
  return { row, secret }
}

/** The scopes of a preset, by a name from outside. */
export function readPreset(name: string): readonly string[] {
  if (isPreset(name)) return PRESETS[name]
  throw invalid('preset_unknown', `may: there is no ${name}. There are: ${PRESET_NAMES.join(', ')}.`)
}

export async function deleteToken(context: ActionContext, id: string): Promise<void> {
  const { user, onlyIn } = context.principal
  await context.transaction(async trx => {
    const removed = await removeToken(trx, user.id, onlyIn, id)
    if (removed === undefined) return
    await context.events.append(trx, {
      type: 'token.deleted',
      ...(removed.organization_id === null ? {} : { organizationId: removed.organization_id }),
      actorId: user.id,
      payload: { token: id, user: user.id, label: removed.label },
    })
  })
}

/** The field `expiresAt` of a body. */
export function readExpiry(text: string | null): Date | null {
  if (text === null) return null
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw invalid('expiry_invalid', 'body.expiresAt: this is not a date and time.')
  if (date <= now()) throw invalid('expiry_past', 'body.expiresAt: this is in the past.')
  return date
}
