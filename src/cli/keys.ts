// `octavo keys rotate`: a new key signs what this installation makes.
import { OVERLAP_DAYS, rotateKeys } from '../api/keys/rotate.ts'
import { invalid } from '../base/errors.ts'
import type { Services } from '../http/context.ts'

export type RotateOptions = {
  /** Ends at once what the keys before it signed. */
  readonly isNow: boolean
  /** How many days it still counts; absent: OVERLAP_DAYS. */
  readonly overlap?: string
}

export type RotateResult = {
  /** ISO 8601. */
  readonly endsAt: string
  readonly resealed: number
}

const DAYS_MAX = 3650

/** @throws {Failure} invalid `overlap_invalid`. */
export async function rotate(services: Services, { isNow, overlap }: RotateOptions): Promise<RotateResult> {
  if (isNow && overlap !== undefined)
    throw invalid('overlap_invalid', '--now leaves no overlap: leave out one of --now and --overlap.')
  const days = isNow ? 0 : overlap === undefined ? OVERLAP_DAYS : readDays(overlap)
  const { endsAt, resealed } = await rotateKeys(services, days)
  services.log.info({ endsAt, resealed }, 'the signing key was rotated')
  return { endsAt: endsAt.toISOString(), resealed }
}

function readDays(text: string): number {
  const days = /^\d{1,4}d?$/.test(text) ? Number.parseInt(text, 10) : 0
  if (days >= 1 && days <= DAYS_MAX) return days
  throw invalid('overlap_invalid', `--overlap: write days from 1 to ${DAYS_MAX}, such as 30d.`)
}
