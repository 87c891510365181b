// Where to write as long as there is no editor here: with Git, or with a program through a change request.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { createChangeRequest } from '../../data/change-request.ts'
import { spaceAddress, type TreePage } from '../../data/pages.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

type Props = {
  readonly space: Space
  readonly page?: TreePage | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function EditDialog({ space, page, isOpen, onClose }: Props) {
  return (
    <Dialog title={t('edit.title')} isOpen={isOpen} onClose={onClose} isDismissable>
      <p className="soft">{t('edit.text')}</p>
      <section className="stack-small" aria-labelledby="workspace:edit-git">
        <h3 id="workspace:edit-git">{t('edit.git')}</h3>
        <CopyField label={t('edit.clone')} value={`git clone ${location.origin}/git/${space.id}.git`} />
        <p className="small faint">
          {page?.git?.path === undefined ? t('edit.gitText') : t('edit.gitFile', { file: page.git.path })}
        </p>
      </section>
      <section className="stack-small" aria-labelledby="workspace:edit-api">
        <h3 id="workspace:edit-api">{t('edit.api')}</h3>
        <CopyField
          label={t('edit.address')}
          value={`${location.origin}/v1/spaces/${space.id}/content${page === undefined ? '' : `/page/${page.id}`}`}
        />
        <p className="small faint">
          <a href="/docs">{t('edit.apiText')}</a>
        </p>
      </section>
      <NewChangeRequest space={space} onDone={onClose} />
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('edit.close')}</Button>
      </div>
    </Dialog>
  )
}

/** A draft that a push or a program then writes to. */
function NewChangeRequest({ space, onDone }: { readonly space: Space; readonly onDone: () => void }) {
  const [subject, setSubject] = useState('')
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => createChangeRequest(space.id, { subject: subject.trim() }),
    onSuccess: ({ number }) => {
      onDone()
      navigate(`${spaceAddress(space.id)}/c/${number}`)
    },
    onError: sayFailure,
  })
  return (
    <form
      className="stack-small"
      onSubmit={event => {
        event.preventDefault()
        mutate()
      }}
    >
      <h3>{t('edit.changeRequest')}</h3>
      <div className="row row-end">
        <div className="grow">
          <Field label={t('edit.subject')} value={subject} onChange={setSubject} isRequired />
        </div>
        <Button type="submit" isPending={isPending} isDisabled={subject.trim() === ''}>
          {t('edit.open')}
        </Button>
      </div>
      <p className="small faint">{t('edit.changeRequestText')}</p>
    </form>
  )
}
