// Converts rows of comments and replies to their wire format.
import { permissions, type RoleOn } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../base/assert.ts'
import type { Services } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import type { User } from '../accounts/schema.ts'
import { toBody } from './body.ts'
import type { Participants } from './participants.ts'
import { roleOnComment } from './place.ts'
import type { CommentRow, ReplyRow } from './rows.ts'
import {
  type Body,
  COMMENT_PERMISSIONS,
  type Comment,
  type CommentReply,
  type Format,
  REPLY_PERMISSIONS,
  type Target,
} from './schema.ts'

/** Values that all comments of one answer share. */
export type CommentsContext = {
  readonly services: Pick<Services, 'compute'>
  readonly urls: Urls
  readonly principal: Principal
  /** The caller's role on the space. */
  readonly role: RoleOn<'space'> | null
  readonly format: Exclude<Format, 'html'>
  /** By the ids of comments and replies, where HTML is asked for. */
  readonly htmls: ReadonlyMap<string, string>
  readonly participants: Participants
  /** Converted once each: one user may occur a thousand times. */
  readonly users: ReadonlyMap<string, User>
}

export async function toComment(view: CommentsContext, row: CommentRow): Promise<Comment> {
  const repliers = view.participants.repliers.get(row.id) ?? []
  return {
    object: 'comment',
    ...(await toPosted(view, row, row.space_id)),
    replies: repliers.reduce((sum, { count }) => sum + count, 0),
    repliers: repliers.map(({ user_id, count, updated_at }) => ({
      updatedAt: updated_at.toISOString(),
      count,
      user: toPerson(view, user_id),
    })),
    target: toTarget(row),
    ...(row.suggestion_before === null || row.suggestion_after === null
      ? {}
      : {
          suggestion: {
            before: row.suggestion_before,
            after: row.suggestion_after,
            ...(row.applied_at === null ? {} : { appliedAt: row.applied_at.toISOString() }),
          },
        }),
    urls: { location: view.urls.api(commentPath(row)) },
    permissions: permissions('comment', roleOnComment(view.principal, view.role, row), COMMENT_PERMISSIONS),
    ...(row.resolved_at === null || row.resolved_by === null
      ? { status: 'open' }
      : {
          status: 'resolved',
          resolvedAt: row.resolved_at.toISOString(),
          resolvedBy: toPerson(view, row.resolved_by),
        }),
  }
}

export const toReply = async (
  view: CommentsContext,
  comment: CommentRow,
  row: ReplyRow,
): Promise<CommentReply> => ({
  object: 'comment-reply',
  ...(await toPosted(view, row, comment.space_id)),
  urls: { location: view.urls.api(`${commentPath(comment)}/replies/${row.id}`) },
  permissions: permissions('comment', roleOnComment(view.principal, view.role, row), REPLY_PERMISSIONS),
})

const toPosted = async (view: CommentsContext, row: CommentRow | ReplyRow, spaceId: string) => ({
  id: row.id,
  postedBy: toPerson(view, row.posted_by),
  postedAt: row.posted_at.toISOString(),
  ...(row.edited_at === null ? {} : { editedAt: row.edited_at.toISOString() }),
  reactions: toReactions(view, row.id),
  body: await toShownBody(view, row, spaceId),
})

async function toShownBody(
  view: CommentsContext,
  row: CommentRow | ReplyRow,
  spaceId: string,
): Promise<Body> {
  const body = await toBody(view.services, spaceId, row.body, view.format)
  const html = view.htmls.get(row.id)
  return html === undefined ? body : { ...body, html }
}

function toReactions(view: CommentsContext, id: string): Comment['reactions'] {
  const byEmoji = Map.groupBy(view.participants.reactions.get(id) ?? [], ({ emoji }) => emoji)
  return [...byEmoji].map(([emoji, rows]) => ({
    emoji,
    count: rows[0]?.total ?? rows.length,
    users: rows.map(({ user_id, reacted_at }) => ({
      user: toPerson(view, user_id),
      reactedAt: reacted_at.toISOString(),
    })),
  }))
}

function toPerson({ users }: CommentsContext, id: string): User {
  const user = users.get(id)
  assert(user !== undefined, `the person ${id} of a comment is there`)
  return user
}

const toTarget = (row: CommentRow): Target => ({
  space: row.space_id,
  ...(row.change_request_id === null ? {} : { changeRequest: row.change_request_id }),
  ...(row.review_id === null ? {} : { review: row.review_id }),
  revision: row.revision_id,
  ...(row.page_id === null ? {} : { page: { id: row.page_id } }),
  ...(row.node === null ? {} : { node: { id: row.node } }),
  ...(row.table_record === null || row.table_definition === null
    ? {}
    : { tableCell: { record: row.table_record, definition: row.table_definition } }),
  ...(row.range_quote === null
    ? {}
    : {
        range: {
          quote: row.range_quote,
          prefix: row.range_prefix ?? '',
          suffix: row.range_suffix ?? '',
        },
      }),
  ...(row.outdated ? { outdated: true } : {}),
})

const commentPath = (row: CommentRow): string =>
  row.change_request_id === null
    ? `/spaces/${row.space_id}/comments/${row.id}`
    : `/spaces/${row.space_id}/change-requests/${row.change_request_id}/comments/${row.id}`
