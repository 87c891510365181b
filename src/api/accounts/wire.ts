// Converts rows of people and tokens to their wire format.
import type { UserRow } from '../../access/principal.ts'
import type { Urls } from '../../http/urls.ts'
import type { TokenRow } from './rows.ts'
import type { Token, User } from './schema.ts'

/** The columns of the row that are shown. */
export type Person = Pick<UserRow, 'id' | 'display_name' | 'email' | 'photo_url'>

/**
 * The addresses of programs end so, and are not shown. The domain never resolves (RFC 2606 §2), so nobody proves that
 * an address of it is theirs.
 */
export const PROGRAM_DOMAIN = '@programs.invalid'

/** The addresses of people who were erased end so; they are not shown either. */
export const ERASED_DOMAIN = '@erased.invalid'

/** Whether mail can reach whom the row stands for. */
export const hasMailbox = ({ email }: Pick<UserRow, 'email'>): boolean =>
  !email.endsWith(PROGRAM_DOMAIN) && !email.endsWith(ERASED_DOMAIN)

export const toUser = (urls: Urls, row: Person): User => ({
  object: 'user',
  id: row.id,
  displayName: row.display_name,
  ...(hasMailbox(row) ? { email: row.email } : {}),
  ...(row.photo_url === null ? {} : { photoURL: row.photo_url }),
  urls: { location: urls.api(`/users/${row.id}`) },
})

export const toToken = (row: TokenRow): Token => ({
  object: 'user-api-token',
  id: row.id,
  label: row.label,
  // Only scopes are written: see `issueToken`.
  scopes: row.scopes as Token['scopes'],
  organization: row.organization_id,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
