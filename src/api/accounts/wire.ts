// Rows of people and tokens as the wire knows them.
import type { UserRow } from '../../access/principal.ts'
import type { Urls } from '../../http/urls.ts'
import { isOfProgram } from './programs.ts'
import type { TokenRow } from './rows.ts'
import type { Token, User } from './schema.ts'

/** Of the row, the columns that are shown. */
export type Person = Pick<UserRow, 'id' | 'display_name' | 'email' | 'photo_url'>

export const toUser = (urls: Urls, row: Person): User => ({
  object: 'user',
  id: row.id,
  displayName: row.display_name,
  ...(isOfProgram(row) ? {} : { email: row.email }),
  ...(row.photo_url === null ? {} : { photoURL: row.photo_url }),
  urls: { location: urls.api(`/users/${row.id}`) },
})

export const toToken = (row: TokenRow): Token => ({
  object: 'user-api-token',
  id: row.id,
  label: row.label,
  scopes: row.scopes as Token['scopes'],
  organization: row.organization_id,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
