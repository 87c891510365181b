// The keys that Octavo signs its requests to identity providers with, stored with the settings: one that signs, and after
// a rotation the next one, which is in the metadata before it signs, so that providers know it by then.
import { now } from '../../../base/clock.ts'
import { conflict } from '../../../base/errors.ts'
import type { Services } from '../../../http/context.ts'
import { insertSetting, lockSetting, readSetting, updateSetting } from '../../../platform/db/settings.ts'
import { makeSigningKey, type SigningKey } from './signing-key.ts'

type KeyServices = Pick<Services, 'db' | 'transaction'>

const SETTING = 'saml_signing_key'
const DAY_MS = 86_400_000

type Stored = SigningKey & { readonly next?: SigningKey & { readonly signsFrom: string } }

export type ServiceKeys = {
  readonly signing: SigningKey
  /** Those of the metadata, the one that signs first. */
  readonly certificates: readonly string[]
}

/** The first process that asks makes the first key. */
export async function readServiceKeys(services: KeyServices): Promise<ServiceKeys> {
  const { signing, next } = current(await readSetting<Stored>(services, SETTING, makeSigningKey))
  return {
    signing,
    certificates: [signing.certificate, ...(next === undefined ? [] : [next.certificate])],
  }
}

function current({ next, ...first }: Stored): { signing: SigningKey; next: Stored['next'] } {
  return next !== undefined && hasBegun(next) ? { signing: next, next: undefined } : { signing: first, next }
}

const hasBegun = ({ signsFrom }: { readonly signsFrom: string }) => new Date(signsFrom) <= now()

/**
 * A new key is in the metadata at once, and signs after so many days. Returns when it signs.
 *
 * @throws {Failure} conflict `saml_key_pending`: the key of an earlier rotation does not sign yet.
 */
export const rotateServiceKey = ({ transaction }: KeyServices, overlapDays: number): Promise<Date> =>
  transaction(async trx => {
    const stored = await lockSetting<Stored>(trx, SETTING)
    const signsFrom = new Date(now().getTime() + overlapDays * DAY_MS)
    const { signing, next } = current(stored ?? makeSigningKey())
    if (next !== undefined)
      throw conflict(
        'saml_key_pending',
        `The key of the last rotation signs from ${next.signsFrom}. Wait until then; --now makes another one that signs at once.`,
      )
    const { privateKey, certificate } = signing
    const rotated: Stored = {
      ...{ privateKey, certificate },
      next: { ...makeSigningKey(), signsFrom: signsFrom.toISOString() },
    }
    await insertSetting(trx, SETTING, rotated)
    await updateSetting(trx, SETTING, rotated)
    return signsFrom
  })

/** A new key signs at once, and it alone is in the metadata. */
export const replaceServiceKey = ({ transaction }: KeyServices): Promise<Date> =>
  transaction(async trx => {
    const made: Stored = makeSigningKey()
    await insertSetting(trx, SETTING, made)
    await updateSetting(trx, SETTING, made)
    return now()
  })
