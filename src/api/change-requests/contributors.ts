// Who contributed to a change request, by editing its content or by commenting on it.
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/wire.ts'
import { type ChangeRequestRow, personJson } from './rows.ts'

export type ContributorRow = {
  readonly person: Person
  readonly action: 'edit' | 'comment'
  readonly count: number
  readonly acted_at: Date
}

/**
 * One row per person and kind of contribution, latest first; one query. Revisions made by opening a change request or
 * updating it from the space are not edits and are not counted.
 */
export async function listContributors(
  db: Db,
  { id, revision_initial_id }: Pick<ChangeRequestRow, 'id' | 'revision_initial_id'>,
): Promise<ContributorRow[]> {
  const { rows } = await sql<ContributorRow>`
    select ${personJson('users')} as person, acts.action, acts.count, acts.acted_at
    from (
      select user_id, action, count(*)::integer as count, max(acted_at) as acted_at
      from (
        select created_by as user_id, 'edit' as action, created_at as acted_at from revisions
        where change_request_id = ${id} and type = 'edits' and parents[1] <> ${revision_initial_id}
        union all
        select posted_by, 'comment', posted_at from comments where change_request_id = ${id}
        union all
        select replies.posted_by, 'comment', replies.posted_at from comment_replies as replies
        join comments on comments.id = replies.comment_id where comments.change_request_id = ${id}
      ) as every
      group by user_id, action
    ) as acts
    join users on users.id = acts.user_id
    order by acts.acted_at desc, users.id, acts.action`.execute(db)
  return rows
}
