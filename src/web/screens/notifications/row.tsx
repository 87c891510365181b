// One notification in words; it leads to its place, and is read then.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import Undo from 'lucide-react/icons/undo-2'
import { Link } from 'wouter'
import { markNotification, type Notification, placeOfNotification } from '../../data/notifications.ts'
import { isolated, t } from '../../messages/messages.ts'
import { IconButton } from '../../parts/button.tsx'
import { Time } from '../../parts/time.tsx'
import { sayFailure } from '../../parts/toasts.tsx'

/** What happened, and who did it. */
export const sayNotification = ({ kind, actor }: Notification): string =>
  t(`inbox.${kind}`, { name: isolated(actor?.displayName ?? t('inbox.somebody')) })

export function NotificationRow({ of }: { readonly of: Notification }) {
  const cache = useQueryClient()
  const isUnread = of.readAt === undefined
  const { mutate, isPending } = useMutation({
    mutationFn: (read: boolean) => markNotification(cache, of.id, read),
    onError: sayFailure,
  })
  return (
    <div className="notification">
      <Link
        href={placeOfNotification(of)}
        className="rows-row grow"
        onClick={() => {
          if (isUnread) mutate(true)
        }}
      >
        <span className={isUnread ? 'unread-mark' : 'unread-mark is-read'}>
          {isUnread && <span className="visually-hidden">{t('inbox.unread')}</span>}
        </span>
        <span className="grow">
          <span className={isUnread ? 'rows-title' : undefined} dir="auto">
            {sayNotification(of)}
          </span>
          <span className="rows-facts">
            {of.changeRequest !== undefined && (
              <bdi>
                {of.changeRequest.subject === '' ? t('changeRequest.untitled') : of.changeRequest.subject}{' '}
                <span className="numbers">#{of.changeRequest.number}</span>
              </bdi>
            )}
            <bdi>{of.space.title === '' ? t('space.untitled') : of.space.title}</bdi>
            <Time value={of.createdAt} />
          </span>
        </span>
      </Link>
      <IconButton
        label={t(isUnread ? 'inbox.markRead' : 'inbox.markUnread')}
        isPending={isPending}
        onPress={() => mutate(isUnread)}
      >
        {isUnread ? <Check size={16} aria-hidden /> : <Undo size={16} aria-hidden />}
      </IconButton>
    </div>
  )
}
