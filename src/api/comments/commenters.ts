// The members of the organization who have commented in a discussion.
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import { type DiscussionId, isOf } from './rows.ts'

/** By name. Only comments count, not replies and reactions, as for `authors` of the list. */
export const listCommenters = (db: Db, organizationId: string, discussion: DiscussionId, query: PageQuery) =>
  page(
    db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(['role', 'disabled', 'sso', 'joined_at', 'last_seen_at'])
      .select(['users.id', 'users.display_name', 'users.email', 'users.photo_url'])
      .select(sql<string>`lower(users.display_name)`.as('name'))
      .where('members.organization_id', '=', organizationId)
      .where('members.user_id', 'in', db.selectFrom('comments').select('posted_by').where(isOf(discussion))),
    {
      question: { list: 'commenters', ...discussion },
      by: [
        ['name', 'asc'],
        ['id', 'asc'],
      ],
      ...query,
    },
  )
