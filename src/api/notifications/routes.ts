// Notifications of the caller, and what they want to be told.
import { Type } from 'typebox'
import { personOf } from '../../access/roles.ts'
import { orMissing } from '../../base/errors.ts'
import { Id, toList } from '../../http/list.ts'
import { callerOperation } from '../../http/operation.ts'
import { findNotification, listNotifications, markAllRead, markRead } from './rows.ts'
import {
  ChangeNotificationSettings,
  ListNotifications,
  MarkNotification,
  MarkNotifications,
  Notification,
  NotificationSettings,
  Notifications,
} from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'
import { toNotification } from './wire.ts'

const reading = { tag: 'Notifications', scope: 'user:read' } as const
const writing = { tag: 'Notifications', scope: 'user:write' } as const

export const notificationOperations = [
  callerOperation({
    ...reading,
    id: 'listNotifications',
    method: 'GET',
    path: '/user/notifications',
    summary: 'List your notifications',
    description:
      'Newest first: at most 1,000, of the last 90 days. What you may no longer see is left out. Octavo extension.',
    query: ListNotifications,
    reply: Notifications,
    run: async ({ context, query }) =>
      toList(
        await listNotifications(context.db, personOf(context.principal), query),
        toNotification,
        context.urls,
      ),
  }),
  callerOperation({
    ...writing,
    id: 'markNotifications',
    method: 'PATCH',
    path: '/user/notifications',
    summary: 'Mark all notifications as read',
    description: 'Those that came after `until` stay unread. Octavo extension.',
    body: MarkNotifications,
    run: async ({ context, body: { until } }) => {
      const person = personOf(context.principal)
      await context.transaction(trx =>
        markAllRead(trx, person, until === undefined ? undefined : new Date(until)),
      )
    },
  }),
  callerOperation({
    ...writing,
    id: 'markNotification',
    method: 'PATCH',
    path: '/user/notifications/{notificationId}',
    params: Type.Object({ notificationId: Id('A notification of yours.') }),
    summary: 'Mark a notification as read or unread',
    description: 'Octavo extension.',
    body: MarkNotification,
    isBodyOptional: true,
    reply: Notification,
    run: async ({ context, params: { notificationId }, body }) => {
      const find = async () =>
        orMissing(
          await findNotification(context.db, personOf(context.principal), notificationId),
          'notification',
        )
      const { id } = await find()
      await context.transaction(trx => markRead(trx, id, body.read ?? true))
      return toNotification(context.urls, await find())
    },
  }),
  callerOperation({
    ...reading,
    id: 'getNotificationSettings',
    method: 'GET',
    path: '/user/notification-settings',
    summary: 'Get what you are told of, and how',
    description: 'Octavo extension.',
    reply: NotificationSettings,
    run: ({ context }) => readSettings(context),
  }),
  callerOperation({
    ...writing,
    id: 'changeNotificationSettings',
    method: 'PATCH',
    path: '/user/notification-settings',
    summary: 'Change what you are told of, and how',
    description: 'It counts for what happens from now on. Octavo extension.',
    body: ChangeNotificationSettings,
    reply: NotificationSettings,
    run: ({ context, body }) => changeSettings(context, body),
  }),
]
