// Rotating the key of the installation. What is encrypted with it is encrypted anew in the same transaction; what it
// signed, and what derives from it, is out in the world and is verified for a while, or ends at once.
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import {
  insertKey,
  listRetired,
  lockKeys,
  removeKeys,
  retireKeys,
  revokeKeys,
  type SigningKeys,
  wasRotatedSince,
} from '../../platform/keys/signing-keys.ts'
import { resealVersions } from '../integrations/reseal.ts'
import { findKeysOfCodes, removeAllCodes } from '../sessions/recovery-codes.ts'
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
  /** Recovery codes that ended, and had not been used. */
  readonly codes: number
}

/** A new key signs, and those before it verify for a while. */
export const rotateKeys = ({ transaction }: KeyServices, overlapDays: number): Promise<Rotation> =>
  transaction(async trx => {
    await lockKeys(trx)
    const endsAt = new Date(now().getTime() + overlapDays * DAY_MS)
    await retireKeys(trx, endsAt)
    await insertKey(trx)
    return { endsAt, resealed: await reseal(trx, await lockKeys(trx)), codes: 0 }
  })

/** A new key signs, and all that those before it signed, or that derives from them, ends: others have got hold of one. */
export const replaceKeys = ({ transaction }: KeyServices): Promise<Rotation> =>
  transaction(async trx => {
    await lockKeys(trx)
    await revokeKeys(trx)
    const codes = await removeAllCodes(trx)
    await insertKey(trx)
    return { endsAt: now(), resealed: await reseal(trx, await lockKeys(trx)), codes }
  })

/** How long another process may take to hear of a rotation; it encrypts with the key before until then. */
const HEARD_HOURS = 24

/**
 * Encrypts once more what a process that had not heard of a rotation encrypted, and removes the keys that retired and
 * of which nothing is left.
 */
export const finishRotations = ({ transaction }: KeyServices): Promise<void> =>
  transaction(async trx => {
    const heardBefore = new Date(now().getTime() - HEARD_HOURS * 3_600_000)
    const retired = await listRetired(trx, heardBefore)
    if (retired.length === 0 && !(await wasRotatedSince(trx, heardBefore))) return
    await reseal(trx, await lockKeys(trx))
    const used = await findKeysOfCodes(
      trx,
      retired.map(({ id }) => id),
    )
    const done = retired.filter(({ id, revoked }) => revoked || !used.has(id))
    if (done.length > 0)
      await removeKeys(
        trx,
        done.map(({ id }) => id),
      )
  })

async function reseal(trx: Trx, keys: SigningKeys): Promise<number> {
  return (
    (await resealTotp(trx, keys)) +
    (await resealVersions(trx, keys)) +
    (await resealSyncs(trx, keys)) +
    (await resealWebhooks(trx, keys))
  )
}
