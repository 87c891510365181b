// What integrations listen to: all events, which are converted for installations; and spaces that leave their
// organization, which installations of that organization lose.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
// These events are declared there.

import { convertPlacedEvents } from './integration-events.ts'

export function listenAsIntegrations(events: Events): void {
  events.whenPositioned(convertPlacedEvents)
  events.within('space.leaving', (trx, { spaceId }) =>
    removeInstallationSpaces(trx, spaceId ? [spaceId] : []),
  )
  events.within('collection.leaving', (trx, { payload }) => removeInstallationSpaces(trx, payload.spaces))
}

const removeInstallationSpaces = async (trx: Trx, spaceIds: readonly string[]): Promise<void> => {
  await trx
    .deleteFrom('installation_spaces')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .execute()
}
