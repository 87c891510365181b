// Invitations to a space or collection end when it is transferred to another organization.
import { sql } from 'kysely'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'
// Declares the events.

export function listenAsInvitations(events: Events): void {
  events.within('space.leaving', (trx, { spaceId }) => removeInvitesTo(trx, spaceId ? [spaceId] : []))
  events.within('collection.leaving', (trx, { payload }) =>
    removeInvitesTo(trx, [...payload.collections, ...payload.spaces]),
  )
}

const removeInvitesTo = async (trx: Trx, things: readonly string[]): Promise<void> => {
  await trx
    .deleteFrom('link_invites')
    .where(
      sql<boolean>`(space_id = any(${[...things]}::text[]) or collection_id = any(${[...things]}::text[]))`,
    )
    .execute()
}
