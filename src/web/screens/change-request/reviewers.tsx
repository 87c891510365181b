// Who was asked for a review, and what those who gave one say.
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import CircleX from 'lucide-react/icons/circle-x'
import X from 'lucide-react/icons/x'
import { type ReactNode, useState } from 'react'
import {
  currentReviews,
  type RequestedReviewer,
  type Review,
  requestedReviewers,
  withdrawRequest,
} from '../../data/change-request.ts'
import { me } from '../../data/people.ts'
import { t } from '../../messages/messages.ts'
import { Avatar, TeamMark } from '../../parts/avatar.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/state.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import type { Props } from './props.ts'
import { RequestReview } from './request-review.tsx'

export function Reviewers({ place, changeRequest, of }: Props) {
  const [isAsking, setAsking] = useState(false)
  const reviews = useQuery(currentReviews(place))
  const asked = useQuery(requestedReviewers(place))
  const { status } = changeRequest
  const isOpen = status === 'open' || status === 'draft'
  const canAsk = of.permissions.edit && isOpen
  return (
    <section className="side-section" aria-labelledby="workspace:reviewers">
      <h2 id="workspace:reviewers">{t('changeRequest.reviewers')}</h2>
      <Loaded query={asked} lines={2}>
        {({ items: waiting }) => (
          <Loaded query={reviews} lines={2}>
            {({ items: given }) =>
              waiting.length + given.length === 0 ? (
                <p className="small soft">{t('changeRequest.noReviewers')}</p>
              ) : (
                <ul role="list" className="side-list">
                  {given.map(review => (
                    <Given
                      key={review.id}
                      review={review}
                      isCurrent={review.revision === changeRequest.revision}
                    />
                  ))}
                  {waiting.map(request => (
                    <Waiting key={idOf(request)} {...{ place, request, isOpen }} canWithdraw={canAsk} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        )}
      </Loaded>
      {canAsk && <Button onPress={() => setAsking(true)}>{t('changeRequest.requestReview')}</Button>}
      {isAsking && (
        <RequestReview place={place} changeRequest={changeRequest} of={of} onClose={() => setAsking(false)} />
      )}
    </section>
  )
}

type ReviewerProps = {
  readonly name: string
  readonly isTeam?: boolean
  readonly outcome: ReactNode
  readonly children?: ReactNode
}

const Reviewer = ({ name, isTeam = false, outcome, children }: ReviewerProps) => (
  <li className="side-item">
    {isTeam ? <TeamMark /> : <Avatar name={name} />}
    <bdi className="truncate">{name}</bdi>
    <span className="reviewer-outcome">{outcome}</span>
    {children}
  </li>
)

type GivenProps = {
  readonly review: Review
  /** Whether it is about the content as it is now. */
  readonly isCurrent: boolean
}

const Given = ({ review: { reviewer, status }, isCurrent }: GivenProps) => (
  <Reviewer
    name={reviewer.displayName}
    outcome={
      <>
        {status === 'approved' ? (
          <CircleCheck size={16} className="success" aria-hidden />
        ) : (
          <CircleX size={16} className="danger" aria-hidden />
        )}
        {t(`changeRequest.review.${status}`)}
        {!isCurrent && <span className="faint"> · {t('changeRequest.beforeLastEdit')}</span>}
      </>
    }
  />
)

type WaitingProps = Pick<Props, 'place'> & {
  readonly request: RequestedReviewer
  /** Nobody reviews what was merged or archived. */
  readonly isOpen: boolean
  readonly canWithdraw: boolean
}

const idOf = (request: RequestedReviewer) => (request.kind === 'user' ? request.user.id : request.team.id)

function Waiting({ place, request, isOpen, canWithdraw }: WaitingProps) {
  const { id: myId } = useSuspenseQuery(me).data
  const { mutate, isPending } = useMutation({
    mutationFn: () => withdrawRequest(place, request),
    onError: sayFailure,
  })
  const name = request.kind === 'user' ? request.user.displayName : request.team.title
  return (
    <Reviewer
      name={name}
      isTeam={request.kind === 'team'}
      outcome={
        <>
          <CircleDashed size={16} aria-hidden />
          {t(isOpen && idOf(request) === myId ? 'changeRequest.waitsForMe' : 'changeRequest.waits')}
        </>
      }
    >
      {canWithdraw && (
        <IconButton
          label={t('changeRequest.withdraw', { name })}
          isPending={isPending}
          onPress={() => mutate()}
        >
          <X size={14} aria-hidden />
        </IconButton>
      )}
    </Reviewer>
  )
}
