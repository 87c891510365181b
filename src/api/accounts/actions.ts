// Changing profiles, creating and revoking tokens.
import type { UserPrincipal, UserRow } from '../../access/principal.ts'
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
  if (session !== null && onlyIn !== null)
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
  const expiresAt = boundExpiry(context.principal, readExpiry(body.expiresAt ?? null))
  const organizationId = readOrganization(context.principal, body.organization ?? null)
  if (organizationId === null) await requireWholePerson(context)
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
 * A password does not open organizations whose identity provider signs the person in, so it makes no token that would
 * open all of theirs.
 */
async function requireWholePerson({ db, principal: { user, session } }: ActionContext): Promise<void> {
  if (session?.method !== 'password') return
  const closed = await db
    .selectFrom('members')
    .select('organization_id')
    .where('user_id', '=', user.id)
    .where('sso', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (closed === undefined) return
  throw invalid(
    'organization_needed',
    'body.organization: name one. You are signed in with a password, which does not open all of your organizations, so the token may not either.',
  )
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
