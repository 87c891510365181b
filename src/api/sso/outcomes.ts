// How the last sign-ins with an identity provider ended, for the admins who set it up. Anybody can send an answer that is
// refused, so what is written is bounded: a success once a minute, a failure once in ten seconds for each reason.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { replaceUnstorable } from '../../platform/db/text.ts'

const SUCCESS_SECONDS = 60
const FAILURE_SECONDS = 10
const REASON_CHARACTERS_MAX = 300
const REMEMBERED_MAX = 10_000

/** When this process last wrote, so that a flood costs no statements either. By services: a test has several. */
const written = new WeakMap<Services['changes'], LRUCache<string, number>>()

/** Whether it is time to write, for the key; from now on it is not. */
function isDue({ changes }: Pick<Services, 'changes'>, key: string, seconds: number): boolean {
  const times = written.get(changes) ?? new LRUCache<string, number>({ max: REMEMBERED_MAX })
  written.set(changes, times)
  const before = times.get(key)
  if (before !== undefined && monotonicMs() - before < seconds * 1000) return false
  times.set(key, monotonicMs())
  return true
}

type Able = Pick<Services, 'db' | 'changes' | 'log'>

/** Runs a step of a sign-in; if it refuses, the provider has the reason. Errors that are no refusals are not its. */
export async function recordingFailure<T>(
  services: Able,
  providerOf: () => string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const providerId = providerOf()
    if (providerId !== undefined && error instanceof Failure && error.kind === 'forbidden')
      await recordFailure(services, providerId, error).catch(cause =>
        services.log.warn({ err: cause }, 'why somebody was not signed in could not be recorded'),
      )
    throw error
  }
}

async function recordFailure(services: Able, providerId: string, { code, message }: Failure): Promise<void> {
  if (!isDue(services, `${providerId} ${code}`, FAILURE_SECONDS)) return
  const kept = code === 'saml_status' ? toStatus(message) : withoutAddresses(replaceUnstorable(message))
  const reason = kept.slice(0, REASON_CHARACTERS_MAX)
  await services.db
    .updateTable('saml_providers')
    .set({ last_failed_at: sql<Date>`now()`, last_failure_code: code, last_failure_reason: reason })
    .where('id', '=', providerId)
    .where(({ or, eb }) =>
      or([
        eb('last_failed_at', 'is', null),
        eb('last_failed_at', '<', secondsAgo(FAILURE_SECONDS)),
        eb('last_failure_code', '<>', code),
      ]),
    )
    .execute()
}

// Of a status (SAML core §3.2.2.2), and of the errors of Entra ID.
const STATUS_CODES =
  /\b(?:AADSTS\d{1,9}|Responder|Requester|VersionMismatch|AuthnFailed|InvalidAttrNameOrValue|InvalidNameIDPolicy|NoAuthnContext|NoAvailableIDP|NoPassive|NoSupportedIDP|RequestDenied|RequestUnsupported|UnknownPrincipal|UnsupportedBinding)\b/g

/** The provider's own words may name the person, so only its codes are kept. */
function toStatus(message: string): string {
  const codes = [...new Set(message.match(STATUS_CODES))]
  return `The identity provider did not let somebody in${codes.length === 0 ? '' : `: ${codes.join(', ')}`}. Its log says whom, and why.`
}

/** Whose sign-in it was is for the log: what is kept here is about the provider. */
const withoutAddresses = (text: string): string =>
  text
    .split(' ')
    .map(word => (word.includes('@') ? '…' : word))
    .join(' ')

export async function recordSuccess(services: Able, providerId: string): Promise<void> {
  if (!isDue(services, providerId, SUCCESS_SECONDS)) return
  await updateSuccess(services.db, providerId).catch(cause =>
    services.log.warn({ err: cause }, 'that somebody was signed in could not be recorded'),
  )
}

const updateSuccess = (db: Db, providerId: string) =>
  db
    .updateTable('saml_providers')
    .set({ last_signed_in_at: sql<Date>`now()` })
    .where('id', '=', providerId)
    .where(({ or, eb }) =>
      or([eb('last_signed_in_at', 'is', null), eb('last_signed_in_at', '<', secondsAgo(SUCCESS_SECONDS))]),
    )
    .execute()

const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`
