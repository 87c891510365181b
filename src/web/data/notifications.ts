// What the person is told of.
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Model } from './client.ts'
import { pageAddress, spaceAddress } from './pages.ts'

export type Notification = Model<'Notification'>
export type NotificationSettings = Model<'NotificationSettings'>
export type NotificationKind = Notification['kind']

const PAGE_ITEMS = 50
/** On Home, as many as are seen at once. */
const WAITING_ITEMS = 5

/** How many are unread. */
export const unreadCount = queryOptions({
  queryKey: ['notifications', 'count'],
  queryFn: async ({ signal }) => {
    const query = { unread: true, limit: 0 }
    const { count } = await dataOf(api.GET('/user/notifications', { params: { query }, signal }))
    return count
  },
})

/** Unread mentions and conflicts, the newest of them. */
export const waitingNotifications = queryOptions({
  queryKey: ['notifications', 'waiting'],
  queryFn: ({ signal }) =>
    dataOf(
      api.GET('/user/notifications', {
        params: { query: { unread: true, kind: ['mention', 'conflict'], limit: WAITING_ITEMS } },
        signal,
      }),
    ),
})

export const notificationsOf = (filter: 'unread' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list', filter],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/user/notifications', {
          params: {
            query: { ...(filter === 'unread' ? { unread: true } : {}), limit: PAGE_ITEMS, page: pageParam },
          },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

const readAgain = (cache: QueryClient) => cache.invalidateQueries({ queryKey: ['notifications'] })

export async function markNotification(cache: QueryClient, notificationId: string, read: boolean) {
  await dataOf(
    api.PATCH('/user/notifications/{notificationId}', {
      params: { path: { notificationId } },
      body: { read },
    }),
  )
  await readAgain(cache)
}

/** Those that were seen: up to the newest of them. */
export async function markAllNotifications(cache: QueryClient, { createdAt }: Notification) {
  await dataOf(api.PATCH('/user/notifications', { body: { read: true, until: createdAt } }))
  await readAgain(cache)
}

/** The place that a notification is about. */
export function placeOfNotification({ kind, space, changeRequest, page }: Notification): string {
  if (changeRequest !== undefined) {
    const address = `${spaceAddress(space.id)}/c/${changeRequest.number}`
    return kind === 'conflict' ? `${address}/conflicts` : address
  }
  if (kind === 'import-failed') return `${spaceAddress(space.id)}/git`
  return page === undefined ? spaceAddress(space.id) : pageAddress(space.id, page)
}

export const notificationSettings = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => dataOf(api.GET('/user/notification-settings', { signal })),
})

export const changeNotificationSettings = (
  body: Model<'ChangeNotificationSettings'>,
): Promise<NotificationSettings> => dataOf(api.PATCH('/user/notification-settings', { body }))
