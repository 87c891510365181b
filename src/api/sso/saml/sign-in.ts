// Signing in with an organization's identity provider, in three steps: the browser is sent there with a signed request
// (`beginSaml`), it posts the answer, which is checked and kept (`receiveSaml`), and it comes back for its session
// (`finishSaml`). The answer comes by way of another site, whose form a browser sends without our cookie: only the
// third step can tell that it is the browser of the first. That it is the browser of the second as well it shows by an id
// which it was given there: else whoever asks could send somebody else to answer, and come for their session.
import { newId } from '../../../base/ids.ts'
import type { Services } from '../../../http/context.ts'
import { refuse } from '../identity.ts'
import { type Browser, provisionInOrganization } from '../provisioning.ts'
import { insertAnswered, insertRequest, takeOpenRequest, takeRequest, useAssertion } from '../requests.ts'
import { findProvider, isActive, type ProviderRow } from '../rows.ts'
import { serviceOf } from '../wire.ts'
import { readSamlAnswer } from './answer.ts'
import { writeMetadata, writeRequest } from './dialogue.ts'
import { readSigningKey } from './signing-key.ts'

/** Begins with a letter, as an id of XML has to. */
const newRequestId = (): string => `r${newId()}`
const ID_CHARACTERS_MAX = 128

/** Of a provider that is there, set up or not; undefined where there is none. */
export async function findMetadata(services: Services, providerId: string): Promise<string | undefined> {
  const provider = await findById(services, providerId)
  if (provider === undefined) return undefined
  return writeMetadata(serviceOf(services.urls, provider.id), await readSigningKey(services))
}

export type Destination = { readonly label: string; readonly organization: string; readonly host: string }

/** Where a browser that begins would be sent, in words; undefined where it would not be. */
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

/** Where to send the browser; undefined when there is no such provider, or it is not set up yet. */
export async function beginSaml(
  services: Services,
  providerId: string,
  next: string,
  browserSecret: string,
): Promise<string | undefined> {
  const provider = await findActive(services, providerId)
  if (provider === undefined) return undefined
  const id = newRequestId()
  const key = await readSigningKey(services)
  const address = await writeRequest(provider, serviceOf(services.urls, provider.id), id, key)
  await insertRequest(services.db, { id, providerId: provider.id, next, browserSecret })
  return address
}

/**
 * Checks the answer to a request and keeps it for the browser that asked; answers the id that it is kept under, or
 * undefined when there is no such provider. Nothing is parsed for who asked nothing.
 */
export async function receiveSaml(
  services: Services,
  providerId: string,
  form: URLSearchParams,
): Promise<string | undefined> {
  const provider = await findActive(services, providerId)
  if (provider === undefined) return undefined
  const requestId = form.get('RelayState') ?? ''
  const request = isId(requestId) ? await takeOpenRequest(services.db, provider.id, requestId) : undefined
  if (request === undefined) throw unasked()
  const answer = await readSamlAnswer(
    services,
    provider,
    serviceOf(services.urls, provider.id),
    request.id,
    form.get('SAMLResponse') ?? '',
  )
  return services.transaction(async trx => {
    if (!(await useAssertion(trx, provider.id, answer.id, answer.expiresAt))) throw unasked()
    return insertAnswered(trx, request, answer.identity)
  })
}

/** Begins the session; answers its secret and where to go. `answeredId` is of `receiveSaml`. */
export async function finishSaml(
  services: Services,
  answeredId: string,
  browser: Browser,
): Promise<{ secret: string; next: string }> {
  if (!isId(answeredId)) throw otherBrowser()
  return services.transaction(async trx => {
    const request = await takeRequest(trx, answeredId, browser.secret, { isAnswered: true })
    const provider = request?.provider_id == null ? undefined : await findProvider(trx, request.provider_id)
    if (request === undefined || provider === undefined || request.answer === null) throw otherBrowser()
    const identity = request.answer as { email: string; name: string | null }
    const secret = await provisionInOrganization(trx, services, provider, identity, browser)
    return { secret, next: request.next }
  })
}

async function findActive(services: Services, id: string): Promise<ProviderRow | undefined> {
  const provider = await findById(services, id)
  return provider !== undefined && isActive(provider) ? provider : undefined
}

const findById = async ({ db }: Services, id: string) => (isId(id) ? findProvider(db, id) : undefined)

const isId = (text: string): boolean => text.length <= ID_CHARACTERS_MAX && /^[A-Za-z0-9]+$/.test(text)

/** An answer that nobody waits for: too late, given before, or begun at the identity provider. */
const unasked = () =>
  refuse(
    'saml_unasked',
    'This answer of the identity provider is not waited for: it is too old, was used, or nobody asked here. Sign in again from the sign-in page.',
  )

const otherBrowser = () =>
  refuse(
    'sso_other_browser',
    'Signing in was begun in another browser, or too long ago. Begin again in this one, and let it keep cookies.',
  )
