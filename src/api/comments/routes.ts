// Comments and replies, in the discussion of a space and in those of its change requests: the same operations, mounted
// at both.
import { Paging } from '../../http/list.ts'
import { mount, programOperationsOf } from '../../http/operation.ts'
import { changeComment, deleteComment, postComment } from './actions.ts'
import { applySuggestion } from './apply.ts'
import {
  type CommentAt,
  type Discussion,
  onChangeRequestComment,
  onChangeRequestDiscussion,
  onChangeRequestReply,
  onSpaceComment,
  onSpaceDiscussion,
  onSpaceReply,
  type ReplyAt,
} from './place.ts'
import { readComment, readCommenters, readComments, readReplies, readReply } from './reads.ts'
import { changeReply, deleteReply, postReply } from './reply-actions.ts'
import {
  Comment,
  Commenters,
  CommentReplies,
  CommentReply,
  Comments,
  GetComment,
  ListComments,
  ListReplies,
  PostComment,
  PostReply,
  UpdateComment,
  UpdateReply,
} from './schema.ts'

const inDiscussion = programOperationsOf<'space', Discussion>()
const onComment = programOperationsOf<'comment', CommentAt>()
const onReply = programOperationsOf<'comment', ReplyAt>()

const common = { tag: 'Comments', by: ['user', 'installation'] } as const
const reading = { ...common, method: 'GET', scope: 'space:read' } as const
const writing = { ...common, scope: 'comment:write' } as const
const posting = { ...writing, method: 'POST', query: GetComment } as const
const updating = {
  ...writing,
  method: 'PUT',
  path: '',
  may: 'react',
  query: GetComment,
  failures: [409],
} as const
const deleting = { ...writing, method: 'DELETE', path: '', may: 'delete', absent: 'done' } as const

const ofDiscussions = mount(
  [onSpaceDiscussion, onChangeRequestDiscussion],
  [
    inDiscussion({
      ...reading,
      id: { space: 'listCommentsInSpace', changeRequest: 'listCommentsInChangeRequest' },
      path: '/comments',
      summary: 'List comments',
      description: 'Without replies. The list of a space excludes comments made in its change requests.',
      may: 'access',
      query: ListComments,
      reply: Comments,
      run: ({ context, at, query }) => readComments(context, at, query),
    }),
    inDiscussion({
      ...posting,
      id: { space: 'postCommentInSpace', changeRequest: 'postCommentInChangeRequest' },
      path: '/comments',
      summary: 'Post a comment',
      description:
        'On the space or the change request as a whole, on a `page`, on a block of it (`node`, the `key` of the block in the document of the page), or on a cell of a table. The target has to exist in the current content; the comment follows it from then on.',
      may: 'comment',
      body: PostComment,
      reply: Comment,
      failures: [409],
      run: async ({ context, at, query, body }) =>
        readComment(context, at, await postComment(context, at, body), query.format),
    }),
    inDiscussion({
      ...reading,
      id: { space: 'listCommentersInSpace', changeRequest: 'listCommentersInChangeRequest' },
      path: '/commenters',
      summary: 'List commenters',
      description: 'Members of the organization with at least one comment, by name.',
      may: 'access',
      query: Paging,
      reply: Commenters,
      run: ({ context, at, query }) => readCommenters(context, at, query),
    }),
  ],
)

const ofComments = mount(
  [onSpaceComment, onChangeRequestComment],
  [
    onComment({
      ...reading,
      id: { space: 'getCommentInSpace', changeRequest: 'getCommentInChangeRequest' },
      path: '',
      summary: 'Get a comment',
      may: 'view',
      query: GetComment,
      reply: Comment,
      run: ({ context, at, query }) => readComment(context, at, at.comment, query.format),
    }),
    onComment({
      ...updating,
      id: { space: 'updateCommentInSpace', changeRequest: 'updateCommentInChangeRequest' },
      summary: 'Edit, resolve or react to a comment',
      description:
        'Omitted fields are not changed. `body` may be changed by its author and by admins of the space; `resolved` by its author and with the role `review`; anyone who may comment may react.',
      body: UpdateComment,
      reply: Comment,
      run: async ({ context, at, query, body }) =>
        readComment(context, at, await changeComment(context, at, body), query.format),
    }),
    onComment({
      ...posting,
      id: { space: 'applySuggestionInSpace', changeRequest: 'applySuggestionInChangeRequest' },
      path: '/apply',
      summary: 'Apply the suggestion of a comment',
      description:
        'Puts the text that it suggests in the place of the one that it was made on, and resolves the comment. Refused with 409 if that text is another now. Needs the role `edit` on the space. Octavo extension.',
      scope: 'change-request:write',
      may: 'view',
      reply: Comment,
      failures: [409, 413],
      run: async ({ context, at, query }) =>
        readComment(context, at, await applySuggestion(context, at), query.format),
    }),
    onComment({
      ...deleting,
      id: { space: 'deleteCommentInSpace', changeRequest: 'deleteCommentInChangeRequest' },
      summary: 'Delete a comment',
      description: 'With its replies.',
      run: ({ context, at }) => deleteComment(context, at),
    }),
    onComment({
      ...reading,
      id: { space: 'listCommentRepliesInSpace', changeRequest: 'listCommentRepliesInChangeRequest' },
      path: '/replies',
      summary: 'List replies to a comment',
      description: 'Oldest first.',
      may: 'view',
      query: ListReplies,
      reply: CommentReplies,
      run: ({ context, at, query }) => readReplies(context, at, query),
    }),
    onComment({
      ...posting,
      id: { space: 'postCommentReplyInSpace', changeRequest: 'postCommentReplyInChangeRequest' },
      path: '/replies',
      summary: 'Reply to a comment',
      may: 'reply',
      body: PostReply,
      reply: CommentReply,
      run: async ({ context, at, query, body }) =>
        readReply(context, at, await postReply(context, at, body), query.format),
    }),
  ],
)

const ofReplies = mount(
  [onSpaceReply, onChangeRequestReply],
  [
    onReply({
      ...reading,
      id: { space: 'getCommentReplyInSpace', changeRequest: 'getCommentReplyInChangeRequest' },
      path: '',
      summary: 'Get a reply',
      may: 'view',
      query: GetComment,
      reply: CommentReply,
      run: ({ context, at, query }) => readReply(context, at, at.reply, query.format),
    }),
    onReply({
      ...updating,
      id: { space: 'updateCommentReplyInSpace', changeRequest: 'updateCommentReplyInChangeRequest' },
      summary: 'Edit or react to a reply',
      description:
        'Omitted fields are not changed. `body` may be changed by its author and by admins of the space.',
      body: UpdateReply,
      reply: CommentReply,
      run: async ({ context, at, query, body }) =>
        readReply(context, at, await changeReply(context, at, body), query.format),
    }),
    onReply({
      ...deleting,
      id: { space: 'deleteCommentReplyInSpace', changeRequest: 'deleteCommentReplyInChangeRequest' },
      summary: 'Delete a reply',
      run: ({ context, at }) => deleteReply(context, at),
    }),
  ],
)

export const commentOperations = [...ofDiscussions, ...ofComments, ...ofReplies]
