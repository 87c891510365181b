// What becomes of the installations that a space was chosen for when it goes to another organization: they lose it.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/open.ts'
import type { Events } from '../../platform/events/append.ts'
// What is listened to is declared there.
import type {} from '../moves/transfer.ts'

export function listenAsIntegrations(events: Events): void {
  events.within('space.leaving', (trx, { spaceId }) => removeChosenSpaces(trx, spaceId ? [spaceId] : []))
  events.within('collection.leaving', (trx, { payload }) => removeChosenSpaces(trx, payload.spaces))
}

const removeChosenSpaces = async (trx: Trx, spaceIds: readonly string[]): Promise<void> => {
  await trx
    .deleteFrom('installation_spaces')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .execute()
}
