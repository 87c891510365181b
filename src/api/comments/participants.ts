// Authors, resolvers, reactions and repliers of a page of comments, read in three queries for any number of comments.
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import type { CommentReplies, Reactions } from '../../platform/db/tables.ts'
import type { Person } from '../accounts/wire.ts'
import type { ReactionTarget } from './reactions.ts'
import type { CommentRow, ReplyRow } from './rows.ts'

/** People listed per emoji; all of them are counted. */
export const REACTION_USERS_SHOWN_MAX = 50

/** One person's reaction; `total` is how many people gave the same one. */
export type ReactionRow = Pick<Selectable<Reactions>, 'emoji' | 'user_id' | 'reacted_at'> & {
  readonly target_id: string
  readonly total: number
}

/** One person's replies to one comment. */
export type ReplierRow = Pick<Selectable<CommentReplies>, 'comment_id'> & {
  readonly user_id: string
  readonly count: number
  readonly updated_at: Date
}

/** By the id of the comment or reply they belong to. */
export type Participants = {
  readonly people: ReadonlyMap<string, Person>
  readonly reactions: ReadonlyMap<string, readonly ReactionRow[]>
  readonly repliers: ReadonlyMap<string, readonly ReplierRow[]>
}

export async function findParticipantsOfComments(
  db: Db | Trx,
  comments: readonly CommentRow[],
): Promise<Participants> {
  const ids = comments.map(({ id }) => id)
  const [reactions, repliers] = await Promise.all([
    listReactions(db, 'comment_id', ids),
    listRepliers(db, ids),
  ])
  const authors = comments.flatMap(({ posted_by, resolved_by }) =>
    resolved_by === null ? [posted_by] : [posted_by, resolved_by],
  )
  return toParticipants(db, authors, reactions, repliers)
}

export async function findParticipantsOfReplies(
  db: Db | Trx,
  replies: readonly ReplyRow[],
): Promise<Participants> {
  const reactions = await listReactions(
    db,
    'reply_id',
    replies.map(({ id }) => id),
  )
  return toParticipants(
    db,
    replies.map(({ posted_by }) => posted_by),
    reactions,
    [],
  )
}

async function toParticipants(
  db: Db | Trx,
  authors: readonly string[],
  reactions: readonly ReactionRow[],
  repliers: readonly ReplierRow[],
): Promise<Participants> {
  const people = await listPeople(db, [...authors, ...[...reactions, ...repliers].map(row => row.user_id)])
  return {
    people: new Map(people.map(person => [person.id, person])),
    reactions: Map.groupBy(reactions, row => row.target_id),
    repliers: Map.groupBy(repliers, row => row.comment_id),
  }
}

/** Emoji by their first reaction, and the people of each by the time of theirs. */
async function listReactions(
  db: Db | Trx,
  target: ReactionTarget,
  ids: readonly string[],
): Promise<ReactionRow[]> {
  if (ids.length === 0) return []
  const id = sql.ref(target)
  const { rows } = await sql<ReactionRow>`
    select target_id, emoji, user_id, reacted_at, total from (
      select ${id} as target_id, emoji, user_id, reacted_at,
        (count(*) over (partition by ${id}, emoji))::integer as total,
        min(reacted_at) over (partition by ${id}, emoji) as first_at,
        row_number() over (partition by ${id}, emoji order by reacted_at, user_id) as place
      from reactions where ${id} = any(${[...ids]}::text[])
    ) as placed
    where place <= ${REACTION_USERS_SHOWN_MAX}
    order by first_at, emoji, place`.execute(db)
  return rows
}

/** By their latest reply, newest first. */
async function listRepliers(db: Db | Trx, commentIds: readonly string[]): Promise<ReplierRow[]> {
  if (commentIds.length === 0) return []
  const { rows } = await sql<ReplierRow>`
    select comment_id, posted_by as user_id, count(*)::integer as count,
      max(greatest(posted_at, edited_at)) as updated_at
    from comment_replies where comment_id = any(${[...commentIds]}::text[])
    group by comment_id, posted_by
    order by updated_at desc, posted_by`.execute(db)
  return rows
}

const listPeople = async (db: Db | Trx, ids: readonly string[]): Promise<Person[]> => {
  const unique = [...new Set(ids)]
  return unique.length === 0
    ? []
    : db
        .selectFrom('users')
        .select(['id', 'display_name', 'email', 'photo_url'])
        .where('id', '=', sql<string>`any(${unique}::text[])`)
        .execute()
}
