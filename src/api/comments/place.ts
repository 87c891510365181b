// Discussions (of a space or of one of its change requests), their comments, and replies to these. Visitors of an open
// space find no comment.
import { allows, type RoleOn } from '../../access/policy.ts'
import { authorIdOf, type Principal } from '../../access/principal.ts'
import { Id } from '../../http/list.ts'
import { below, type Place, rowBelow } from '../../http/place.ts'
import { onChangeRequest } from '../change-requests/place.ts'
import type { ChangeRequestRow } from '../change-requests/rows.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { type CommentRow, type DiscussionId, findComment, findReply, type ReplyRow } from './rows.ts'

export type Discussion = SpaceAt & { readonly changeRequest: ChangeRequestRow | null }
export type CommentAt = Discussion & { readonly comment: CommentRow }
export type ReplyAt = CommentAt & { readonly reply: ReplyRow }

export const onSpaceDiscussion: Place<'space', Discussion> = below(onSpace, {
  subject: 'space',
  path: '',
  find: (_context, at) => ({ ...at, changeRequest: null }),
  role: onSpace.role,
})

export const onChangeRequestDiscussion: Place<'space', Discussion> = onChangeRequest

/** On a comment or a reply: its author as long as they may comment; admins of the space moderate. */
export function roleOnComment(
  principal: Principal,
  role: RoleOn<'space'> | null,
  { posted_by }: { readonly posted_by: string },
): RoleOn<'comment'> | null {
  if (!allows('space', 'access', role)) return null
  if (allows('space', 'admin', role)) return 'moderator'
  if (!allows('space', 'comment', role)) return 'reader'
  const isAuthor = principal.kind === 'user' || principal.kind === 'installation'
  if (isAuthor && authorIdOf(principal) === posted_by) return 'author'
  return allows('space', 'review', role) ? 'reviewer' : 'commenter'
}

const onCommentOf = (discussion: Place<'space', Discussion>): Place<'comment', CommentAt> =>
  rowBelow(discussion, 'comment', {
    subject: 'comment',
    path: '/comments/{commentId}',
    params: { commentId: Id('A comment.') },
    find: ({ db }, at, { commentId }) => findComment(db, discussionId(at), commentId),
    role: (principal, { role, comment }) => roleOnComment(principal, role, comment),
  })

export const onSpaceComment = onCommentOf(onSpaceDiscussion)
export const onChangeRequestComment = onCommentOf(onChangeRequestDiscussion)

const onReplyOf = (onComment: Place<'comment', CommentAt>): Place<'comment', ReplyAt> =>
  rowBelow(onComment, 'reply', {
    path: '/replies/{commentReplyId}',
    params: { commentReplyId: Id('A reply to the comment.') },
    noun: 'comment reply',
    find: ({ db }, { comment }, { commentReplyId }) => findReply(db, comment.id, commentReplyId),
    role: (principal, { role, reply }) => roleOnComment(principal, role, reply),
  })

export const onSpaceReply = onReplyOf(onSpaceComment)
export const onChangeRequestReply = onReplyOf(onChangeRequestComment)

/** Which discussion, for SQL. */
export const discussionId = ({ space, changeRequest }: Discussion): DiscussionId => ({
  spaceId: space.id,
  changeRequestId: changeRequest?.id ?? null,
})
