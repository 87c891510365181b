// Replies to a comment, on a space and on a change request of it.
import { mount, programOperationsOf } from '../../http/operation.ts'
import {
  type CommentAt,
  onChangeRequestComment,
  onChangeRequestReply,
  onSpaceComment,
  onSpaceReply,
  type ReplyAt,
} from './place.ts'
import { readReplies, readReply } from './reads.ts'
import { changeReply, deleteReply, postReply } from './reply-actions.ts'
import { CommentReplies, CommentReply, GetComment, ListReplies, PostReply, UpdateReply } from './schema.ts'

const onComment = programOperationsOf<'comment', CommentAt>()
const onReply = programOperationsOf<'comment', ReplyAt>()

const tag = 'Comments'
const by = ['user', 'installation'] as const

export const replyOperations = [
  ...mount(
    [onSpaceComment, onChangeRequestComment],
    [
      onComment({
        id: { space: 'listCommentRepliesInSpace', changeRequest: 'listCommentRepliesInChangeRequest' },
        method: 'GET',
        path: '/replies',
        summary: 'Replies to a comment',
        description: 'The first one first.',
        tag,
        by,
        may: 'view',
        scope: 'space:read',
        query: ListReplies,
        reply: CommentReplies,
        run: async ({ context, at, query }) => readReplies(context, at, query),
      }),
      onComment({
        id: { space: 'postCommentReplyInSpace', changeRequest: 'postCommentReplyInChangeRequest' },
        method: 'POST',
        path: '/replies',
        summary: 'Reply to a comment',
        tag,
        by,
        may: 'reply',
        scope: 'comment:write',
        query: GetComment,
        body: PostReply,
        reply: CommentReply,
        run: async ({ context, at, query, body }) =>
          readReply(context, at, await postReply(context, at, body), query.format),
      }),
    ],
  ),
  ...mount(
    [onSpaceReply, onChangeRequestReply],
    [
      onReply({
        id: { space: 'getCommentReplyInSpace', changeRequest: 'getCommentReplyInChangeRequest' },
        method: 'GET',
        path: '',
        summary: 'A reply',
        tag,
        by,
        may: 'view',
        scope: 'space:read',
        query: GetComment,
        reply: CommentReply,
        run: async ({ context, at, query }) => readReply(context, at, at.reply, query.format),
      }),
      onReply({
        id: { space: 'updateCommentReplyInSpace', changeRequest: 'updateCommentReplyInChangeRequest' },
        method: 'PUT',
        path: '',
        summary: 'Edit or react to a reply',
        description: 'What is left out stays. `body` is for whoever wrote it and for admins of the space.',
        tag,
        by,
        may: 'react',
        scope: 'comment:write',
        query: GetComment,
        body: UpdateReply,
        reply: CommentReply,
        failures: [409],
        run: async ({ context, at, query, body }) =>
          readReply(context, at, await changeReply(context, at, body), query.format),
      }),
      onReply({
        id: { space: 'deleteCommentReplyInSpace', changeRequest: 'deleteCommentReplyInChangeRequest' },
        method: 'DELETE',
        path: '',
        summary: 'Delete a reply',
        tag,
        by,
        may: 'delete',
        scope: 'comment:write',
        absent: 'done',
        run: ({ context, at }) => deleteReply(context, at),
      }),
    ],
  ),
]
