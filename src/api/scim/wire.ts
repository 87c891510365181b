// The tokens of directories on the wire, and the addresses of SCIM.
import type { Urls } from '../../http/urls.ts'
import type { TokenRow } from '../accounts/rows.ts'
import type { SCIMToken } from './schema.ts'

export const SCIM = '/scim/v2'

export const baseUrlOf = (urls: Urls, organizationId: string): string =>
  urls.root(`${SCIM}/${organizationId}`)

export const toScimToken = (row: TokenRow): SCIMToken => ({
  object: 'scim-token',
  id: row.id,
  label: row.label,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
