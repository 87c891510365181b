// What the person is told of, newest first. Only the rows in sight are in the document; more are read by scrolling.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import CheckCheck from 'lucide-react/icons/check-check'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Link, useSearchParams } from 'wouter'
import { markAllNotifications, type Notification, notificationsOf } from '../../data/notifications.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { LinkRows } from '../../parts/link-rows.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { sayFailure } from '../../parts/toasts.tsx'
import { NotificationRow, sayNotification } from './row.tsx'

const FILTERS = ['unread', 'all'] as const

export function Inbox() {
  const [params, setParams] = useSearchParams()
  const filter = FILTERS.find(one => one === params.get('filter')) ?? 'unread'
  const query = useInfiniteQuery(notificationsOf(filter))
  const newest = query.data?.pages[0]?.items[0]
  return (
    <Screen title={t('notifications.title')}>
      <div className="list-bar">
        <ToggleButtonGroup
          className="filters"
          aria-label={t('inbox.filters')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[filter]}
          onSelectionChange={([key]) => setParams(key === 'all' ? { filter: 'all' } : {})}
        >
          {FILTERS.map(one => (
            <ToggleButton key={one} id={one} className="filter">
              {t(`inbox.filter.${one}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <div className="row">
          <MarkAll upTo={newest} />
          <Link href="/w/me/notifications">{t('inbox.settings')}</Link>
        </div>
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const items = pages.flatMap(page => page.items)
          return items.length === 0 ? (
            <Empty text={t(`inbox.empty.${filter}`)} />
          ) : (
            <LinkRows label={t('notifications.title')} {...{ query, items }} nameOf={sayNotification}>
              {one => <NotificationRow of={one} />}
            </LinkRows>
          )
        }}
      </Loaded>
    </Screen>
  )
}

function MarkAll({ upTo }: { readonly upTo: Notification | undefined }) {
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (newest: Notification) => markAllNotifications(cache, newest),
    onError: sayFailure,
  })
  if (upTo === undefined) return null
  return (
    <Button isPending={isPending} onPress={() => mutate(upTo)}>
      <CheckCheck size={16} aria-hidden />
      {t('inbox.markAll')}
    </Button>
  )
}
