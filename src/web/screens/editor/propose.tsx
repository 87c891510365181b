// Makes a draft a proposal: with a subject, and with whom is asked to review it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { changeChangeRequest, liveChangeRequest, requestReview } from '../../data/change-request.ts'
import { spaceAddress } from '../../data/pages.ts'
import type { Space } from '../../data/spaces.ts'
import { useStore } from '../../data/store.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { ReviewerChoice, readReviewers } from '../../parts/reviewer-choice.tsx'
import { say } from '../../parts/toasts.tsx'

const SUBJECT_CHARACTERS_MAX = 100

type Props = { readonly of: Space; readonly writing: PageWriting; readonly onClose: () => void }

export default function Propose({ of, writing, onClose }: Props) {
  const { changeRequestId } = useStore(writing.place)
  const { data: changeRequest } = useQuery({
    ...liveChangeRequest({ spaceId: of.id, changeRequestId: changeRequestId ?? '' }),
    enabled: changeRequestId !== undefined,
  })
  const { title } = useStore(writing.fields)
  const [subject, setSubject] = useState(changeRequest?.subject ?? t('editor.subject', { title }))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [, navigate] = useLocation()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await writing.save()
      const { changeRequestId: id } = writing.place.get()
      if (!writing.isSaved || id === undefined) throw new Error('what is written is not saved')
      const place = { spaceId: of.id, changeRequestId: id }
      await changeChangeRequest(place, { subject: subject.trim() })
      await requestReview(place, readReviewers(chosen))
      return id
    },
    onSuccess: id => {
      say(t(chosen.size > 0 ? 'changeRequest.requested' : 'changeRequest.isOpen'))
      navigate(`${spaceAddress(of.id)}/c/${id}`)
    },
  })
  return (
    <Dialog title={t('editor.propose')} isOpen onClose={onClose}>
      <Field
        label={t('changeRequest.subject')}
        value={subject}
        onChange={setSubject}
        maxLength={SUBJECT_CHARACTERS_MAX}
        isRequired
        autoFocus
        onFocus={event => event.target instanceof HTMLInputElement && event.target.select()}
      />
      <ReviewerChoice of={of} chosen={chosen} onChange={setChosen} />
      {error !== null && (
        <p className="field-error" role="alert">
          {writing.isSaved ? sayWhy(error) : t('editor.notSaved')}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('changeRequest.cancel')}</Button>
        <Button
          look="primary"
          isPending={isPending}
          isDisabled={subject.trim() === ''}
          onPress={() => mutate()}
        >
          {t('editor.propose')}
        </Button>
      </div>
    </Dialog>
  )
}
