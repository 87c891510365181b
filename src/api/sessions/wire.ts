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
  factor: row.factor,
  organization: row.organization_id,
  address: row.address,
  userAgent: row.user_agent,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

/** `asker`: the path of the page that confirms it, if it is not confirmed by a secret that is sent to the API. */
export const toCurrentSession = (
  urls: Urls,
  row: SessionRow,
  { user, session, expiresAt }: PersonInSession,
  asker: string | null,
): CurrentSession => ({
  ...toSession(row),
  expiresAt: (expiresAt ?? row.expires_at).toISOString(),
  user: toUser(urls, user),
  confirmation: {
    until: confirmedUntil(session.confirmedAt)?.toISOString() ?? null,
    by: confirmedBy(session.method),
    ...(asker === null ? {} : { url: urls.root(asker) }),
  },
})
