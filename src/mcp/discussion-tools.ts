// Tools about what people say: read comments with their replies, and answer them.
import { type Static, Type } from 'typebox'
import { BODY_CHARACTERS_MAX, type Comment, type CommentReply } from '../api/comments/schema.ts'
import { counted } from '../base/counted.ts'
import { Id, type List, OneOf } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { ChangeRequestId, Cursor, SpaceId } from './fields.ts'
import { Next, Person, toPerson } from './outputs.ts'
import { contentAt } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError, type Tool, tool } from './tool.ts'

const COMMENTS_SHOWN_MAX = 20
const REPLIES_SHOWN_MAX = 50
const CHARACTERS_MAX = 100_000

const Said = { id: Type.String(), author: Person, postedAt: Type.String(), text: Type.String() }
const CommentWithReplies = Type.Object({
  ...Said,
  status: Type.String(),
  page: Type.Optional(Type.String()),
  quote: Type.Optional(Type.String({ description: 'The words of the page that it is about.' })),
  suggestion: Type.Optional(Type.Object({ old: Type.String(), new: Type.String() })),
  replies: Type.Array(Type.Object(Said)),
  moreReplies: Type.Integer({ description: 'Replies that are not shown.' }),
})

const readComments = tool({
  name: 'read_comments',
  title: 'Read comments',
  description:
    'Shows the comments of a change request, or of a space itself, with their replies and ids, oldest first: the open ones, unless status names others.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: Type.Optional(ChangeRequestId),
    page: Type.Optional(Id('Only comments on this page.')),
    status: Type.Optional(OneOf(['open', 'resolved', 'all'], 'open when absent.')),
    cursor: Type.Optional(Cursor),
  }),
  output: Type.Object({
    count: Type.Integer({ description: 'All comments with this status.' }),
    comments: Type.Array(CommentWithReplies),
    cursor: Next.cursor,
  }),
  isReadOnly: true,
  async run(api, { space, changeRequest, page, status = 'open', cursor }) {
    const comments = `${contentAt(space, changeRequest)}/comments`
    const { items, count, next } = await api.call<List<Comment>>('GET', comments, {
      query: { order: 'asc', status, targetPage: page, page: cursor, limit: COMMENTS_SHOWN_MAX },
      excerpt: {
        kind: 'value',
        charactersMax: CHARACTERS_MAX,
        without: ['reactions', 'repliers', 'permissions'],
      },
    })
    const shown: Static<typeof CommentWithReplies>[] = []
    for (const one of items) shown.push(await withReplies(api, comments, one))
    const lines = [
      `${counted(count, 'comment')}${status === 'all' ? '' : `, ${status}`}.`,
      ...shown.map(toText),
      ...(next === undefined ? [] : [`There are more: call again with cursor ${next.page}.`]),
    ]
    return {
      text: lines.join('\n\n'),
      data: { count, comments: shown, ...(next === undefined ? {} : { cursor: next.page }) },
    }
  },
})

async function withReplies(
  api: Api,
  comments: string,
  comment: Comment,
): Promise<Static<typeof CommentWithReplies>> {
  const { items } =
    comment.replies === 0
      ? { items: [] }
      : await api.call<List<CommentReply>>('GET', `${comments}${at`/${comment.id}`}/replies`, {
          query: { limit: REPLIES_SHOWN_MAX },
          excerpt: { kind: 'value', charactersMax: CHARACTERS_MAX, without: ['reactions', 'permissions'] },
        })
  const { target, suggestion } = comment
  return {
    ...toSaid(comment),
    status: comment.status,
    ...(target.page === undefined ? {} : { page: target.page.id }),
    ...(target.range === undefined ? {} : { quote: target.range.quote }),
    ...(suggestion === undefined ? {} : { suggestion: { old: suggestion.before, new: suggestion.after } }),
    replies: items.map(toSaid),
    moreReplies: comment.replies - items.length,
  }
}

const toSaid = ({ id, postedBy, postedAt, body }: Comment | CommentReply) => ({
  ...{ id, postedAt, author: toPerson(postedBy) },
  text: body.markdown ?? '',
})

function toText(one: Static<typeof CommentWithReplies>): string {
  const { id, author, status, page, quote, suggestion, text, replies, moreReplies } = one
  return [
    `Comment ${id} by ${toLine(author.name)} (user ${author.id}), ${status}${page === undefined ? '' : `, on page ${page}`}${quote === undefined ? '' : `, about "${toLine(quote)}"`}:`,
    text,
    ...(suggestion === undefined
      ? []
      : [`It suggests "${toLine(suggestion.new)}" instead of "${toLine(suggestion.old)}".`]),
    ...replies.map(
      reply => `Reply ${reply.id} by ${toLine(reply.author.name)} (user ${reply.author.id}):\n${reply.text}`,
    ),
    ...(moreReplies > 0 ? [`Replies that are not shown: ${moreReplies}.`] : []),
  ].join('\n')
}

const comment = tool({
  name: 'comment',
  title: 'Comment',
  description:
    'Posts a comment on a space, a change request, or a page of either; with replyTo it answers a comment there. Participants are notified.',
  input: Type.Object({
    space: SpaceId,
    changeRequest: Type.Optional(ChangeRequestId),
    page: Type.Optional(Id('The id of the page it is about.')),
    replyTo: Type.Optional(Id('The id of the comment that it answers, as read_comments gives it.')),
    text: Type.String({ minLength: 1, maxLength: BODY_CHARACTERS_MAX, description: 'Markdown.' }),
  }),
  output: Type.Object({ id: Type.String() }),
  async run(api, { space, changeRequest, page, replyTo, text }) {
    const comments = `${contentAt(space, changeRequest)}/comments`
    const body = { markdown: text }
    if (replyTo === undefined) {
      const { id } = await api.call<Comment>('POST', comments, {
        body: { body, ...(page === undefined ? {} : { page }) },
      })
      return { text: `The comment was posted, with the id ${id}.`, data: { id } }
    }
    if (page !== undefined)
      throw new ArgumentError('arguments.page: a reply is where its comment is, so leave page out.')
    const { id } = await api.call<CommentReply>('POST', `${comments}${at`/${replyTo}`}/replies`, {
      body: { body },
    })
    return { text: `The reply was posted, with the id ${id}.`, data: { id } }
  },
})

export const discussionTools: readonly Tool[] = [readComments, comment]
