// `octavo keys`: new keys sign what this installation makes, and its requests to identity providers.
import { OVERLAP_DAYS, type Rotation, replaceKeys, rotateKeys } from '../api/keys/rotate.ts'
import { replaceServiceKey, rotateServiceKey } from '../api/sso/saml/service-keys.ts'
import { invalid } from '../base/errors.ts'
import type { Services } from '../http/context.ts'

export type RotateOptions = {
  /** Ends at once what the keys before it signed. */
  readonly isNow: boolean
  /** How many days it still counts; absent: a default. */
  readonly overlap?: string
}

export type RotateResult = {
  /** ISO 8601. */
  readonly endsAt: string
  readonly resealed: number
  readonly codes: number
}

export type RotateSamlResult = {
  /** ISO 8601. */
  readonly signsFrom: string
}

const DAYS_MAX = 3650
/** Providers that read the metadata by its address do so once a day or so; others are changed by somebody. */
const SAML_OVERLAP_DAYS = 30

/** @throws {Failure} invalid `overlap_invalid`. */
export async function rotate(services: Services, options: RotateOptions): Promise<RotateResult> {
  const days = readOverlap(options, OVERLAP_DAYS)
  const { endsAt, ...counts }: Rotation =
    days === undefined ? await replaceKeys(services) : await rotateKeys(services, days)
  services.log.info({ endsAt, ...counts }, 'the signing key was rotated')
  return { endsAt: endsAt.toISOString(), ...counts }
}

/** @throws {Failure} invalid `overlap_invalid`; conflict `saml_key_pending`. */
export async function rotateSaml(services: Services, options: RotateOptions): Promise<RotateSamlResult> {
  const days = readOverlap(options, SAML_OVERLAP_DAYS)
  const signsFrom =
    days === undefined ? await replaceServiceKey(services) : await rotateServiceKey(services, days)
  services.log.info({ signsFrom }, 'the key for identity providers was rotated')
  return { signsFrom: signsFrom.toISOString() }
}

/** Days; undefined: none. */
function readOverlap({ isNow, overlap }: RotateOptions, absent: number): number | undefined {
  if (isNow && overlap !== undefined)
    throw invalid('overlap_invalid', '--now leaves no overlap: leave out one of --now and --overlap.')
  if (isNow) return undefined
  return overlap === undefined ? absent : readDays(overlap)
}

function readDays(text: string): number {
  const days = /^\d{1,4}d?$/.test(text) ? Number.parseInt(text, 10) : 0
  if (days >= 1 && days <= DAYS_MAX) return days
  throw invalid('overlap_invalid', `--overlap: write days from 1 to ${DAYS_MAX}, such as 30d.`)
}
