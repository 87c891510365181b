// Converts rows of members to their wire format.
import type { Selectable } from 'kysely'
import type { MemberAccess } from '../../access/member-access.ts'
import type { Urls } from '../../http/urls.ts'
import type { Members } from '../../platform/db/tables.ts'
import { type Person, toUser } from '../accounts/wire.ts'
import type { Member } from './schema.ts'

/** A membership with its person. */
export type MemberRow = Omit<Selectable<Members>, 'user_id' | 'organization_id' | 'rank'> & Person

export const toMember = (urls: Urls, row: MemberRow, reach: MemberAccess): Member => ({
  object: 'member',
  id: row.id,
  role: row.role,
  user: toUser(urls, row),
  disabled: row.disabled,
  joinedAt: row.joined_at.toISOString(),
  ...(row.last_seen_at === null ? {} : { lastSeenAt: row.last_seen_at.toISOString() }),
  sso: row.sso,
  ...reach,
})
