import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleX from 'lucide-react/icons/circle-x'
import MessageSquare from 'lucide-react/icons/message-square'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Link } from 'wouter'
import type { ChangeRequest } from '../data/change-requests.ts'
import { t } from '../messages/messages.ts'
import { StatusMark } from './status-mark.tsx'
import { Time } from './time.tsx'

type Props = { readonly changeRequest: ChangeRequest; readonly spaceTitle?: string }

export const ChangeRequestRow = ({ changeRequest, spaceTitle }: Props) => {
  const { number, subject, space, status, createdBy, updatedAt } = changeRequest
  return (
    <Link href={`/w/s/${space}/c/${number}`} className="rows-row">
      <span className="grow">
        <span className="rows-title" dir="auto">
          {subject === '' ? t('changeRequest.untitled') : subject}
        </span>
        <span className="rows-facts">
          <span className="numbers">#{number}</span>
          {spaceTitle !== undefined && <bdi>{spaceTitle}</bdi>}
          <bdi>{createdBy.displayName}</bdi>
          <Time value={updatedAt} />
        </span>
      </span>
      <Outcome of={changeRequest} />
      <StatusMark status={status} />
    </Link>
  )
}

/** What reviewers say, and how much is said about it. */
export const Outcome = ({ of: { reviews, comments, conflicts = 0 } }: { readonly of: ChangeRequest }) => {
  const { approved = 0, changesRequested = 0, requested = 0 } = reviews ?? {}
  return (
    <span className="rows-outcome numbers">
      {conflicts > 0 && (
        <span>
          <TriangleAlert size={14} className="danger" aria-hidden />
          {conflicts}
          <span className="visually-hidden">{t('conflicts.title')}</span>
        </span>
      )}
      {changesRequested > 0 && (
        <span>
          <CircleX size={14} className="danger" aria-hidden />
          {changesRequested}
          <span className="visually-hidden">{t('changeRequests.changesRequested')}</span>
        </span>
      )}
      {approved > 0 && (
        <span>
          <CircleCheck size={14} className="success" aria-hidden />
          {approved}
          <span className="visually-hidden">{t('changeRequests.approved')}</span>
        </span>
      )}
      {requested > 0 && (
        <span>
          <CircleDashed size={14} aria-hidden />
          {requested}
          <span className="visually-hidden">{t('changeRequests.requested')}</span>
        </span>
      )}
      {comments > 0 && (
        <span>
          <MessageSquare size={14} aria-hidden />
          {comments}
          <span className="visually-hidden">{t('changeRequests.openComments')}</span>
        </span>
      )}
    </span>
  )
}
