// What people say to each other: comments of a space or of a change request, and replies to them.
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
} from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'
import { sendOnce } from './send-once.ts'

/** Where a comment is: in a space, or in one of its change requests. */
export type Discussion = { readonly spaceId: string; readonly changeRequestId?: string }

export type Comment = Model<'Comment'>
export type Reply = Model<'CommentReply'>
/** What a person said: the comment that begins a thread, or a reply in it. */
export type Remark = Comment | Reply

/** A comment, or with `replyId` a reply to it. */
export type RemarkAt = Discussion & { readonly commentId: string; readonly replyId?: string }

export type CommentFilters = {
  readonly targetPage?: string
  readonly status?: 'all' | 'open' | 'resolved'
}
/** Words of a block, with some of those around them. */
export type Range = Model<'CommentRange'>
/** What a comment is about: a page, a block of it by its key, or words of that; nothing is the whole. */
export type Target = { readonly page?: string; readonly node?: string; readonly range?: Range }
/** In the Markdown of the block. */
export type Suggested = Model<'NewSuggestion'>

const PAGE_ITEMS = 100
// Beside the Markdown, as readers see it.
const AS_HTML = { format: 'html' } as const

const keyOf = ({ spaceId, changeRequestId }: Discussion, kind: 'comments' | 'replies') =>
  ['space', spaceId, kind, changeRequestId ?? 'space'] as const

/** Of everything that shows comments of the discussion. */
export const commentsKeyOf = (at: Discussion) => keyOf(at, 'comments')

/** Oldest first. */
export const commentsOf = (at: Discussion, filters: CommentFilters = {}) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(at, 'comments'), filters],
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...AS_HTML, order: 'asc' as const, limit: PAGE_ITEMS, page: pageParam }
      const { spaceId, changeRequestId } = at
      return dataOf(
        changeRequestId === undefined
          ? api.GET('/spaces/{spaceId}/comments', { params: { path: { spaceId }, query }, signal })
          : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/comments', {
              params: { path: { spaceId, changeRequestId }, query },
              signal,
            }),
      )
    },
    getNextPageParam: last => last.next?.page,
  })

/** Oldest first. */
export const repliesTo = (at: Discussion, commentId: string) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(at, 'replies'), commentId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...AS_HTML, limit: PAGE_ITEMS, page: pageParam }
      const { spaceId, changeRequestId } = at
      return dataOf(
        changeRequestId === undefined
          ? api.GET('/spaces/{spaceId}/comments/{commentId}/replies', {
              params: { path: { spaceId, commentId }, query },
              signal,
            })
          : api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies', {
              params: { path: { spaceId, changeRequestId, commentId }, query },
              signal,
            }),
      )
    },
    getNextPageParam: last => last.next?.page,
  })

export function postComment(
  { spaceId, changeRequestId }: Discussion,
  markdown: string,
  target: Target & { readonly suggestion?: Suggested },
): Promise<Comment> {
  const body = { body: { markdown }, ...target }
  return sendOnce([spaceId, changeRequestId, body], key => {
    const header = { 'Idempotency-Key': key }
    return dataOf(
      changeRequestId === undefined
        ? api.POST('/spaces/{spaceId}/comments', {
            params: { path: { spaceId }, query: AS_HTML, header },
            body,
          })
        : api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/comments', {
            params: { path: { spaceId, changeRequestId }, query: AS_HTML, header },
            body,
          }),
    )
  })
}

export function applySuggestion({ spaceId, changeRequestId, commentId }: RemarkAt): Promise<Comment> {
  return dataOf(
    changeRequestId === undefined
      ? api.POST('/spaces/{spaceId}/comments/{commentId}/apply', { params: { path: { spaceId, commentId } } })
      : api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/apply', {
          params: { path: { spaceId, changeRequestId, commentId } },
        }),
  )
}

export function postReply(
  { spaceId, changeRequestId, commentId }: RemarkAt,
  markdown: string,
): Promise<Reply> {
  const body = { body: { markdown } }
  return sendOnce([commentId, body], key => {
    const header = { 'Idempotency-Key': key }
    return dataOf(
      changeRequestId === undefined
        ? api.POST('/spaces/{spaceId}/comments/{commentId}/replies', {
            params: { path: { spaceId, commentId }, query: AS_HTML, header },
            body,
          })
        : api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies', {
            params: { path: { spaceId, changeRequestId, commentId }, query: AS_HTML, header },
            body,
          }),
    )
  })
}

export type RemarkChange = {
  readonly body?: { readonly markdown: string }
  readonly addedReactions?: string[]
  readonly removedReactions?: string[]
}

export function changeComment(
  { spaceId, changeRequestId, commentId }: RemarkAt,
  body: RemarkChange & { readonly resolved?: boolean },
): Promise<Comment> {
  return dataOf(
    changeRequestId === undefined
      ? api.PUT('/spaces/{spaceId}/comments/{commentId}', {
          params: { path: { spaceId, commentId }, query: AS_HTML },
          body,
        })
      : api.PUT('/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}', {
          params: { path: { spaceId, changeRequestId, commentId }, query: AS_HTML },
          body,
        }),
  )
}

