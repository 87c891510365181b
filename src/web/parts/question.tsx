// Asks before something that is hard to undo: what it means, and the verb on the button.
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../messages/messages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { sayWhy } from './refusals.ts'

type Props = {
  readonly title: string
  readonly verb: string
  readonly isReady?: boolean
  readonly act: () => Promise<unknown>
  readonly onDone: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Stays open with the reason if it is refused. */
export function Question({ title, verb, isReady = true, act, onDone, onClose, children }: Props) {
  const { mutate, isPending, error } = useMutation({ mutationFn: act, onSuccess: onDone })
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {children}
      {error !== null && (
        <p className="field-error" role="alert">
          {sayWhy(error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('changeRequest.cancel')}</Button>
        <Button look="danger" isPending={isPending} isDisabled={!isReady} onPress={() => mutate()}>
          {verb}
        </Button>
      </div>
    </Dialog>
  )
}
