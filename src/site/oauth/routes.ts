// The authorization endpoint (OAuth 2.1 §3.1): a program sends a browser here, and the person says what it may do. What
// is asked for stays in the address, and is read again when the form comes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserPrincipal } from '../../access/principal.ts'
import { opensAll } from '../../api/accounts/actions.ts'
import { allowProgram, type Consent } from '../../api/oauth/actions.ts'
import { type ClientDocuments, createClientDocuments } from '../../api/oauth/client-documents.ts'
import { hostOfRedirect } from '../../api/oauth/redirects.ts'
import {
  type AuthorizationRequest,
  type Offer,
  type RefusedRequest,
  readRequest,
} from '../../api/oauth/requests.ts'
import { confirmedBy, confirmSession } from '../../api/sessions/confirmation.ts'
import { Failure } from '../../base/errors.ts'
import { confirmedUntil } from '../../http/confirmation.ts'
import { statusOf } from '../../http/failures.ts'
import { formOf, formTokenOf } from '../forms.ts'
import { readerPolicy } from '../headers.ts'
import { type Language, languageOf } from '../languages.ts'
import { visitorOf } from '../session.ts'
import { withBrowserEvents } from '../session-cookies.ts'
import { shellOf, signInHref } from '../shell.ts'
import type { Site } from '../visits.ts'
import { type Proof, renderConsent } from './page.ts'
import { renderRefusal } from './refusal-page.ts'
import { WORDS } from './words.ts'

const PATH = '/oauth/authorize'
// Signing in leads back to addresses of at most 2048 characters.
const ADDRESS_CHARACTERS_MAX = 2000

export function serveConsent(pages: FastifyInstance, site: Site): void {
  const documents = createClientDocuments(site.services.outgoing)
  const config = { isAddressSecret: true } as const
  pages.get(PATH, { config }, (request, reply) =>
    withAsked(site, documents, request, reply, asked => show(site, request, reply, asked, null)),
  )
  pages.post(PATH, { config }, (request, reply) =>
    withAsked(site, documents, request, reply, asked => decide(site, request, reply, asked)),
  )
}

/** A person in a browser, and what a program asks of them. */
type Asked = {
  readonly person: UserPrincipal
  readonly asking: AuthorizationRequest
  readonly language: Language
}