export const changeRemark = (at: RemarkAt, change: RemarkChange): Promise<Remark> =>
  at.replyId === undefined ? changeComment(at, change) : changeReply(at, at.replyId, change)

function changeReply(
  { spaceId, changeRequestId, commentId }: RemarkAt,
  commentReplyId: string,
  body: RemarkChange,
): Promise<Reply> {
  return dataOf(
    changeRequestId === undefined
      ? api.PUT('/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}', {
          params: { path: { spaceId, commentId, commentReplyId }, query: AS_HTML },
          body,
        })
      : api.PUT(
          '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
          { params: { path: { spaceId, changeRequestId, commentId, commentReplyId }, query: AS_HTML }, body },
        ),
  )
}

export async function deleteRemark({
  spaceId,
  changeRequestId,
  commentId,
  replyId,
}: RemarkAt): Promise<void> {
  const within = { spaceId, commentId }
  if (replyId === undefined)
    return dataOf(
      changeRequestId === undefined
        ? api.DELETE('/spaces/{spaceId}/comments/{commentId}', { params: { path: within } })
        : api.DELETE('/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}', {
            params: { path: { ...within, changeRequestId } },
          }),
    )
  const path = { ...within, commentReplyId: replyId }
  return dataOf(
    changeRequestId === undefined
      ? api.DELETE('/spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId}', { params: { path } })
      : api.DELETE(
          '/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId}',
          { params: { path: { ...path, changeRequestId } } },
        ),
  )
}

/** A remark, or what stands with one: a review, something that happened. */
type Shown = {
  readonly id: string
  readonly comment?: Remark
  readonly review?: { readonly comment?: Remark }
}
type Pages = InfiniteData<{ readonly items: readonly Shown[] }>

/** Shows a remark as it is now wherever it stands, before the server is asked again. */
export function showRemark(cache: QueryClient, at: Discussion, remark: Remark): void {
  const kind = remark.object === 'comment' ? 'comments' : 'replies'
  cache.setQueriesData<Pages>({ queryKey: keyOf(at, kind) }, data =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map(page => ({
            ...page,
            items: page.items.map(one => withRemark(one, remark)),
          })),
        },
  )
}

function withRemark(shown: Shown, remark: Remark): Shown {
  if (shown.id === remark.id) return remark
  if (shown.comment?.id === remark.id) return { ...shown, comment: remark }
  if (shown.review?.comment?.id !== remark.id) return shown
  return { ...shown, review: { ...shown.review, comment: remark } }
}

/** Takes a comment off the screen, before the server is asked again. */
export function hideComment(cache: QueryClient, at: Discussion, commentId: string): void {
  cache.setQueriesData<Pages>({ queryKey: keyOf(at, 'comments') }, data =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map(page => ({
            ...page,
            items: page.items.filter(({ id }) => id !== commentId),
          })),
        },
  )
}

/**
 * After a write: comments are read again, with the counts of them that stand elsewhere, and with `commentId` the replies
 * to that one.
 */
export async function readDiscussionAgain(
  cache: QueryClient,
  at: Discussion & { readonly commentId?: string },
): Promise<void> {
  const { spaceId, changeRequestId, commentId } = at
  const counts =
    changeRequestId === undefined ? ['space', spaceId] : ['space', spaceId, 'change-request', changeRequestId]
  await Promise.all([
    cache.invalidateQueries({ queryKey: keyOf(at, 'comments') }),
    commentId === undefined
      ? undefined
      : cache.invalidateQueries({ queryKey: [...keyOf(at, 'replies'), commentId] }),
    cache.invalidateQueries({ queryKey: counts, exact: true }),
  ])
}

/** The remark with one reaction of this person more, or less. */
export function withReaction<R extends Remark>(remark: R, emoji: string, person: Model<'User'>): R {
  const isOwn = isReactedBy(remark, emoji, person.id)
  const known = remark.reactions.some(one => one.emoji === emoji)
  const others = known
    ? remark.reactions
    : [...remark.reactions, { emoji, count: 0, users: [] as Comment['reactions'][number]['users'] }]
  const reactions = others
    .map(one => {
      if (one.emoji !== emoji) return one
      if (isOwn)
        return {
          ...one,
          count: one.count - 1,
          users: one.users.filter(({ user }) => user.id !== person.id),
        }
      return {
        ...one,
        count: one.count + 1,
        users: [...one.users, { user: person, reactedAt: new Date().toISOString() }],
      }
    })
    .filter(({ count }) => count > 0)
  return { ...remark, reactions }
}

export const isReactedBy = ({ reactions }: Remark, emoji: string, personId: string): boolean =>
  reactions.some(one => one.emoji === emoji && one.users.some(({ user }) => user.id === personId))
