// The subject, editable in place, and what a change request wants, in a line.
import { useMutation } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { changeChangeRequest, type Place } from '../../data/change-request.ts'
import { t } from '../../messages/messages.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { ChangeRequestCrumbs } from '../../parts/change-request-crumbs.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { useHeading } from '../../parts/screen.tsx'
import { StatusMark } from '../../parts/status-mark.tsx'
import { Time } from '../../parts/time.tsx'
import { Edit } from './edit.tsx'
import type { Props } from './props.ts'

const SUBJECT_CHARACTERS_MAX = 100

export function Head({ place, changeRequest, of }: Props) {
  const { number, subject, status, createdBy, createdAt } = changeRequest
  const title = subject === '' ? t('changeRequest.untitled') : subject
  const heading = useHeading(`${title} #${number}`)
  const [isEdited, setEdited] = useState(false)
  const isOpen = status === 'open' || status === 'draft'
  return (
    <header className="change-request-head">
      <div className="change-request-bar">
        <ChangeRequestCrumbs of={of} />
        {of.permissions.edit && isOpen && <Edit place={place} changeRequest={changeRequest} />}
      </div>
      {isEdited && <Subject place={place} subject={subject} onDone={() => setEdited(false)} />}
      <div className="row change-request-title" hidden={isEdited}>
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {title}{' '}
          <span className="change-request-number" dir="ltr">
            #{number}
          </span>
        </h1>
        {of.permissions.edit && (
          <IconButton label={t('changeRequest.editSubject')} onPress={() => setEdited(true)}>
            <Pencil size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="change-request-facts">
        <StatusMark status={status} />
        <span className="change-request-author">
          <Avatar name={createdBy.displayName} />
          <span>
            <bdi className="name">{createdBy.displayName}</bdi> {t('changeRequest.opened')}{' '}
            <Time value={createdAt} />
          </span>
        </span>
      </div>
    </header>
  )
}

type SubjectProps = { readonly place: Place; readonly subject: string; readonly onDone: () => void }

function Subject({ place, subject, onDone }: SubjectProps) {
  const [text, setText] = useState(subject)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeChangeRequest(place, { subject: text.trim() }),
    onSuccess: onDone,
  })
  return (
    <Form
      className="subject-form"
      onSubmit={event => {
        event.preventDefault()
        mutate()
      }}
    >
      <Field
        label={t('changeRequest.subject')}
        value={text}
        onChange={setText}
        maxLength={SUBJECT_CHARACTERS_MAX}
        autoFocus
        error={error === null ? undefined : sayWhy(error)}
        onKeyDown={event => {
          if (event.key === 'Escape') onDone()
        }}
      />
      <div className="row">
        <Button look="primary" type="submit" isPending={isPending}>
          {t('changeRequest.save')}
        </Button>
        <Button onPress={onDone}>{t('changeRequest.cancel')}</Button>
      </div>
    </Form>
  )
}
