// Converts rows of sessions to their wire format.
import type { PersonInSession } from '../../access/principal.ts'
import { confirmedUntil } from '../../http/confirmation.ts'
import type { Urls } from '../../http/urls.ts'
import { toUser } from '../accounts/wire.ts'
import { confirmedBy } from './confirmation.ts'
import type { SessionRow } from './rows.ts'
import type { CurrentSession, Session } from './schema.ts'

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

/** `isSetUp`: whether the identity provider that it was begun with can still be asked. */
export const toCurrentSession = (
  urls: Urls,
  row: SessionRow,
  { user, session, expiresAt }: PersonInSession,
  isSetUp: boolean,
): CurrentSession => ({
  ...toSession(row),
  expiresAt: (expiresAt ?? row.expires_at).toISOString(),
  user: toUser(urls, user),
  confirmation: {
    until: confirmedUntil(session.confirmedAt)?.toISOString() ?? null,
    by: confirmedBy(session.method),
    ...(isSetUp ? { url: urls.root('/sso/confirm') } : {}),
  },
})
