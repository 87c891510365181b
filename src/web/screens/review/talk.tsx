// What people say about the text that is reviewed, at its blocks.
import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { createContext, useContext, useState } from 'react'
import type { Comment, Discussion, Target } from '../../data/comments.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { NewThread, Thread } from '../../parts/thread/thread.tsx'
import type { Side } from './blocks.ts'

type Talk = {
  readonly at: Discussion
  /** By the block that they are about. */
  readonly threads: ReadonlyMap<string, readonly Comment[]>
  /** The Markdown of blocks, as far as it is known. */
  readonly sources: ReadonlyMap<string, string>
  /** What a new comment is about; null if none is being written. */
  readonly target: Target | null
  readonly onTarget: (target: Target | null) => void
}

/** Null where nothing can be said. */
export const TalkContext = createContext<Talk | null>(null)

/** Begins a comment on a block; null for who may not. Apart, since it stays the same while people talk. */
export const CommentContext = createContext<((key: string) => void) | null>(null)

/** Whether a block is to be seen because of what is said about it. */
export const isTalkedAbout = (talk: Talk | null, key: string): boolean =>
  talk !== null && (talk.threads.has(key) || talk.target?.node === key)

export function CommentButton({ side }: { readonly side: Side }) {
  const comment = useContext(CommentContext)
  if (comment === null) return null
  return (
    <button
      type="button"
      className="button quiet square review-comment"
      aria-label={t('review.commentBlock')}
      title={t('review.commentBlock')}
      onClick={() => comment(side.key)}
    >
      <MessageSquarePlus size={16} aria-hidden />
    </button>
  )
}

/** Threads about a block, and the new one. */
export function BlockTalk({ side }: { readonly side: Side }) {
  const talk = useContext(TalkContext)
  if (!isTalkedAbout(talk, side.key)) return null
  return <Threads threads={talk?.threads.get(side.key) ?? []} isTarget={talk?.target?.node === side.key} />
}

/** Threads about the page as a whole, and the new one. */
export function PageTalk({ threads }: { readonly threads: readonly Comment[] }) {
  const talk = useContext(TalkContext)
  const isTarget = talk !== null && talk.target !== null && talk.target.node === undefined
  if (threads.length === 0 && !isTarget) return null
  return <Threads threads={threads} isTarget={isTarget} />
}

/** The new thread about a block that went while it was being written. */
export const TargetTalk = () => <Threads threads={[]} isTarget />

// As many as somebody reads at once.
const PORTION = 20

type ThreadsProps = { readonly threads: readonly Comment[]; readonly isTarget: boolean }

function Threads({ threads, isTarget }: ThreadsProps) {
  const talk = useContext(TalkContext)
  const [count, setCount] = useState(PORTION)
  if (talk === null) return null
  const { at, target, sources, onTarget } = talk
  // Words without formatting are the same in Markdown; the server says where they are not.
  const source = target?.range?.quote ?? sources.get(target?.node ?? '')
  return (
    <div className="review-threads">
      {threads.length > count && (
        <Button look="quiet" onPress={() => setCount(count + PORTION)}>
          {t('changeRequest.earlier', { count: threads.length - count })}
        </Button>
      )}
      {threads.slice(-count).map(comment => (
        <Thread key={comment.id} at={at} comment={comment} />
      ))}
      {isTarget && target !== null && (
        <div className="thread">
          <NewThread
            at={at}
            key={JSON.stringify(target)}
            target={target}
            source={source}
            isFocused
            onSent={() => onTarget(null)}
            onCancel={() => onTarget(null)}
          />
        </div>
      )}
    </div>
  )
}
