// The judgement: approve or request changes, with a comment; and who has judged.
import { useQuery } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleX from 'lucide-react/icons/circle-x'
import { useState } from 'react'
import { currentReviews, type Review, submitReview } from '../../data/change-request.ts'
import { sendOnce } from '../../data/send-once.ts'
import { t } from '../../messages/messages.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { Composer } from '../../parts/thread/composer.tsx'
import { say } from '../../parts/toasts.tsx'
import type { Props } from './props.ts'

type Judgement = Review['status']

export function Decide({ place, changeRequest, of }: Props) {
  const [judgement, setJudgement] = useState<Judgement | null>(null)
  const { status } = changeRequest
  const canJudge = (status === 'open' || status === 'draft') && of.permissions.review
  useShortcuts(
    canJudge ? { a: () => setJudgement('approved'), r: () => setJudgement('changes-requested') } : {},
  )
  return (
    <div className="review-decide">
      <Judges place={place} revision={changeRequest.revision} />
      {canJudge && (
        <>
          <Button onPress={() => setJudgement('changes-requested')}>
            {t('review.judge.changes-requested')}
          </Button>
          <Button look="primary" onPress={() => setJudgement('approved')}>
            {t('review.judge.approved')}
          </Button>
        </>
      )}
      {/* What is written stays, also where it can no longer be given. */}
      {judgement !== null && (
        <Dialog title={t(`review.judge.${judgement}`)} isOpen onClose={() => setJudgement(null)}>
          <Composer
            spaceId={of.id}
            place={`review.${changeRequest.id}`}
            label={t(judgement === 'approved' ? 'review.optionalComment' : 'review.whatToChange')}
            action={t(`review.judge.${judgement}`)}
            mayBeEmpty={judgement === 'approved'}
            isFocused
            onSend={async markdown => {
              await sendOnce([place, judgement, markdown], key =>
                submitReview(place, judgement, markdown, key),
              )
              setJudgement(null)
              say(t(`review.judged.${judgement}`))
            }}
            onCancel={() => setJudgement(null)}
          />
        </Dialog>
      )}
    </div>
  )
}

/** Reviews that count. One of an earlier content says so. */
function Judges({ place, revision }: Pick<Props, 'place'> & { readonly revision: string }) {
  const { data } = useQuery(currentReviews(place))
  if (data === undefined || data.items.length === 0) return null
  return (
    <ul role="list" className="review-judges" aria-label={t('changeRequest.reviewers')}>
      {data.items.map(({ id, reviewer, status, revision: of }) => (
        <li
          key={id}
          className="review-judge"
          title={`${reviewer.displayName}: ${sayJudgement(status, of === revision)}`}
        >
          <Avatar name={reviewer.displayName} />
          <bdi className="visually-hidden">{reviewer.displayName}</bdi>
          {status === 'approved' ? (
            <CircleCheck size={16} className="success" aria-hidden />
          ) : (
            <CircleX size={16} className="danger" aria-hidden />
          )}
          <span className="visually-hidden">{sayJudgement(status, of === revision)}</span>
        </li>
      ))}
    </ul>
  )
}

function sayJudgement(status: Judgement, isCurrent: boolean): string {
  const said = t(`changeRequest.review.${status}`)
  return isCurrent ? said : `${said} (${t('changeRequest.beforeLastEdit')})`
}