/** Without a session: to the sign-in page first, before anything of the request is looked at. */
async function withAsked(
  site: Site,
  documents: ClientDocuments,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (asked: Asked) => Promise<unknown>,
) {
  const { services } = site
  const language = languageOf(request)
  const words = WORDS[language]
  reply
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Language, Cookie')
    // Under no-referrer a browser would not say where the form comes from.
    .header('referrer-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
    .header('content-security-policy', policyFor(site, request, undefined))
  const person = await visitorOf(services, request)
  const refuse = (sentence: string, back: { href: string; label: string } | null) =>
    reply.code(400).send(
      renderRefusal({
        shell: { ...shellOf(site, request, person), signInHref: '/sign-in' },
        ...{ language, title: words.refusedTitle, words: sentence, back },
      }),
    )
  if (request.url.length > ADDRESS_CHARACTERS_MAX) return refuse(words.tooLong, null)
  if (person.kind !== 'user') return reply.redirect(signInHref(request.url), 303)
  if (person.scopes !== null) return refuse(words.narrowed, null)
  const query = new URLSearchParams(request.url.split('?').slice(1).join('?'))
  const asking = await readRequest(services, documents, query)
  if (!('problem' in asking)) {
    reply.header('content-security-policy', policyFor(site, request, asking.redirectUri))
    return answer({ person, asking, language })
  }
  const sentence = [words.problems[asking.problem], asking.kind === 'unknown' ? asking.words : undefined]
  return refuse(sentence.filter(one => one !== undefined).join(' '), backOf(site, asking, language))
}

/**
 * Back to the program, with the error. Anybody can register an address, so a browser goes there only when the person
 * says so (RFC 9700 §4.11.2).
 */
function backOf({ services }: Site, refused: RefusedRequest, language: Language) {
  if (refused.kind === 'unknown') return null
  const { redirectUri, state, problem } = refused
  const error =
    problem === 'response_type'
      ? 'unsupported_response_type'
      : problem === 'resource'
        ? 'invalid_target'
        : 'invalid_request'
  const host = hostOfRedirect(redirectUri)
  const words = WORDS[language]
  const href = addressOf(services.urls.root(''), { redirectUri, state }, { error })
  return { href, label: host === null ? words.backToProgram : words.back(host) }
}

async function show(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { person, asking, language }: Asked,
  refused: {
    readonly problem: string
    readonly offer: Offer | undefined
    readonly organization: string | null
  } | null,
) {
  const { services } = site
  return reply.send(
    renderConsent({
      shell: shellOf(site, request, person),
      language,
      formToken: formTokenOf(services.config, request),
      address: request.url,
      person: { name: person.user.display_name, email: person.user.email },
      request: asking,
      level: (refused?.offer ?? firstOffer(asking)).level,
      organizations: await listTitles(site, person),
      offersAll: await opensAll({ db: services.db, principal: person }),
      organization: refused?.organization ?? null,
      proof: proofOf(person),
      problem: refused?.problem ?? null,
    }),
  )
}

/** Nothing that readers see at once is chosen before the person does. */
function firstOffer({ offers }: AuthorizationRequest): Offer {
  const careful = offers.filter(({ level }) => level !== 'review' && level !== 'merge').at(-1)
  // A request has at least one offer.
  return careful ?? (offers[0] as Offer)
}

async function listTitles({ services: { db } }: Site, { memberships }: UserPrincipal) {
  const ids = [...memberships.keys()]
  if (ids.length === 0) return []
  return db
    .selectFrom('organizations')
    .select(['id', 'title'])
    .where('id', 'in', ids)
    .orderBy('title')
    .orderBy('id')
    .execute()
}

function proofOf({ session }: UserPrincipal): Proof {
  if (session === null || confirmedUntil(session.confirmedAt) !== null) return null
  return confirmedBy(session.method)
}

async function decide(site: Site, request: FastifyRequest, reply: FastifyReply, asked: Asked) {
  const { person, asking, language } = asked
  const issuer = site.services.urls.root('')
  const form = formOf(request)
  if (form.get('answer') !== 'allow')
    return reply.redirect(addressOf(issuer, asking, { error: 'access_denied' }), 303)
  const offer = asking.offers.find(({ level }) => level === form.get('level'))
  const organization = form.get('organization') || null
  const refuse = (problem: string, status: number) =>
    show(site, request, reply.code(status), asked, { problem, offer, organization })
  if (offer === undefined) return refuse(WORDS[language].choose, 400)
  const proof = proofOf(person)
  if (proof === 'provider' || proof === 'passkey') return refuse(WORDS[language].confirmAtProvider, 403)
  try {
    await confirm(site, request, person, proof, form.get('proof') ?? '')
    const code = await allow(site, request, person, asking, { offer, organizationId: organization })
    return reply.redirect(addressOf(issuer, asking, { code }), 303)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isWrong = error.code === 'credentials_wrong' && proof !== null
    return refuse(isWrong ? WORDS[language].wrong[proof] : error.message, statusOf(error.kind))
  }
}

async function confirm(
  { services }: Site,
  request: FastifyRequest,
  person: UserPrincipal,
  proof: 'password' | 'token' | null,
  given: string,
): Promise<void> {
  const { session } = person
  if (proof === null || session === null) return
  const context = { ...withBrowserEvents(services, request), principal: { ...person, session } }
  await confirmSession(context, { [proof]: given })
}

const allow = (
  { services }: Site,
  request: FastifyRequest,
  person: UserPrincipal,
  asking: AuthorizationRequest,
  consent: Consent,
): Promise<string> =>
  allowProgram({ ...withBrowserEvents(services, request), principal: person }, asking, consent)

/** The address of the client, byte for byte, with the answer; `iss` says whose answer it is (RFC 9207). */
function addressOf(
  issuer: string,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const added = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
}

/** No page frames this one; and a browser that holds the policy against redirects of a form lets this one through. */
function policyFor({ services }: Site, request: FastifyRequest, redirectUri: string | undefined): string {
  const url = redirectUri === undefined ? null : URL.parse(redirectUri)
  // A source can name neither an IPv6 address nor the rest of another scheme's address.
  const isNamed = url !== null && /^https?:$/.test(url.protocol) && /^[\w.-]+(?::\d+)?$/.test(url.host)
  const target = url === null ? '' : ` ${isNamed ? url.origin : url.protocol}`
  return readerPolicy(services.config, request)
    .replace("form-action 'self'", `form-action 'self'${target}`)
    .replace("frame-ancestors 'self'", "frame-ancestors 'none'")
}
