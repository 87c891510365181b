// Comments on a space and on a change request of it: the same operations, mounted at both.
import { Paging } from '../../http/list.ts'
import { mount, programOperationsOf } from '../../http/operation.ts'
import { changeComment, deleteComment, postComment } from './actions.ts'
import {
  type CommentAt,
  type Discussion,
  onChangeRequestComment,
  onChangeRequestDiscussion,
  onSpaceComment,
  onSpaceDiscussion,
} from './place.ts'
import { readComment, readCommenters, readComments } from './reads.ts'
import { replyOperations } from './reply-routes.ts'
import {
  Comment,
  Commenters,
  Comments,
  GetComment,
  ListComments,
  PostComment,
  UpdateComment,
} from './schema.ts'

const inDiscussion = programOperationsOf<'space', Discussion>()
const onComment = programOperationsOf<'comment', CommentAt>()

const tag = 'Comments'
const by = ['user', 'installation'] as const

export const commentOperations = [
  ...mount(
    [onSpaceDiscussion, onChangeRequestDiscussion],
    [
      inDiscussion({
        id: { space: 'listCommentsInSpace', changeRequest: 'listCommentsInChangeRequest' },
        method: 'GET',
        path: '/comments',
        summary: 'Comments',
        description: 'Without replies. The list of a space has none that were made in its change requests.',
        tag,
        by,
        may: 'access',
        scope: 'space:read',
        query: ListComments,
        reply: Comments,
        run: async ({ context, at, query }) => readComments(context, at, query),
      }),
      inDiscussion({
        id: { space: 'postCommentInSpace', changeRequest: 'postCommentInChangeRequest' },
        method: 'POST',
        path: '/comments',
        summary: 'Post a comment',
        description:
          'On the whole, on a `page`, on a block of it (`node`, the `key` of the block in the document of the page), or on a cell of a table. The place has to be in the content as it stands; the comment follows it from then on.',
        tag,
        by,
        may: 'comment',
        scope: 'comment:write',
        query: GetComment,
        body: PostComment,
        reply: Comment,
        failures: [409],
        run: async ({ context, at, query, body }) =>
          readComment(context, at, await postComment(context, at, body), query.format),
      }),
      inDiscussion({
        id: { space: 'listCommentersInSpace', changeRequest: 'listCommentersInChangeRequest' },
        method: 'GET',
        path: '/commenters',
        summary: 'Who has commented',
        description: 'Members of the organization with at least one comment, by name.',
        tag,
        by,
        may: 'access',
        scope: 'space:read',
        query: Paging,
        reply: Commenters,
        run: async ({ context, at, query }) => readCommenters(context, at, query),
      }),
    ],
  ),
  ...mount(
    [onSpaceComment, onChangeRequestComment],
    [
      onComment({
        id: { space: 'getCommentInSpace', changeRequest: 'getCommentInChangeRequest' },
        method: 'GET',
        path: '',
        summary: 'A comment',
        tag,
        by,
        may: 'view',
        scope: 'space:read',
        query: GetComment,
        reply: Comment,
        run: async ({ context, at, query }) => readComment(context, at, at.comment, query.format),
      }),
      onComment({
        id: { space: 'updateCommentInSpace', changeRequest: 'updateCommentInChangeRequest' },
        method: 'PUT',
        path: '',
        summary: 'Edit, resolve or react to a comment',
        description:
          'What is left out stays. `body` is for whoever wrote it and for admins of the space; `resolved` for whoever wrote it and for the role `review`; reactions are for everybody who may comment.',
        tag,
        by,
        may: 'react',
        scope: 'comment:write',
        query: GetComment,
        body: UpdateComment,
        reply: Comment,
        failures: [409],
        run: async ({ context, at, query, body }) =>
          readComment(context, at, await changeComment(context, at, body), query.format),
      }),
      onComment({
        id: { space: 'deleteCommentInSpace', changeRequest: 'deleteCommentInChangeRequest' },
        method: 'DELETE',
        path: '',
        summary: 'Delete a comment',
        description: 'With its replies.',
        tag,
        by,
        may: 'delete',
        scope: 'comment:write',
        absent: 'done',
        run: ({ context, at }) => deleteComment(context, at),
      }),
    ],
  ),
  ...replyOperations,
]
