// Rotating the key of the installation. What is encrypted with it is encrypted anew in the same transaction; what it
// signed, and what derives from it, is out in the world and is verified for a while, or ends at once.
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { insertKey, lockKeys, type SigningKeys, wasRotatedWithin } from '../../platform/keys/signing-keys.ts'
import { resealVersions } from '../integrations/reseal.ts'
import { resealTotp } from '../sessions/reseal.ts'
import { resealSyncs } from '../syncs/reseal.ts'
import { resealWebhooks } from '../webhooks/reseal.ts'

type KeyServices = Pick<Services, 'transaction'>

/** Until a key that was rotated retires. Device cookies last longer than all that expires by itself but them: 180 days. */
export const OVERLAP_DAYS = 180
const DAY_MS = 86_400_000

export type Rotation = {
  /** When what the keys before it signed ends. */
  readonly endsAt: Date
  /** Secrets that were encrypted anew. */
  readonly resealed: number
}

/** A new key signs. `overlapDays`: 0 ends at once what the keys before it signed. */
export const rotateKeys = ({ transaction }: KeyServices, overlapDays: number): Promise<Rotation> =>
  transaction(async trx => {
    await lockKeys(trx)
    const endsAt = new Date(now().getTime() + overlapDays * DAY_MS)
    await insertKey(trx, endsAt)
    return { endsAt, resealed: await reseal(trx, await lockKeys(trx)) }
  })

/** How long another process may take to hear of a rotation; it encrypts with the key before until then. */
const HEARD_HOURS = 24

/** Encrypts once more what a process that had not heard of the rotation encrypted. */
export const resealLate = ({ transaction }: KeyServices): Promise<void> =>
  transaction(async trx => {
    if (await wasRotatedWithin(trx, HEARD_HOURS)) await reseal(trx, await lockKeys(trx))
  })

async function reseal(trx: Trx, keys: SigningKeys): Promise<number> {
  return (
    (await resealTotp(trx, keys)) +
    (await resealVersions(trx, keys)) +
    (await resealSyncs(trx, keys)) +
    (await resealWebhooks(trx, keys))
  )
}
