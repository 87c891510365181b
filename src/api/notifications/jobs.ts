import type { Services } from '../../http/context.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { MAIL_NOTIFICATIONS, mailNotifications } from './mails.ts'
import { WRITE_NOTIFICATIONS, writeNotifications } from './writing.ts'

// Each waits for the mail server.
const MAILS = { atOnceMax: 4, ofOrganizationMax: 2 }

export const notificationJobs = (services: Services): JobHandler[] => [
  handle(WRITE_NOTIFICATIONS, ({ organization }, { signal }) =>
    writeNotifications(services, organization, signal),
  ),
  handle(MAIL_NOTIFICATIONS, ({ user }) => mailNotifications(services, user), { waits: MAILS }),
]
