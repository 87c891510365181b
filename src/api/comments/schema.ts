// The wire of comments and of replies to them.
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Timestamp, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { RichDocument } from '../../http/rich-document.ts'
import { User } from '../accounts/schema.ts'
import { UserContributor } from '../change-requests/schema.ts'
import { Members } from '../members/schema.ts'

export const BODY_CHARACTERS_MAX = 20_000
/** Per request, added and removed each. */
export const REACTIONS_AT_ONCE_MAX = 20
const AUTHORS_MAX = 100

const PageId = RefTo('page')
const NodeId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The `key` of a block in the document of the page.',
})
const CellPart = Type.String({ minLength: 1, maxLength: 128 })
const UserId = RefTo('user')

const QUOTE_CHARACTERS_MAX = 2_000
const AROUND_CHARACTERS_MAX = 200
const around = (what: string) =>
  Type.Optional(Type.String({ maxLength: AROUND_CHARACTERS_MAX, description: `Some of what ${what} it.` }))

/** A part of the text of a block, found again by its words. */
const Range = model('CommentRange', {
  quote: Type.String({
    minLength: 1,
    maxLength: QUOTE_CHARACTERS_MAX,
    description: 'The words, as they are shown.',
  }),
  prefix: around('precedes'),
  suffix: around('follows'),
})

const SUGGESTION_CHARACTERS_MAX = 20_000
const suggestion = {
  before: Type.String({
    minLength: 1,
    maxLength: SUGGESTION_CHARACTERS_MAX,
    description: 'A part of the Markdown of the block, or all of it; there once.',
  }),
  after: Type.String({
    maxLength: SUGGESTION_CHARACTERS_MAX,
    description: 'What should be there instead; nothing deletes it.',
  }),
}
const Suggestion = model('Suggestion', {
  ...suggestion,
  appliedAt: Type.Optional(Timestamp),
})
const NewSuggestion = model('NewSuggestion', suggestion)

/** In one of two formats; `body.ts` checks which one was sent. */
export const NewBody = model(
  'NewCommentBody',
  {
    markdown: Type.Optional(
      Type.String({ description: `At most ${BODY_CHARACTERS_MAX} characters, not blank.` }),
    ),
    document: Type.Optional(RichDocument),
  },
  { description: 'Either Markdown or a rich document.' },
)
export type NewBody = Static<typeof NewBody>

const Body = Type.Object(
  {
    markdown: Type.Optional(Type.String()),
    html: Type.Optional(
      Type.String({
        description:
          'Sanitised: nothing in it runs. A link to a page has its ids in `data-page` and `data-space`, and a person who is mentioned has theirs in `data-user`.',
      }),
    ),
    document: Type.Optional(RichDocument),
  },
  { description: 'As `format` asks; with `html` there is the Markdown too.' },
)
export type Body = Static<typeof Body>

const Reaction = Type.Object({
  emoji: Type.String(),
  count: Type.Integer({ minimum: 1, description: 'How many people.' }),
  users: Type.Array(Type.Object({ user: User, reactedAt: Timestamp }), {
    description: 'The first of them.',
  }),
})
export type Reaction = Static<typeof Reaction>

const Target = Type.Object({
  space: Type.String(),
  changeRequest: Type.Optional(Type.String()),
  review: Type.Optional(Type.String({ description: 'The review that it is part of.' })),
  revision: Type.String({ description: 'The content it was made on.' }),
  page: Type.Optional(Type.Object({ id: Type.String() })),
  node: Type.Optional(
    Type.Object(
      { id: Type.String() },
      { description: 'The block it is about. It follows the block when that is edited or moved.' },
    ),
  ),
  tableCell: Type.Optional(Type.Object({ record: Type.String(), definition: Type.String() })),
  range: Type.Optional(Range),
  outdated: Type.Optional(
    Type.Boolean({
      description:
        'Octavo extension. True when its block or page no longer exists; `node` is then the last key of the block.',
    }),
  ),
})
export type Target = Static<typeof Target>

export const COMMENT_PERMISSIONS = ['view', 'edit', 'reply', 'delete', 'resolve'] as const
export const REPLY_PERMISSIONS = ['view', 'edit', 'reply', 'delete'] as const

const permissionsOf = (names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map(name => [name, Type.Boolean()])))

const posted = {
  id: Type.String(),
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Type.Optional(Timestamp),
  reactions: Type.Array(Reaction),
  body: Body,
  urls: Type.Object({ location: Url }),
}

export const Comment = model('Comment', {
  object: OneOf(['comment']),
  ...posted,
  replies: Type.Integer({ minimum: 0 }),
  repliers: Type.Array(UserContributor, { description: 'By their latest reply, newest first.' }),
  target: Target,
  suggestion: Type.Optional(Suggestion),
  permissions: permissionsOf(COMMENT_PERMISSIONS),
  status: OneOf(['open', 'resolved']),
  resolvedAt: Type.Optional(Timestamp),
  resolvedBy: Type.Optional(User),
})
export type Comment = Static<typeof Comment>

export const CommentReply = model('CommentReply', {
  object: OneOf(['comment-reply']),
  ...posted,
  permissions: permissionsOf(REPLY_PERMISSIONS),
})
export type CommentReply = Static<typeof CommentReply>

export const Comments = ListOf(Comment)
export const CommentReplies = ListOf(CommentReply)
export const Commenters = Members

const Format = OneOf(['markdown', 'document', 'html'], 'How bodies are answered; `markdown` when absent.')
export type Format = Static<typeof Format>

export const GetComment = Type.Object({ format: Type.Optional(Format) })
export type GetComment = Static<typeof GetComment>

export const ListComments = PageOf({
  order: Type.Optional(OneOf(['asc', 'desc'], 'By `postedAt`; `desc`, the newest first, when absent.')),
  status: Type.Optional(OneOf(['all', 'open', 'resolved'], '`all` when absent.')),
  format: Type.Optional(Format),
  targetPage: Type.Optional(PageId),
  authors: Type.Optional(
    Type.Array(UserId, { maxItems: AUTHORS_MAX, description: 'Ids of users; may be repeated.' }),
  ),
})
export type ListComments = Static<typeof ListComments>

export const ListReplies = PageOf({ format: Type.Optional(Format) })

export const PostComment = Type.Object({
  body: NewBody,
  page: Type.Optional(PageId),
  node: Type.Optional(NodeId),
  tableCell: Type.Optional(Type.Object({ record: CellPart, definition: CellPart })),
  range: Type.Optional(Range),
  suggestion: Type.Optional(NewSuggestion),
})
export type PostComment = Static<typeof PostComment>

export const PostReply = Type.Object({ body: NewBody })
export type PostReply = Static<typeof PostReply>

const Emojis = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: REACTIONS_AT_ONCE_MAX,
  description: 'Emoji characters.',
})

export const UpdateReply = Type.Object({
  body: Type.Optional(NewBody),
  addedReactions: Type.Optional(Emojis),
  removedReactions: Type.Optional(Emojis),
})
export type UpdateReply = Static<typeof UpdateReply>

export const UpdateComment = Type.Object({
  ...UpdateReply.properties,
  resolved: Type.Optional(Type.Boolean({ description: 'False opens it again.' })),
})
export type UpdateComment = Static<typeof UpdateComment>
