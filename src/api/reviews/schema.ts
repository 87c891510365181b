// The wire of reviews.
import { type Static, Type } from 'typebox'
import type { JSONDocument } from '../../engines/markdown/document/document.ts'
import { dates, ListOf, model, OneOf, PageOf, Url } from '../../http/list.ts'
import { RefTo } from '../../http/references.ts'
import { RichDocument } from '../../http/rich-document.ts'
import { User } from '../accounts/schema.ts'
import { Comment, GetComment, NewBody } from '../comments/schema.ts'

const Status = OneOf(['approved', 'changes-requested'])

export const Review = model('ChangeRequestReview', {
  object: OneOf(['change-request-review']),
  id: Type.String(),
  revision: Type.String({ description: 'The content that was reviewed.' }),
  reviewer: User,
  requestedBy: Type.Optional(User),
  status: Status,
  outdated: Type.Boolean({
    description: 'The reviewer has submitted another review since, or was asked for one.',
  }),
  comment: Type.Optional(Comment),
  ...dates,
  urls: Type.Object({ location: Url }),
})
export type Review = Static<typeof Review>

export const Reviews = ListOf(Review)

export const GetReview = GetComment
export type GetReview = Static<typeof GetReview>

export const ListReviews = PageOf({ ...GetComment.properties, outdated: Type.Optional(Type.Boolean()) })
export type ListReviews = Static<typeof ListReviews>

// The action tells them apart, not the schema: every rich document is also valid as an empty body.
const ReviewComment = Type.Unsafe<JSONDocument | NewBody>({
  anyOf: [RichDocument, NewBody],
  description: 'A rich document, or a body as comments have it. It becomes a comment on the change request.',
})

export const SubmitReview = Type.Object({ status: Status, comment: Type.Optional(ReviewComment) })
export type SubmitReview = Static<typeof SubmitReview>

/** Per request. */
const MARKED_MAX = 100

export const ViewedPages = model('ViewedPages', {
  revision: Type.String({ description: 'The head of the change request.' }),
  pages: Type.Array(
    Type.Object({
      page: Type.String(),
      hash: Type.String({ description: 'Of the page as it was when you viewed it.' }),
      current: Type.Boolean({ description: 'False if it has changed since.' }),
    }),
  ),
})
export type ViewedPages = Static<typeof ViewedPages>

export const MarkViewed = Type.Object({
  pages: Type.Array(Type.Object({ page: RefTo('page'), viewed: Type.Boolean() }), {
    minItems: 1,
    maxItems: MARKED_MAX,
  }),
  revision: Type.Optional(
    RefTo('revision', 'The content that you read; the head of the change request when absent.'),
  ),
})
export type MarkViewed = Static<typeof MarkViewed>
