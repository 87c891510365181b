// What people do with their profile and their tokens.
import type { UserPrincipal, UserRow } from '../../access/principal.ts'
import { isScope, SCOPES } from '../../access/scopes.ts'
import { now } from '../../base/clock.ts'
import { invalid, missing } from '../../base/errors.ts'
import { newId, newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/open.ts'
import { insertToken, insertUser, removeToken, type TokenRow, updateUser } from './rows.ts'
import type { ChangeUser, CreateToken } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'user.changed': { fields: string[] }
    'token.created': { token: string; label: string }
    'token.deleted': { token: string; label: string }
  }
}

// Makes a token recognisable in logs and to secret scanners.
const TOKEN_PREFIX = 'octv_'

export async function changeUser(services: Services, user: UserRow, change: ChangeUser): Promise<UserRow> {
  return services.transaction(async trx => {
    const columns = {
      ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
      ...(change.photoURL === undefined ? {} : { photo_url: change.photoURL }),
    }
    if (Object.keys(columns).length === 0) return user
    const changed = await updateUser(trx, user.id, columns)
    if (changed === undefined) throw missing('user')
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

/** A new token of the caller. */
export async function createToken(
  services: Services,
  principal: UserPrincipal,
  body: CreateToken,
): Promise<IssuedToken> {
  const expiresAt = readExpiry(body.expiresAt ?? null)
  return services.transaction(async trx => {
    const issued = await issueToken(trx, principal.user.id, body.label, body.scopes ?? null, expiresAt)
    await services.events.append(trx, {
      type: 'token.created',
      actorId: principal.user.id,
      payload: { token: issued.row.id, label: issued.row.label },
    })
    return issued
  })
}

/** Writes a token; `secret` is given only where an operator chose it (OCTAVO_ADMIN_TOKEN). */
export async function issueToken(
  trx: Trx,
  userId: string,
  label: string,
  scopes: readonly string[] | null,
  expiresAt: Date | null,
  secret: string = TOKEN_PREFIX + newSecret(),
): Promise<IssuedToken> {
  const unknown = scopes?.find(scope => !isScope(scope))
  if (unknown !== undefined) {
    throw invalid('scope_unknown', `scopes: there is no scope ${unknown}. There are: ${SCOPES.join(', ')}.`)
  }
  const unique = scopes === null ? null : [...new Set(scopes)].sort()
  const row = await insertToken(
    trx,
    { id: newId(), user_id: userId, label, scopes: unique, expires_at: expiresAt },
    secret,
  )
  return { row, secret }
}

export async function deleteToken(services: Services, principal: UserPrincipal, id: string): Promise<void> {
  await services.transaction(async trx => {
    const removed = await removeToken(trx, principal.user.id, id)
    if (removed === undefined) return
    await services.events.append(trx, {
      type: 'token.deleted',
      actorId: principal.user.id,
      payload: { token: id, label: removed.label },
    })
  })
}

function readExpiry(text: string | null): Date | null {
  if (text === null) return null
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw invalid('expiry_invalid', 'body.expiresAt: this is not a date and time.')
  if (date <= now()) throw invalid('expiry_past', 'body.expiresAt: this has passed already.')
  return date
}
