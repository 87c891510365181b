// Reactions of members to events of organizations.
import { assert } from '../../base/assert.ts'
import type { Events } from '../../platform/events/append.ts'
import { insertMember } from './rows.ts'

/** The creator of an organization becomes its first admin in the same transaction: it never has none. */
export function listenAsMembers(events: Events): void {
  events.within('organization.created', async (trx, event) => {
    assert(event.organizationId && event.actorId, 'an organization is created by somebody')
    await insertMember(trx, { organization_id: event.organizationId, user_id: event.actorId, role: 'admin' })
  })
}
