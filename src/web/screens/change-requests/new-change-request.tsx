// Begins a change request: what it is about, and in which space. Its screen opens.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { useLocation } from 'wouter'
import { beginDraft } from '../../data/page-text.ts'
import { spaceAddress } from '../../data/pages.ts'
import { sendOnce } from '../../data/send-once.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'

const SUBJECT_CHARACTERS_MAX = 100

type Props = {
  /** Where the person may write; with one there is nothing to choose. */
  readonly spaces: readonly Space[]
  readonly onClose: () => void
}

export default function NewChangeRequest({ spaces, onClose }: Props) {
  const [subject, setSubject] = useState('')
  const [spaceId, setSpaceId] = useState(spaces[0]?.id)
  const [, navigate] = useLocation()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (id: string) =>
      sendOnce([id, subject.trim()], key => beginDraft(id, { subject: subject.trim(), key })),
    onSuccess: ({ space, number }) => navigate(`${spaceAddress(space)}/c/${number}`),
  })
  return (
    <Dialog title={t('changeRequests.new')} isOpen isDismissable={subject === ''} onClose={onClose}>
      <Form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (spaceId !== undefined) mutate(spaceId)
        }}
      >
        <Field
          label={t('changeRequest.subject')}
          hint={t('changeRequests.subjectHint')}
          value={subject}
          onChange={setSubject}
          maxLength={SUBJECT_CHARACTERS_MAX}
          autoFocus
          error={error === null ? undefined : sayWhy(error)}
        />
        {spaces.length > 1 && (
          <Choice
            label={t('changeRequests.space')}
            options={spaces.map(({ id, title }) => ({
              id,
              name: title === '' ? t('space.untitled') : title,
            }))}
            chosen={spaceId}
            onChange={setSpaceId}
          />
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>{t('changeRequest.cancel')}</Button>
          <Button look="primary" type="submit" isPending={isPending}>
            {t('changeRequests.create')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
