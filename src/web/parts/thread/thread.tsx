// A thread: a comment, its replies in order, and what one can do with it. The same in a space and in a change request.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import CheckCircle2 from 'lucide-react/icons/circle-check'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { type ReactNode, useState } from 'react'
import {
  type Comment,
  changeComment,
  type Discussion,
  postComment,
  postReply,
  type Range,
  type RemarkAt,
  readDiscussionAgain,
  repliesTo,
  showRemark,
  type Target,
} from '../../data/comments.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Button, IconButton } from '../button.tsx'
import { useAboutShown } from '../quote.ts'
import { Loaded } from '../state.tsx'
import { say, sayFailure } from '../toasts.tsx'
import { Composer, type Sending } from './composer.tsx'
import { RemarkView } from './remark.tsx'
import { SuggestionField, SuggestionView } from './suggestion.tsx'

// More are shown when they are asked for.
const REPLIES_SHOWN = 3

type Props = {
  readonly at: Discussion
  readonly comment: Comment
  /** What it is about, above it. */
  readonly about?: ReactNode
}

export function Thread({ at, comment, about }: Props) {
  const { id, replies, postedBy, permissions } = comment
  const commentAt: RemarkAt = { spaceId: at.spaceId, changeRequestId: at.changeRequestId, commentId: id }
  const [isOpen, setOpen] = useState(replies <= REPLIES_SHOWN)
  const { node, range, outdated } = comment.target
  const shown = useAboutShown(node === undefined || outdated === true ? null : { key: node.id, range })
  return (
    <article
      {...shown}
      className={comment.status === 'resolved' ? 'thread resolved' : 'thread'}
      aria-label={t('thread.by', { name: postedBy.displayName })}
    >
      {about ?? <Quote range={comment.target.range} />}
      <RemarkView at={commentAt} remark={comment} actions={<Resolve at={commentAt} comment={comment} />} />
      <SuggestionView at={commentAt} comment={comment} />
      {replies > 0 &&
        (isOpen ? (
          <Replies at={commentAt} count={replies} />
        ) : (
          <Button look="quiet" onPress={() => setOpen(true)}>
            {t('thread.replies', { count: replies })}
          </Button>
        ))}
      {comment.status === 'resolved' && comment.resolvedBy !== undefined && (
        <p className="faint small">
          {t('thread.resolvedBy', { name: isolated(comment.resolvedBy.displayName) })}
        </p>
      )}
      <ReplyField at={commentAt} canReply={permissions.reply === true} onSent={() => setOpen(true)} />
    </article>
  )
}

const Quote = ({ range }: { readonly range: Range | undefined }) =>
  range !== undefined && (
    <blockquote className="thread-quote" dir="auto">
      {range.quote}
    </blockquote>
  )

function Replies({ at, count }: { readonly at: RemarkAt; readonly count: number }) {
  const query = useInfiniteQuery(repliesTo(at, at.commentId))
  return (
    <Loaded query={query} lines={Math.min(count, REPLIES_SHOWN)}>
      {({ pages }) => (
        <>
          <ol role="list" className="replies">
            {pages
              .flatMap(({ items }) => items)
              .map(reply => (
                <li key={reply.id}>
                  <RemarkView at={{ ...at, replyId: reply.id }} remark={reply} />
                </li>
              ))}
          </ol>
          {query.hasNextPage && (
            <Button look="quiet" isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
              {t('list.more')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}

type ReplyFieldProps = {
  readonly at: RemarkAt
  readonly canReply: boolean
  readonly onSent: () => void
}

/** Stays open with what is written, also where it can no longer be sent. */
function ReplyField({ at, canReply, onSent }: ReplyFieldProps) {
  const cache = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { mutateAsync } = useMutation({
    mutationFn: (markdown: string) => postReply(at, markdown),
    onSuccess: async () => {
      await readDiscussionAgain(cache, at)
      setOpen(false)
      onSent()
    },
  })
  if (!isOpen)
    return canReply ? (
      <Button look="quiet" onPress={() => setOpen(true)}>
        {t('thread.reply')}
      </Button>
    ) : null
  return (
    <Composer
      spaceId={at.spaceId}
      place={`reply.${at.commentId}`}
      label={t('thread.reply')}
      action={t('thread.reply')}
      isFocused
      onSend={markdown => mutateAsync(markdown)}
      onCancel={() => setOpen(false)}
    />
  )
}

function Resolve({ at, comment }: { readonly at: RemarkAt; readonly comment: Comment }) {
  const cache = useQueryClient()
  const isResolved = comment.status === 'resolved'
  const { mutate, isPending } = useMutation({
    mutationFn: (resolved: boolean) => changeComment(at, { resolved }),
    onSuccess: (now, resolved) => {
      showRemark(cache, at, now)
      if (resolved) say(t('thread.resolved'), { label: t('thread.undo'), run: () => mutate(false) })
      return readDiscussionAgain(cache, at)
    },
    onError: sayFailure,
  })
  if (comment.permissions.resolve !== true) return null
  return (
    <IconButton
      label={isResolved ? t('thread.reopen') : t('thread.resolve')}
      isPending={isPending}
      onPress={() => mutate(!isResolved)}
    >
      {isResolved ? <RotateCcw size={16} aria-hidden /> : <CheckCircle2 size={16} aria-hidden />}
    </IconButton>
  )
}

type NewThreadProps = {
  readonly at: Discussion
  readonly target: Target
  /** Markdown of the block that other words can be suggested for. */
  readonly source?: string
  readonly isFocused?: boolean
  /** Other things that the text can be sent as. */
  readonly others?: readonly Sending[]
  readonly onSent?: (comment: Comment) => void
  readonly onCancel?: () => void
}

/** Begins a thread on the whole, on a page, or on a block of it. */
export function NewThread({ at, target, source, isFocused, others, onSent, onCancel }: NewThreadProps) {
  const cache = useQueryClient()
  const [after, setAfter] = useState<string>()
  const suggestion =
    source === undefined || after === undefined || after === source ? undefined : { before: source, after }
  const { mutateAsync } = useMutation({
    mutationFn: (markdown: string) =>
      suggestion === undefined
        ? postComment(at, markdown, target)
        : postComment(at, markdown.trim() === '' ? t('thread.suggests') : markdown, {
            ...target,
            suggestion,
          }),
    onSuccess: async comment => {
      await readDiscussionAgain(cache, at)
      onSent?.(comment)
    },
  })
  const place = [at.changeRequestId ?? at.spaceId, target.page ?? '', target.node ?? ''].join('.')
  return (
    <>
      <Quote range={target.range} />
      {source !== undefined && <SuggestionField before={source} after={after} onChange={setAfter} />}
      <Composer
        key={place}
        spaceId={at.spaceId}
        place={`comment.${place}`}
        label={t('thread.write')}
        action={t('thread.comment')}
        isFocused={isFocused}
        mayBeEmpty={suggestion !== undefined}
        others={others}
        onSend={markdown => mutateAsync(markdown)}
        onCancel={onCancel}
      />
    </>
  )
}
