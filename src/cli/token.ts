// `octavo token`: a new token for an existing user.
import { issueToken, readPreset } from '../api/accounts/actions.ts'
import { findUserByEmail } from '../api/accounts/rows.ts'
import { now } from '../base/clock.ts'
import { invalid } from '../base/errors.ts'
import type { Services } from '../http/context.ts'

export type TokenOptions = {
  readonly email: string
  /** Absent: everything the user may do. */
  readonly scopes?: readonly string[]
  /** Scopes under one name, instead of `scopes`. */
  readonly may?: string
  /** As `readExpiry` takes it; absent: never. */
  readonly expires?: string
}

const TOKEN_LABEL = 'made by the octavo command'

/**
 * @throws {Failure} invalid: `user_missing`, `scope_unknown`, `scopes_twice`, `preset_unknown`, `expiry_invalid`,
 * `expiry_past`.
 */
export async function makeToken(
  services: Services,
  { email, scopes, may, expires }: TokenOptions,
): Promise<{ token: string }> {
  const user = await findUserByEmail(services.db, email)
  if (user === undefined) throw invalid('user_missing', `There is no user with the address ${email}.`)
  const expiresAt = expires === undefined ? null : readExpiry(expires, now())
  if (may !== undefined && scopes !== undefined)
    throw invalid('scopes_twice', '--may names scopes: leave out one of --may and --scopes.')
  const granted = may === undefined ? (scopes ?? null) : readPreset(may)
  return services.transaction(async trx => {
    const order = { userId: user.id, label: TOKEN_LABEL, scopes: granted, expiresAt }
    const { row, secret } = await issueToken(trx, order)
    await services.events.append(trx, {
      type: 'token.created',
      payload: { token: row.id, user: user.id, label: row.label },
    })
    return { token: secret }
  })
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
// `Date` alone reads nearly everything as some date, even "room 2050".
const ISO_DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/
// The wire writes years with four digits (RFC 3339).
const YEAR_MAX = 9999

/** `30d`, `12h`, `2w`, `45m`, or an ISO 8601 date, with a time or without. */
export function readExpiry(text: string, from: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const date =
    count === undefined
      ? new Date(ISO_DATE.test(text) ? text : Number.NaN)
      : new Date(from.getTime() + Number(count) * (UNITS_MS[unit] ?? Number.NaN))
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > YEAR_MAX) {
    throw invalid(
      'expiry_invalid',
      `--expires: write 30d, 12h or a date such as 2030-01-31; this is ${JSON.stringify(text)}.`,
    )
  }
  if (date <= from) throw invalid('expiry_past', `--expires: ${text} has passed already.`)
  return date
}
