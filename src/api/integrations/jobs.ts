// Scheduled work on integrations.
import type { Services } from '../../http/context.ts'
import { removeOldIntegrationEvents } from './event-rows.ts'

/** An event is removed when it is beyond either. */
export const EVENT_DAYS_KEPT = 30
export const EVENTS_KEPT_MAX = 10_000

export const removeOldEvents = ({ db }: Pick<Services, 'db'>): Promise<void> =>
  removeOldIntegrationEvents(db, EVENT_DAYS_KEPT, EVENTS_KEPT_MAX)
