// Signs in with an organization's identity provider, in three steps: the browser is redirected with a signed request
// (`beginSaml`), it posts the answer, which is checked and stored (`receiveSaml`), and it fetches its session
// (`finishSaml`). The answer is posted from another site, so the browser sends no cookie with it: only the third step
// can check that the browser is that of the first. An id from the second step proves that it is also the browser of the
// second; without it, an attacker could begin, let a victim answer, and fetch the victim's session.
import { newId } from '../../../base/ids.ts'
import type { Services } from '../../../http/context.ts'
import type { Trx } from '../../../platform/db/database.ts'
import { confirmAtProvider } from '../confirming.ts'
import { refuse, wrongBrowser } from '../identity.ts'
import { outcomesOfSaml, recordingFailure, recordSuccess } from '../outcomes.ts'
import { type Browser, provisionInOrganization } from '../provisioning.ts'
import {
  insertAnswered,
  insertRequest,
  recordAssertionUse,
  takeOpenRequest,
  takeRequest,
} from '../requests.ts'
import { findProvider, isActive, type ProviderRow } from '../rows.ts'
import { serviceOf } from '../wire.ts'
import { readSamlAnswer } from './answer.ts'
import { writeMetadata, writeRequest } from './dialogue.ts'
import { readServiceKeys } from './service-keys.ts'

/** XML ids begin with a letter. */
const newRequestId = (): string => `r${newId()}`
const ID_CHARACTERS_MAX = 128

/** Undefined if there is no such provider. It does not have to be active. */
export async function findMetadata(services: Services, providerId: string): Promise<string | undefined> {
  const provider = await findById(services, providerId)
  if (provider === undefined) return undefined
  return writeMetadata(serviceOf(services.urls, provider.id), await readServiceKeys(services))
}

export type Destination = { readonly label: string; readonly organization: string; readonly host: string }

/** Where `beginSaml` leads, for people to read; undefined if it leads nowhere. */
export async function findDestination(
  services: Services,
  providerId: string,
): Promise<Destination | undefined> {
  const provider = await findActive(services, providerId)
  if (provider === undefined) return undefined
  const { title } = await services.db
    .selectFrom('organizations')
    .select('title')
    .where('id', '=', provider.organization_id)
    .executeTakeFirstOrThrow()
  return { label: provider.label, organization: title, host: new URL(provider.sso_url).host }
}

/**
 * The address to redirect the browser to; undefined if there is no active provider. `sessionId`: the person is asked
 * again, to confirm this session.
 */
export async function beginSaml(
  services: Services,
  providerId: string,
  next: string,
  browserSecret: string,
  sessionId?: string,
): Promise<string | undefined> {
  const provider = await findActive(services, providerId)
  if (provider === undefined) return undefined
  const id = newRequestId()
  const { signing: key } = await readServiceKeys(services)
  const isForced = sessionId !== undefined
  const address = await writeRequest(provider, serviceOf(services.urls, provider.id), id, key, isForced)
  await insertRequest(services.db, { id, providerId: provider.id, next, browserSecret, sessionId })
  return address
}

/**
 * Checks the answer to a request and stores it for the browser that began; returns the id that it is stored under, or
 * undefined if there is no active provider. Answers without a pending request are not parsed.
 */
export async function receiveSaml(
  services: Services,
  providerId: string,
  form: URLSearchParams,
): Promise<string | undefined> {
  const provider = await findActive(services, providerId)
  if (provider === undefined) return undefined
  return recordingFailure(
    services,
    () => outcomesOfSaml(provider.id),
    () => takeAnswer(services, provider, form),
  )
}

async function takeAnswer(services: Services, provider: ProviderRow, form: URLSearchParams): Promise<string> {
  const requestId = form.get('RelayState') ?? ''
  const request = isId(requestId) ? await takeOpenRequest(services.db, provider.id, requestId) : undefined
  if (request === undefined) throw unsolicited()
  const answer = await readSamlAnswer(
    services,
    provider,
    serviceOf(services.urls, provider.id),
    request.id,
    form.get('SAMLResponse') ?? '',
  )
  return services.transaction(async trx => {
    if (!(await recordAssertionUse(trx, provider.id, answer.id, answer.expiresAt))) throw unsolicited()
    return insertAnswered(trx, request, answer.identity)
  })
}

/**
 * Begins or confirms the session; returns the secret of one that it began, and where to redirect to. `answeredId`: of
 * `receiveSaml`.
 */
export async function finishSaml(
  services: Services,
  answeredId: string,
  browser: Browser,
): Promise<{ secret?: string; next: string }> {
  if (!isId(answeredId)) throw wrongBrowser()
  let providerId: string | undefined
  const finish = async (trx: Trx) => {
    const request = await takeRequest(trx, answeredId, browser.secret, { isAnswered: true })
    providerId = request?.provider_id ?? undefined
    const provider = request?.provider_id == null ? undefined : await findProvider(trx, request.provider_id)
    if (request === undefined || provider === undefined || request.answer === null) throw wrongBrowser()
    if (request.session_id !== null) {
      await confirmAtProvider(trx, services, request, request.answer)
      return { next: request.next }
    }
    const secret = await provisionInOrganization(trx, services, provider, request.answer, browser)
    return { secret, next: request.next }
  }
  const finished = await recordingFailure(
    services,
    () => (providerId === undefined ? undefined : outcomesOfSaml(providerId)),
    () => services.transaction(finish),
  )
  if (providerId !== undefined) await recordSuccess(services, outcomesOfSaml(providerId))
  return finished
}

async function findActive(services: Services, id: string): Promise<ProviderRow | undefined> {
  const provider = await findById(services, id)
  return provider !== undefined && isActive(provider) ? provider : undefined
}

const findById = async ({ db }: Services, id: string) => (isId(id) ? findProvider(db, id) : undefined)

const isId = (text: string): boolean => text.length <= ID_CHARACTERS_MAX && /^[A-Za-z0-9]+$/.test(text)

/** An unsolicited answer: too late, used before, or begun at the identity provider. */
const unsolicited = () =>
  refuse(
    'saml_unasked',
    'This answer of the identity provider was not expected: it is too old, was used before, or was not requested here. Sign in again from the sign-in page.',
  )
