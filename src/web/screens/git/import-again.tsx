// Imports a repository into a space that is there.
import { useMutation } from '@tanstack/react-query'
import { Form } from 'react-aria-components/Form'
import { refreshGit, startImport } from '../../data/git.ts'
import { randomKey } from '../../data/random-key.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayGitWhy } from '../../parts/git-words.ts'
import { RemoteFields, toRemote, useRemote } from './remote-fields.tsx'

type Props = { readonly of: Space; readonly onClose: () => void }

export function ImportAgain({ of, onClose }: Props) {
  const { typed, setTyped, last } = useRemote(of)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const layout = last?.layout
      const from = layout === undefined || layout === 'gitbook' ? {} : { from: layout }
      return startImport(of.id, { ...toRemote(typed), ...from }, randomKey())
    },
    onSuccess: async () => {
      await refreshGit(of.id)
      onClose()
    },
  })
  return (
    <Dialog title={t('repository.again')} isOpen onClose={onClose}>
      <Form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (!isPending) mutate()
        }}
      >
        <p className="soft">{t('repository.againBy')}</p>
        <RemoteFields typed={typed} onChange={setTyped} />
        {error !== null && (
          <p className="field-error" role="alert">
            {sayGitWhy(error)}
          </p>
        )}
        <div className="dialog-actions">
          <Button onPress={onClose}>{t('repository.cancel')}</Button>
          <Button look="primary" type="submit" isPending={isPending}>
            {t('newSpace.import')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
