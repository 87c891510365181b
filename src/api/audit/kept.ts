// How long something is kept, and so how far back the audit shows it.
import { now } from '../../base/clock.ts'

const DAY_MS = 86_400_000

/** From when on it is kept: the shorter of what the organization and the operator have set; undefined: for ever. */
export function keptSince(ofOrganization: number | null, ofOperator: number | undefined): Date | undefined {
  const days = Math.min(ofOrganization ?? Number.POSITIVE_INFINITY, ofOperator ?? Number.POSITIVE_INFINITY)
  return Number.isFinite(days) ? new Date(now().getTime() - days * DAY_MS) : undefined
}
