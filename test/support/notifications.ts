// Notifications of the people of a world, once everything that happened was told.
import { setTimeout as sleep } from 'node:timers/promises'
import { placeEvents } from '../../src/platform/events/positions.ts'
import type { PersonName, World } from './world.ts'

/** Waits until everybody was told of everything. */
export async function allTold({ services, organizationId }: World): Promise<void> {
  await placeEvents(services)
  const waiting = () =>
    services.db
      .selectFrom('unnoticed_events')
      .select('position')
      .where('organization_id', '=', organizationId)
      .execute()
  while ((await waiting()).length > 0) await sleep(5)
}

/** Newest first. */
export async function notificationsOf(w: World, person: PersonName, query = '') {
  await allTold(w)
  const { body } = await w.call('GET', `/user/notifications${query}`, { as: person })
  return body.items
}

/** Kinds, newest first. */
export const kindsOf = async (w: World, person: PersonName): Promise<string[]> =>
  (await notificationsOf(w, person)).map(({ kind }: { kind: string }) => kind)

export const mentionOf = (w: World, person: PersonName): string =>
  `[@${person}](/users/${w.people[person].id})`
