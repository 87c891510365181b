import type { Urls } from '../../http/urls.ts'
import { toUser } from '../accounts/wire.ts'
import type { NotificationRow } from './rows.ts'
import type { Notification } from './schema.ts'

export const toNotification = (urls: Urls, row: NotificationRow): Notification => ({
  object: 'notification',
  id: row.id,
  kind: row.kind,
  ...(row.actor === null ? {} : { actor: toUser(urls, row.actor) }),
  organization: row.organization_id,
  space: { id: row.space_id, title: row.space_title },
  ...(row.change_request_id === null || row.number === null
    ? {}
    : { changeRequest: { id: row.change_request_id, number: row.number, subject: row.subject ?? '' } }),
  ...(row.comment_id === null ? {} : { comment: row.comment_id }),
  ...(row.page_id === null ? {} : { page: row.page_id }),
  createdAt: row.created_at.toISOString(),
  ...(row.read_at === null ? {} : { readAt: row.read_at.toISOString() }),
})
