// Short messages in a corner: what was done, with a way back, or why it was not.
import X from 'lucide-react/icons/x'
import { Text } from 'react-aria-components/Text'
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast'
import { isReason } from '../data/client.ts'
import { UNCONFIRMED } from '../data/confirmation.ts'
import { showInCorner } from '../data/corner.ts'
import { t } from '../messages/messages.ts'
import { Button, IconButton } from './button.tsx'
import { sayWhy } from './refusals.ts'

type Message = {
  readonly text: string
  readonly isFailure: boolean
  readonly action?: { readonly label: string; readonly run: () => void }
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 })
// Long enough to read and to reach the action by keyboard.
const SHOWN_MS = 8000

export function say(text: string, action?: Message['action']): void {
  showInCorner('messages', Toasts)
  queue.add({ text, isFailure: false, action }, { timeout: SHOWN_MS })
}

/** Somebody who would not confirm who they are knows why nothing was done. */
export function sayFailure(error: unknown): void {
  if (!isReason(error, UNCONFIRMED)) sayFailed(sayWhy(error))
}

/** Stays until it is closed: the person may be looking elsewhere, or has to find a network first. */
export function sayFailed(text: string, action?: Message['action']): void {
  showInCorner('messages', Toasts)
  queue.add({ text, isFailure: true, action })
}

const Toasts = () => (
  <ToastRegion queue={queue} className="toasts">
    {({ toast }) => {
      const { text, isFailure, action } = toast.content
      return (
        <Toast
          toast={toast}
          className={isFailure ? 'toast danger' : 'toast'}
          // The region alone is out of reach under a dialog below the one in which its first message came.
          data-react-aria-top-layer="true"
        >
          <ToastContent className="grow">
            <Text slot="title">{text}</Text>
          </ToastContent>
          {action !== undefined && (
            <Button
              look="quiet"
              onPress={() => {
                queue.close(toast.key)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton slot="close" label={t('toast.close')}>
            <X size={16} aria-hidden />
          </IconButton>
        </Toast>
      )
    }}
  </ToastRegion>
)
