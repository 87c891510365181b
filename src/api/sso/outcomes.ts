// How the last sign-ins with an identity provider ended, for the admins of organizations. Anybody can send an answer that is
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

/** The row of a provider: of an organization, or that of the installation, which has one once somebody has used it. */
export type OutcomesOf =
  | { readonly table: 'saml_providers'; readonly key: 'id'; readonly id: string }
  | { readonly table: 'openid_providers'; readonly key: 'issuer'; readonly id: string }

export const outcomesOfSaml = (id: string): OutcomesOf => ({ table: 'saml_providers', key: 'id', id })

type Able = Pick<Services, 'db' | 'changes' | 'log'>

/** Runs a step of a sign-in; if it refuses, the provider has the reason. Errors that are no refusals are not its. */
export async function recordingFailure<T>(
  services: Able,
  providerOf: () => OutcomesOf | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const provider = providerOf()
    if (provider !== undefined && error instanceof Failure && isOfProvider(error))
      await recordFailure(services, provider, error).catch(cause =>
        services.log.warn({ err: cause }, 'why somebody was not signed in could not be recorded'),
      )
    throw error
  }
}

const isOfProvider = ({ kind, code }: Failure): boolean => kind === 'forbidden' || code === 'oidc_unavailable'

async function recordFailure(services: Able, provider: OutcomesOf, failure: Failure): Promise<void> {
  const { code } = failure
  if (!isDue(services, `${provider.id} ${code}`, FAILURE_SECONDS)) return
  // The next success is newer than this failure, and has to be seen to be.
  written.get(services.changes)?.delete(provider.id)
  await ensureRow(services.db, provider)
  await sql`update ${sql.table(provider.table)} set
      last_failed_at = now(), last_failure_code = ${code}, last_failure_reason = ${toReason(failure)}
    where ${sql.ref(provider.key)} = ${provider.id}
      and (last_failed_at is null or last_failed_at < ${secondsAgo(FAILURE_SECONDS)}
        or last_failure_code <> ${code})`.execute(services.db)
}

/** Nobody sets up the provider of the installation in the database, so its row is written when it is first needed. */
async function ensureRow(db: Db, { table, id }: OutcomesOf): Promise<void> {
  if (table === 'openid_providers')
    await db
      .insertInto(table)
      .values({ issuer: id })
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

/** What the person was told, without what may name them. */
function toReason({ code, message }: Failure): string {
  if (code === 'saml_status' || code === 'oidc_refused') return toStatus(message)
  if (code === 'user_unknown') return USER_UNKNOWN
  return withoutAddresses(replaceUnstorable(message)).slice(0, REASON_CHARACTERS_MAX)
}

// The person is told their mail domain, which may be a family's.
const USER_UNKNOWN =
  'Nobody here has the email address that the provider said, and no organization accepts everybody of its domain. The person has to be invited.'

// Of a status (SAML core §3.2.2.2), of an error (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6), and of Entra ID.
const STATUS_CODES =
  /\b(?:AADSTS\d{1,9}|Responder|Requester|VersionMismatch|AuthnFailed|InvalidAttrNameOrValue|InvalidNameIDPolicy|NoAuthnContext|NoAvailableIDP|NoPassive|NoSupportedIDP|RequestDenied|RequestUnsupported|UnknownPrincipal|UnsupportedBinding|access_denied|account_selection_required|consent_required|interaction_required|invalid_request|invalid_scope|login_required|server_error|temporarily_unavailable|unauthorized_client|unsupported_response_type)\b/g

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

export async function recordSuccess(services: Able, provider: OutcomesOf): Promise<void> {
  if (!isDue(services, provider.id, SUCCESS_SECONDS)) return
  await updateSuccess(services.db, provider).catch(cause =>
    services.log.warn({ err: cause }, 'that somebody was signed in could not be recorded'),
  )
}

async function updateSuccess(db: Db, provider: OutcomesOf): Promise<void> {
  await ensureRow(db, provider)
  await sql`update ${sql.table(provider.table)} set last_signed_in_at = now()
    where ${sql.ref(provider.key)} = ${provider.id}
      and (last_signed_in_at is null or last_signed_in_at <= last_failed_at
        or last_signed_in_at < ${secondsAgo(SUCCESS_SECONDS)})`.execute(db)
}

const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`
