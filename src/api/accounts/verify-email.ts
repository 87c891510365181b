// Email addresses that are verified to belong to their user.
import { now } from '../../base/clock.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/append.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** A mailed link, the operator or an identity provider confirmed that the email address is theirs. */
    'user.verified': { user: string }
  }
}

/** Marks the user's address as verified. Idempotent: does nothing if it already is. */
export async function verifyEmail(trx: Trx, events: Events, userId: string): Promise<void> {
  const verified = await trx
    .updateTable('users')
    .set({ email_verified_at: now() })
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (verified !== undefined)
    await events.append(trx, { type: 'user.verified', actorId: userId, payload: { user: userId } })
}
