// Both places that show notifications, in one file: what two files share would be read with every other screen.
import { use } from 'react'
import type { Notification } from '../../data/notifications.ts'
import { notificationTexts } from '../../messages/notifications.ts'
import { Inbox } from './inbox.tsx'
import { Waiting } from './waiting.tsx'

/** Those that wait on Home, or the screen with all of them. */
export default function Notifications({ waiting }: { readonly waiting?: readonly Notification[] }) {
  if (notificationTexts !== undefined) use(notificationTexts)
  return waiting === undefined ? <Inbox /> : <Waiting items={waiting} />
}
