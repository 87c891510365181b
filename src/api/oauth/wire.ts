// Converts rows of grants to their wire format.
import { hostOfRedirect } from './redirects.ts'
import type { ListedGrantRow } from './rows.ts'
import type { Authorization } from './schema.ts'

export const toAuthorization = (row: ListedGrantRow): Authorization => ({
  object: 'authorization',
  id: row.id,
  client: { id: row.client_id, name: row.client_name, host: hostOfRedirect(row.code_redirect_uri) },
  // Only scopes are granted: see `readRequest`.
  scopes: row.scopes as Authorization['scopes'],
  organization: row.organization_id,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
})
