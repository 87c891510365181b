// SQL over comments and replies. Reactions and repliers are in participants.ts.
import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import { missing } from '../../base/errors.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { CommentReplies, Comments, Tables } from '../../platform/db/tables.ts'
import type { ListComments } from './schema.ts'

export type CommentRow = Selectable<Comments>
export type ReplyRow = Selectable<CommentReplies>

/** The discussion of a space, or of one of its change requests. */
export type DiscussionId = { readonly spaceId: string; readonly changeRequestId: string | null }

/** Whether a comment is part of a discussion. A space's discussion excludes the comments of its change requests. */
export const isOf =
  ({ spaceId, changeRequestId }: DiscussionId) =>
  (is: ExpressionBuilder<Tables, 'comments'>) =>
    is.and([
      is('comments.space_id', '=', spaceId),
      is('comments.change_request_id', changeRequestId === null ? 'is' : '=', changeRequestId),
    ])

export const findComment = (
  db: Db | Trx,
  discussion: DiscussionId,
  id: string,
): Promise<CommentRow | undefined> =>
  db
    .selectFrom('comments')
    .selectAll()
    .where(isOf(discussion))
    .where('comments.id', '=', id)
    .executeTakeFirst()

/** By the time of posting, in either order. */
export function listComments(
  db: Db,
  discussion: DiscussionId,
  { order = 'desc', status = 'all', targetPage, authors = [], format: _, ...query }: ListComments,
) {
  const people = [...new Set(authors)].sort()
  let comments = db.selectFrom('comments').selectAll().where(isOf(discussion))
  if (status !== 'all') comments = comments.where('resolved_at', status === 'open' ? 'is' : 'is not', null)
  if (targetPage !== undefined) comments = comments.where('page_id', '=', targetPage)
  if (people.length > 0) comments = comments.where('posted_by', 'in', people)
  return page(comments, {
    question: { list: 'comments', ...discussion, order, status, targetPage: targetPage ?? null, people },
    by: [
      ['posted_at', order],
      ['id', order],
    ],
    ...query,
  })
}

/** Those of these comments that are part of the discussion. */
export const findComments = (
  db: Db | Trx,
  discussion: DiscussionId,
  ids: readonly string[],
): Promise<CommentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('comments')
        .selectAll()
        .where(isOf(discussion))
        .where(sql<boolean>`comments.id = any(${[...ids]}::text[])`)
        .execute()

/** The comments of these reviews. */
export const listCommentsOfReviews = (db: Db | Trx, reviewIds: readonly string[]): Promise<CommentRow[]> =>
  reviewIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('comments')
        .selectAll()
        .where('review_id', '=', sql<string>`any(${[...reviewIds]}::text[])`)
        .orderBy('posted_at')
        .orderBy('id')
        .execute()

/**
 * Locks the head of a discussion until the transaction ends, and returns its revision. Others who move the head wait,
 * others who comment do not. Throws `missing` if the space is deleted.
 */
export async function lockHead(
  trx: Trx,
  { space, changeRequest }: { readonly space: { id: string }; readonly changeRequest: { id: string } | null },
): Promise<string> {
  const head =
    changeRequest === null
      ? await trx
          .selectFrom('spaces')
          .select('revision_id')
          .where('id', '=', space.id)
          .where('deleted_at', 'is', null)
          .forShare()
          .executeTakeFirst()
      : await trx
          .selectFrom('change_requests')
          .innerJoin('spaces', 'spaces.id', 'change_requests.space_id')
          .select('change_requests.revision_id')
          .where('change_requests.id', '=', changeRequest.id)
          .where('spaces.deleted_at', 'is', null)
          .forShare('change_requests')
          .executeTakeFirst()
  if (head === undefined) throw missing(changeRequest === null ? 'space' : 'change request')
  return head.revision_id
}

/** The database sets the time of posting, at the moment of the insert: see `insertRevision`. */
export const insertComment = (trx: Trx, row: Omit<Insertable<Comments>, 'posted_at'>): Promise<CommentRow> =>
  trx
    .insertInto('comments')
    .values({ ...row, posted_at: sql<Date>`clock_timestamp()` })
    .returningAll()
    .executeTakeFirstOrThrow()

/** The row, locked until the transaction ends. Replies and reactions wait. */
export const lockComment = (trx: Trx, id: string): Promise<CommentRow | undefined> =>
  trx.selectFrom('comments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Prevents only the deletion of the comment, until the transaction ends. */
export const holdComment = (trx: Trx, id: string): Promise<{ id: string } | undefined> =>
  trx.selectFrom('comments').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()

/** `resolved_by` null reopens. Times are those of the statement. */
export const updateComment = (
  trx: Trx,
  id: string,
  { body, resolved_by }: { readonly body?: string; readonly resolved_by?: string | null },
): Promise<CommentRow> =>
  trx
    .updateTable('comments')
    .set({
      ...(body === undefined ? {} : { body, edited_at: sql<Date>`clock_timestamp()` }),
      ...(resolved_by === undefined
        ? {}
        : { resolved_by, resolved_at: resolved_by === null ? null : sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Its suggestion is applied, and it is resolved by this person unless it was. */
export const updateToApplied = (trx: Trx, id: string, by: string) =>
  trx
    .updateTable('comments')
    .set({
      applied_at: sql<Date>`clock_timestamp()`,
      resolved_by: sql<string>`coalesce(resolved_by, ${by})`,
      resolved_at: sql<Date>`coalesce(resolved_at, clock_timestamp())`,
    })
    .where('id', '=', id)
    .execute()

/** With its replies and reactions. */
export const removeComment = (trx: Trx, id: string): Promise<{ id: string } | undefined> =>
  trx.deleteFrom('comments').where('id', '=', id).returning('id').executeTakeFirst()

export const findReply = (db: Db | Trx, commentId: string, id: string): Promise<ReplyRow | undefined> =>
  db
    .selectFrom('comment_replies')
    .selectAll()
    .where('comment_id', '=', commentId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Oldest first. */
export const listReplies = (db: Db, commentId: string, query: PageQuery) =>
  page(db.selectFrom('comment_replies').selectAll().where('comment_id', '=', commentId), {
    question: { list: 'comment-replies', comment: commentId },
    by: [
      ['posted_at', 'asc'],
      ['id', 'asc'],
    ],
    ...query,
  })

export const insertReply = (
  trx: Trx,
  row: Omit<Insertable<CommentReplies>, 'posted_at'>,
): Promise<ReplyRow> =>
  trx
    .insertInto('comment_replies')
    .values({ ...row, posted_at: sql<Date>`clock_timestamp()` })
    .returningAll()
    .executeTakeFirstOrThrow()

export const lockReply = (trx: Trx, id: string): Promise<ReplyRow | undefined> =>
  trx.selectFrom('comment_replies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const updateReply = (trx: Trx, id: string, body: string): Promise<ReplyRow> =>
  trx
    .updateTable('comment_replies')
    .set({ body, edited_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const removeReply = (trx: Trx, id: string): Promise<{ id: string } | undefined> =>
  trx.deleteFrom('comment_replies').where('id', '=', id).returning('id').executeTakeFirst()
