// Reactions of SCIM to events of accounts.
import type { Events } from '../../platform/events/append.ts'
import { removeFormerRecordsOf } from './user-rows.ts'

/** Who is given the address of a released account may have another id in the directory. */
export function listenAsScim(events: Events): void {
  events.within('user.unbound', async (trx, { payload }) => {
    await removeFormerRecordsOf(trx, payload.user)
  })
}
