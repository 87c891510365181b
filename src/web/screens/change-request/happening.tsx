// One thing that happened: a comment with its thread, a review with its outcome, or a line.
import { useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import Archive from 'lucide-react/icons/archive'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleDot from 'lucide-react/icons/circle-dot'
import CircleX from 'lucide-react/icons/circle-x'
import GitMerge from 'lucide-react/icons/git-merge'
import Pencil from 'lucide-react/icons/pencil'
import PencilLine from 'lucide-react/icons/pencil-line'
import Redo2 from 'lucide-react/icons/redo-2'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import Undo2 from 'lucide-react/icons/undo-2'
import { memo, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { Place } from '../../data/change-request.ts'
import type { Comment } from '../../data/comments.ts'
import { findPage } from '../../data/pages.ts'
import { pagesIn } from '../../data/spaces.ts'
import type { TimelineItem } from '../../data/timeline.ts'
import { isolated, language, t } from '../../messages/messages.ts'
import { Thread } from '../../parts/thread/thread.tsx'
import { Time } from '../../parts/time.tsx'

type At = { readonly spaceId: string; readonly changeRequestId: string }
type Props = {
  readonly at: At
  readonly place: Place
  readonly item: TimelineItem
  /** How many it stands for. */
  readonly count: number
}

/** Those that are shown stay as they are when others come. */
export const Happening = memo(function Happening({ at, place, item, count }: Props) {
  const { comment, review } = item
  if (item.type === 'commented')
    return comment === undefined ? null : (
      <li className="timeline-item">
        <Thread at={at} comment={comment} about={<About place={place} comment={comment} />} />
      </li>
    )
  const { Icon, look } = markOf(item)
  return (
    <li className="timeline-item">
      <p className="timeline-line">
        <span className={`timeline-mark ${look}`}>
          <Icon size={14} aria-hidden />
        </span>
        <span>
          {sentenceOf(item, count)} <Time value={item.createdAt} />
        </span>
      </p>
      {review?.comment !== undefined && <Thread at={at} comment={review.comment} />}
    </li>
  )
})

type AboutProps = { readonly place: Place; readonly comment: Comment }

/** The page that a comment is about, if it is about one. */
function About({ place, comment: { target } }: AboutProps): ReactNode {
  const pageId = target.page?.id
  const { data } = useQuery({ ...pagesIn(place), enabled: pageId !== undefined })
  if (pageId === undefined) return null
  const title = findPage(data?.pages ?? [], pageId)?.page.title
  if (title === undefined) return target.outdated === true ? t('changeRequest.onGone') : null
  return (
    <Link className="small" href={`/w/s/${place.spaceId}/c/${place.changeRequestId}/preview/${pageId}`}>
      {t('changeRequest.onPage', { title: isolated(title) })}
    </Link>
  )
}

type Mark = { readonly Icon: LucideIcon; readonly look: string }

function markOf({ type, status, review }: TimelineItem): Mark {
  switch (type) {
    case 'reviewed':
      return review?.status === 'approved'
        ? { Icon: CircleCheck, look: 'success' }
        : { Icon: CircleX, look: 'danger' }
    case 'merged':
      return { Icon: GitMerge, look: 'info' }
    case 'undone':
      return { Icon: Undo2, look: 'warning' }
    case 'redone':
      return { Icon: Redo2, look: 'info' }
    case 'updated':
      return { Icon: RefreshCw, look: '' }
    case 'edited':
      return { Icon: PencilLine, look: '' }
    case 'changed':
      if (status === 'archived') return { Icon: Archive, look: '' }
      return status === undefined ? { Icon: Pencil, look: '' } : { Icon: CircleDot, look: '' }
    default:
      return { Icon: CircleDashed, look: '' }
  }
}

const list = new Intl.ListFormat(language, { type: 'conjunction' })

function sentenceOf(
  { type, actor, review, status, fields = [], users = [], teams = [] }: TimelineItem,
  count: number,
) {
  const name = isolated(actor?.displayName ?? t('shell.name'))
  const others = list.format([
    ...users.map(({ displayName }) => isolated(displayName)),
    ...teams.map(({ title }) => isolated(title)),
  ])
  switch (type) {
    case 'reviewed':
      return t(`changeRequest.happened.${review?.status ?? 'reviewed'}`, { name })
    case 'edited':
      return t('changeRequest.happened.edited', { name, count })
    case 'changed':
      if (status === 'merged' || status === undefined)
        return t(`changeRequest.happened.${fields.includes('subject') ? 'subject' : 'description'}`, { name })
      return t(`changeRequest.happened.${status}`, { name })
    case 'review-requested':
    case 'review-request-withdrawn':
      return others === ''
        ? t(`changeRequest.happened.${type}-hidden`, { name })
        : t(`changeRequest.happened.${type}`, { name, others })
    default:
      return t(`changeRequest.happened.${type}`, { name })
  }
}
