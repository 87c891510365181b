import { Link } from 'wouter'
import type { ChangeRequest } from '../data/change-requests.ts'
import { t } from '../messages/messages.ts'
import { StatusMark } from './status-mark.tsx'
import { Time } from './time.tsx'

type Props = { readonly changeRequest: ChangeRequest; readonly spaceTitle?: string }

export const ChangeRequestRow = ({ changeRequest, spaceTitle }: Props) => {
  const { number, subject, space, status, createdBy, updatedAt, comments } = changeRequest
  return (
    <Link href={`/w/s/${space}/c/${number}`} className="rows-row">
      <span className="grow">
        <span className="rows-title">{subject === '' ? t('changeRequest.untitled') : subject}</span>
        <span className="rows-facts">
          <span className="numbers">#{number}</span>
          {spaceTitle !== undefined && <span>{spaceTitle}</span>}
          <span>{createdBy.displayName}</span>
          <Time value={updatedAt} />
          {comments > 0 && <span>{t('changeRequest.comments', { count: comments })}</span>}
        </span>
      </span>
      <StatusMark status={status} />
    </Link>
  )
}
