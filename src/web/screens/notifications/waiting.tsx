// What waits on Home beside reviews: unread mentions and conflicts.
import type { Notification } from '../../data/notifications.ts'
import { NotificationRow } from './row.tsx'

export const Waiting = ({ items }: { readonly items: readonly Notification[] }) => (
  <div className="card rows">
    {items.map(one => (
      <NotificationRow key={one.id} of={one} />
    ))}
  </div>
)
