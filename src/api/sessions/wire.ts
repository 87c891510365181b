// Converts rows of sessions to their wire format.
import type { SessionRow } from './rows.ts'
import type { Session } from './schema.ts'

export const toSession = (row: SessionRow): Session => ({
  object: 'user-session',
  id: row.id,
  method: row.method,
  organization: row.organization_id,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})
