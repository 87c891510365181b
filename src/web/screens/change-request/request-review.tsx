// Asks for a review. A draft becomes open by it, also if nobody is chosen.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { requestReview } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { ReviewerChoice, readReviewers } from '../../parts/reviewer-choice.tsx'
import { say } from '../../parts/toasts.tsx'
import type { Props } from './props.ts'

export function RequestReview({
  place,
  changeRequest,
  of,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const isDraft = changeRequest.status === 'draft'
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => requestReview(place, readReviewers(chosen)),
    onSuccess: () => {
      say(t(chosen.size > 0 ? 'changeRequest.requested' : 'changeRequest.isOpen'))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('changeRequest.requestReview')}
      isOpen
      isDismissable={chosen.size === 0}
      onClose={onClose}
    >
      {isDraft && <p className="soft">{t('changeRequest.opensDraft')}</p>}
      <ReviewerChoice of={of} autoFocus chosen={chosen} onChange={setChosen} />
      {error !== null && (
        <p className="field-error" role="alert">
          {sayWhy(error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('changeRequest.cancel')}</Button>
        <Button
          look="primary"
          isPending={isPending}
          isDisabled={chosen.size === 0 && !isDraft}
          onPress={() => mutate()}
        >
          {t('changeRequest.requestReview')}
        </Button>
      </div>
    </Dialog>
  )
}
