// The wire of notifications, of what people watch, and of what they want to be told.
import { type Static, Type } from 'typebox'
import { ListOf, model, OneOf, PageOf, Timestamp } from '../../http/list.ts'
import { MAIL_LANGUAGES } from '../accounts/mail-language.ts'
import { User } from '../accounts/schema.ts'

export const NOTIFICATION_KINDS = [
  'mention',
  'review-requested',
  'review-given',
  'comment',
  'merged',
  'conflict',
  'import-failed',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export const Notification = model('Notification', {
  object: OneOf(['notification']),
  id: Type.String(),
  kind: OneOf(
    NOTIFICATION_KINDS,
    '`mention`: a comment names you. `review-requested`: you or a team of yours. `review-given`: on your change request. `comment`: on what is yours, or what you watch or take part in. `merged`: what you proposed, reviewed or watch. `conflict`: your change request has conflicts. `import-failed`: you started it, or watch the space that you administer.',
  ),
  actor: Type.Optional(User),
  organization: Type.String(),
  space: Type.Object({ id: Type.String(), title: Type.String() }),
  changeRequest: Type.Optional(
    Type.Object({ id: Type.String(), number: Type.Integer(), subject: Type.String() }),
  ),
  comment: Type.Optional(Type.String()),
  page: Type.Optional(Type.String()),
  createdAt: Timestamp,
  readAt: Type.Optional(Timestamp),
})
export type Notification = Static<typeof Notification>

export const Notifications = ListOf(Notification)

export const ListNotifications = PageOf({
  kind: Type.Optional(Type.Array(OneOf(NOTIFICATION_KINDS), { maxItems: NOTIFICATION_KINDS.length })),
  unread: Type.Optional(Type.Boolean({ description: 'Only those that are unread, or only the others.' })),
})
export type ListNotifications = Static<typeof ListNotifications>

export const MarkNotification = Type.Object({
  read: Type.Optional(Type.Boolean({ description: 'True when absent.' })),
})
export type MarkNotification = Static<typeof MarkNotification>

export const MarkNotifications = Type.Object({
  read: Type.Literal(true),
  until: Type.Optional(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'The `createdAt` of the newest that you have seen: later ones stay unread.',
    }),
  ),
})
export type MarkNotifications = Static<typeof MarkNotifications>

const ways = { app: Type.Boolean(), mail: Type.Boolean() }

const eachKind = <const T>(value: T) =>
  Object.fromEntries(NOTIFICATION_KINDS.map(kind => [kind, value])) as Record<NotificationKind, T>

export const NotificationSettings = model('NotificationSettings', {
  object: OneOf(['notification-settings']),
  mail: Type.Boolean({ description: 'Whether this server sends mail.' }),
  language: OneOf(MAIL_LANGUAGES, 'Of mails.'),
  kinds: Type.Object(eachKind(Type.Object(ways))),
})
export type NotificationSettings = Static<typeof NotificationSettings>

export const ChangeNotificationSettings = model('ChangeNotificationSettings', {
  language: Type.Optional(OneOf(MAIL_LANGUAGES, 'Of mails.')),
  kinds: Type.Optional(Type.Partial(Type.Object(eachKind(Type.Partial(Type.Object(ways)))))),
})
export type ChangeNotificationSettings = Static<typeof ChangeNotificationSettings>

export const Watched = model('Watched', {
  object: OneOf(['watched']),
  space: Type.Boolean({ description: 'Whether you watch all of the space.' }),
  pages: Type.Array(Type.String()),
  changeRequests: Type.Array(Type.String()),
})
export type Watched = Static<typeof Watched>

export const WatchedThing = model('WatchedThing', {
  object: OneOf(['watched-thing']),
  id: Type.String(),
  organization: Type.String(),
  space: Type.Object({ id: Type.String(), title: Type.String() }),
  page: Type.Optional(
    Type.Object({
      id: Type.String(),
      title: Type.Optional(
        Type.String({ description: 'Absent where readers of the space see no such page.' }),
      ),
    }),
  ),
  changeRequest: Type.Optional(
    Type.Object({ id: Type.String(), number: Type.Integer(), subject: Type.String() }),
  ),
  watchedAt: Timestamp,
})
export type WatchedThing = Static<typeof WatchedThing>
export const WatchedThings = ListOf(WatchedThing)
export const ListWatched = PageOf({})
