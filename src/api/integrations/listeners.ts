// What integrations listen to: events, which their installations are told of; and spaces that were chosen for
// installations and go to another organization, which these lose.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
// What is listened to is declared there.
import type {} from '../git-sync/telling.ts'
import type {} from '../moves/transfer.ts'
import { tellInstallations } from './telling.ts'

export function listenAsIntegrations(events: Events): void {
  events.whenPlaced(tellInstallations)
  events.within('space.leaving', (trx, { spaceId }) => removeChosenSpaces(trx, spaceId ? [spaceId] : []))
  events.within('collection.leaving', (trx, { payload }) => removeChosenSpaces(trx, payload.spaces))
}

const removeChosenSpaces = async (trx: Trx, spaceIds: readonly string[]): Promise<void> => {
  await trx
    .deleteFrom('installation_spaces')
    .where(sql<boolean>`space_id = any(${[...spaceIds]}::text[])`)
    .execute()
}
