// Where else one can write: with Git, or with a program through a change request.
import { useMutation } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useLocation } from 'wouter'
import type { ChangeRequest } from '../../data/change-requests.ts'
import { beginDraft } from '../../data/page-text.ts'
import { spaceAddress, type TreePage } from '../../data/pages.ts'
import { sendOnce } from '../../data/send-once.ts'
import type { Space } from '../../data/spaces.ts'
import { editTexts } from '../../messages/edit.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

type Props = {
  readonly space: Space
  readonly page?: TreePage | undefined
  /** What is written goes there; absent for the space itself. */
  readonly changeRequest?: ChangeRequest | undefined
  readonly onClose: () => void
}

export default function EditDialog({ space, page, changeRequest, onClose }: Props) {
  if (editTexts !== undefined) use(editTexts)
  const remote = `${location.origin}/git/${space.id}.git`
  const content = `${location.origin}/v1/spaces/${space.id}${changeRequest === undefined ? '' : `/change-requests/${changeRequest.number}`}/content`
  return (
    <Dialog
      title={
        changeRequest === undefined ? t('edit.title') : t('edit.titleOf', { number: changeRequest.number })
      }
      isOpen
      onClose={onClose}
      isDismissable
    >
      <p className="soft">{t('edit.text')}</p>
      <section className="stack-small" aria-labelledby="workspace:edit-git">
        <h3 id="workspace:edit-git">{t('edit.git')}</h3>
        {changeRequest === undefined ? (
          <CopyField label={t('edit.clone')} value={`git clone ${remote}`} />
        ) : (
          <CopyField
            label={t('edit.cloneBranch')}
            value={`git clone --branch change-requests/${changeRequest.number} ${remote}`}
          />
        )}
        <p className="small faint">{sayHow(changeRequest, page?.git?.path)}</p>
      </section>
      <section className="stack-small" aria-labelledby="workspace:edit-api">
        <h3 id="workspace:edit-api">{t('edit.api')}</h3>
        <CopyField
          label={t('edit.address')}
          value={page === undefined ? content : `${content}/page/${page.id}`}
        />
        <p className="small faint">
          <a href="/docs">{t('edit.apiText')}</a>
        </p>
      </section>
      {changeRequest === undefined && <NewChangeRequest space={space} onDone={onClose} />}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('edit.close')}</Button>
      </div>
    </Dialog>
  )
}

function sayHow(changeRequest: ChangeRequest | undefined, file: string | undefined): string {
  if (changeRequest !== undefined) return t('edit.gitBranch')
  return file === undefined ? t('edit.gitText') : t('edit.gitFile', { file })
}

/** A draft that a push or a program then writes to. */
function NewChangeRequest({ space, onDone }: { readonly space: Space; readonly onDone: () => void }) {
  const [subject, setSubject] = useState('')
  const [, navigate] = useLocation()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      sendOnce([space.id, subject.trim()], key => beginDraft(space.id, { subject: subject.trim(), key })),
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
