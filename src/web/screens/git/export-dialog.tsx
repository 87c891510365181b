// Writes a space to a branch of a repository. What is written is looked at first; what is changed in the form afterwards
// is looked at again.
import { useMutation } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import { useState } from 'react'
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox'
import { Form } from 'react-aria-components/Form'
import { checkExport, refreshGit, startExport } from '../../data/git.ts'
import { randomKey } from '../../data/random-key.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'
import { ExportReport } from './export-report.tsx'
import { RemoteFields, toRemote, useRemote } from './remote-fields.tsx'

type Props = { readonly of: Space; readonly onClose: () => void }

const MESSAGE_CHARACTERS_MAX = 5_000

export function ExportDialog({ of, onClose }: Props) {
  const { typed, setTyped } = useRemote(of)
  const [message, setMessage] = useState(
    t('repository.messageOf', { title: of.title || t('space.untitled') }),
  )
  const [isForced, setForced] = useState(false)
  const asked = JSON.stringify({ ...typed, isForced })
  const look = useMutation({
    mutationFn: async (about: string) => ({
      about,
      found: await checkExport(of.id, { ...toRemote(typed), force: isForced }),
    }),
  })
  const write = useMutation({
    mutationFn: () =>
      startExport(of.id, { ...toRemote(typed), commitMessage: message.trim(), force: isForced }, randomKey()),
    onSuccess: async () => {
      await refreshGit(of.id)
      onClose()
    },
  })
  const found = look.data?.about === asked ? look.data.found : undefined
  const isReady = found !== undefined && found.errorCode === undefined
  const error = write.error ?? look.error
  return (
    <Dialog title={t('repository.exportTitle')} isOpen onClose={onClose}>
      <Form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (write.isPending || look.isPending) return
          if (isReady) write.mutate()
          else look.mutate(asked)
        }}
      >
        <p className="soft">{t('repository.exportBy')}</p>
        <RemoteFields
          typed={typed}
          onChange={next => {
            setTyped(next)
            look.reset()
            write.reset()
          }}
        />
        <Field
          label={t('repository.message')}
          value={message}
          maxLength={MESSAGE_CHARACTERS_MAX}
          onChange={setMessage}
          isRequired
        />
        {(isForced || found?.errorCode !== undefined) && (
          <CheckboxField isSelected={isForced} onChange={setForced}>
            <CheckboxButton className="check">
              <span className="check-box" aria-hidden="true">
                <Check size={12} />
              </span>
              {t('repository.force')}
            </CheckboxButton>
          </CheckboxField>
        )}
        <div role="status" className="stack">
          {look.isPending && <p className="soft">{t('repository.looking')}</p>}
          {found !== undefined && <ExportReport of={found} />}
        </div>
        {error !== null && (
          <p className="field-error" role="alert">
            {sayGitWhy(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>{t('repository.cancel')}</Button>
          <Button look="primary" type="submit" isPending={look.isPending || write.isPending}>
            {isReady ? t('repository.exportNow') : t('repository.look')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
