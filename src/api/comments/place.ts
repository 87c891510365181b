// Where comments stand: a discussion (of a space, or of a change request of it), a comment of it, a reply to that.
// Discussions are for those who belong to the space; who only visits an open one finds no comment there.
import { Type } from 'typebox'
import { allows, type RoleOn } from '../../access/policy.ts'
import { authorIdOf, type Principal } from '../../access/principal.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/operation.ts'
import { onChangeRequest } from '../change-requests/place.ts'
import type { ChangeRequestRow } from '../change-requests/rows.ts'
import { onSpace } from '../spaces/place.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { type CommentRow, type DiscussionId, findComment, findReply, type ReplyRow } from './rows.ts'

export type Discussion = {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow | null
  /** On the space. */
  readonly role: RoleOn<'space'> | null
}
export type CommentAt = Discussion & { readonly comment: CommentRow }
export type ReplyAt = CommentAt & { readonly reply: ReplyRow }

export const onSpaceDiscussion: Place<'space', Discussion> = {
  ...onSpace,
  async find(context, params) {
    const at = await onSpace.find(context, params)
    return at && { ...at, changeRequest: null }
  },
}

export const onChangeRequestDiscussion: Place<'space', Discussion> = onChangeRequest

/**
 * Whoever wrote something and may still write is its author; admins of the space moderate (api-facts §8-52). The same
 * for a comment and for a reply.
 */
export function roleOnRemark(
  principal: Principal,
  role: RoleOn<'space'> | null,
  remark: { readonly posted_by: string },
): RoleOn<'comment'> | null {
  if (!allows('space', 'access', role)) return null
  if (allows('space', 'admin', role)) return 'moderator'
  if (!allows('space', 'comment', role)) return 'reader'
  const isAuthor = principal.kind === 'user' || principal.kind === 'installation'
  if (isAuthor && authorIdOf(principal) === remark.posted_by) return 'author'
  return allows('space', 'review', role) ? 'reviewer' : 'commenter'
}

const onCommentOf = (discussion: Place<'space', Discussion>): Place<'comment', CommentAt> => ({
  name: discussion.name,
  subject: 'comment',
  path: `${discussion.path}/comments/{commentId}`,
  params: Type.Object({ ...discussion.params.properties, commentId: Id('A comment.') }),
  noun: 'comment',
  async find(context, params) {
    const at = await discussion.find(context, params)
    const comment = at && (await findComment(context.db, discussionId(at), params.commentId ?? ''))
    return comment && { ...at, comment }
  },
  role: (principal, { role, comment }) => roleOnRemark(principal, role, comment),
})

export const onSpaceComment = onCommentOf(onSpaceDiscussion)
export const onChangeRequestComment = onCommentOf(onChangeRequestDiscussion)

const onReplyOf = (onComment: Place<'comment', CommentAt>): Place<'comment', ReplyAt> => ({
  name: onComment.name,
  subject: 'comment',
  path: `${onComment.path}/replies/{commentReplyId}`,
  params: Type.Object({
    ...onComment.params.properties,
    commentReplyId: Id('A reply to the comment.'),
  }),
  noun: 'comment reply',
  async find(context: Context, params) {
    const at = await onComment.find(context, params)
    const reply = at && (await findReply(context.db, at.comment.id, params.commentReplyId ?? ''))
    return reply && { ...at, reply }
  },
  role: (principal, { role, reply }) => roleOnRemark(principal, role, reply),
})

export const onSpaceReply = onReplyOf(onSpaceComment)
export const onChangeRequestReply = onReplyOf(onChangeRequestComment)

/** Which discussion, for SQL. */
export const discussionId = ({ space, changeRequest }: Discussion): DiscussionId => ({
  spaceId: space.id,
  changeRequestId: changeRequest?.id ?? null,
})
