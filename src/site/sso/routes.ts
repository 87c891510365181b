// The routes for signing in with an identity provider. SAML responses are forms from another site and come without
// cookies; they are trusted for what is signed in them, and do not begin a session themselves.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSession } from '../../api/sessions/rows.ts'
import type { OpenId } from '../../api/sso/openid.ts'
import { REQUEST_MINUTES_MAX } from '../../api/sso/requests.ts'
import {
  beginSaml,
  findDestination,
  findMetadata,
  finishSaml,
  receiveSaml,
} from '../../api/sso/saml/sign-in.ts'
import { Failure, forbidden, missing, orMissing, throttled } from '../../base/errors.ts'
import { newSecret } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { isSecureSite, readCookie } from '../../http/cookies.ts'
import { statusOf } from '../../http/failures.ts'
import type { Assets } from '../assets.ts'
import { readerHeaders } from '../headers.ts'
import { renderNotice } from '../notice-pages.ts'
import { pathParameter, queryParameter } from '../parameters.ts'
import { readNext, setCookie, visitorOf } from '../session.ts'
import { beginBrowserSession, browserDetails, withBrowserEvents } from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import { type Attempts, type AttemptsBound, createAttempts } from '../sign-in/attempts.ts'
import { renderConfirmPage } from './confirm-page.ts'

/** A response as a form: about 200 KB of base64, percent-encoded where necessary. */
const FORM_BYTES_MAX = 256 * 1024
const COOKIE = 'sso'
const COOKIE_SECONDS = 15 * 60
/** Of an answer of a provider (OpenID Connect Core §3.1.2.5 and §3.1.2.6, RFC 9207); a form may hold more. */
const ANSWER_FIELDS = ['code', 'state', 'iss', 'error', 'error_description']
const SECRET = /^[A-Za-z0-9_-]{43}$/

type Site = {
  readonly services: Services
  readonly assets: Assets
  /** Sign-ins that were begun and have not finished. */
  readonly begun: Attempts
}

/**
 * An office behind one address leaves fewer than this unfinished in that time. Each is a row until it expires, and
 * allows verifying one response: nobody alone can use up the room for all, or keep a processor busy.
 */
export const BEGUN: AttemptsBound = { max: 300, windowMinutes: REQUEST_MINUTES_MAX }

export function serveSso(app: FastifyInstance, services: Services, assets: Assets): void {
  const site = { services, assets, begun: createAttempts(undefined, BEGUN) }
  app.register(async pages => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      // Parsed as a string, by the options.
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    pages.addHook('onRequest', async (request, reply) => {
      reply
        .headers(readerHeaders(services.config, request))
        // these addresses contain codes and states, which are only for this server
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
    })
    pages.setErrorHandler((error, request, reply) => answerFailure(site, error, request, reply))
    serveSaml(pages, site)
    const openId = await openIdOf(services)
    serveConfirmation(pages, site, openId)
    if (openId === undefined) return
    pages.addHook('onClose', () => openId.close())
    serveOpenId(pages, site, openId)
  })
}

async function openIdOf(services: Services): Promise<OpenId | undefined> {
  const { oidc } = services.config
  if (oidc === undefined) return undefined
  // Loaded on demand: few installations have an identity provider.
  const { createOpenId } = await import('../../api/sso/openid.ts')
  return createOpenId(services, oidc)
}

function serveSaml(pages: FastifyInstance, site: Site): void {
  const { services } = site
  pages.get('/sso/saml/:providerId/metadata', async (request, reply) => {
    const metadata = orMissing(await findMetadata(services, providerOf(request)), 'identity provider')
    return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata)
  })
  pages.get('/sso/saml/:providerId/start', async (request, reply) => {
    if (isSentByOthers(request)) return ask(site, request, reply)
    requireRoom(site, request)
    const secret = giveSecret(services, request, reply)
    const address = await beginSaml(services, providerOf(request), nextOf(request), secret)
    if (address === undefined) throw missing('identity provider')
    return reply.redirect(address, 302)
  })
  pages.post('/sso/saml/:providerId/acs', async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const id = orMissing(await receiveSaml(services, providerOf(request), form), 'identity provider')
    return reply.redirect(`/sso/finish?request=${id}`, 303)
  })
  pages.get('/sso/finish', async (request, reply) => {
    const telling = withBrowserEvents(services, request)
    const begun = begunBy(services, request)
    const finished = await finishSaml(telling, queryParameter(request, 'request') ?? '', begun)
    return arrive(site, telling, request, reply, finished)
  })
}

/** `secret`: of a session that was begun; absent: the session of the browser was confirmed. */
async function arrive(
  site: Site,
  telling: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, next }: { readonly secret?: string; readonly next: string },
) {
  site.begun.succeed(request.ip)
  telling.tallies.signIns.add(`${wayOf(request)} done`)
  if (secret !== undefined) await beginBrowserSession(telling, request, reply, secret)
  return reply.redirect(next, 303)
}

/** Sends the browser to the provider that its session was begun with, to be asked again who they are. */
function serveConfirmation(pages: FastifyInstance, site: Site, openId: OpenId | undefined): void {
  const { services } = site
  pages.get('/sso/confirm', async (request, reply) => {
    const next = nextOf(request)
    const visitor = await visitorOf(services, request)
    if (visitor.kind !== 'user' || visitor.session === null)
      return reply.redirect(`/sign-in?${new URLSearchParams({ next })}`, 303)
    // Only a page of this server asks somebody to confirm something.
    const from = request.headers['sec-fetch-site']
    if (from === 'cross-site' || from === 'same-site') return reply.redirect(next, 303)
    requireRoom(site, request)
    const { id, method } = visitor.session
    const secret = giveSecret(services, request, reply)
    const address =
      method === 'oidc'
        ? await openId?.begin(next, secret, id)
        : await beginSaml(services, (await findSession(services.db, id))?.provider_id ?? '', next, secret, id)
    if (address === undefined) throw NOT_AT_PROVIDER
    return reply.redirect(address, 302)
  })
}

const NOT_AT_PROVIDER = forbidden(
  'Your session was not begun with an identity provider that is set up here, so none can confirm who you are. Sign out and in again.',
)

function requireRoom({ begun }: Site, { ip }: FastifyRequest): void {
  if (!begun.begin(ip))
    throw throttled(
      `Too many sign-ins from your network were begun and not ended. Wait ${BEGUN.windowMinutes} minutes and try again.`,
    )
}

/** As browsers report it; a browser that reports nothing is trusted, like a program. */
const isSentByOthers = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-site'] === 'cross-site'

async function ask(site: Site, request: FastifyRequest, reply: FastifyReply) {
  const destination = await findDestination(site.services, providerOf(request))
  if (destination === undefined) throw missing('identity provider')
  const shell = shellOf(site, request, await visitorOf(site.services, request))
  const href = `/sso/saml/${providerOf(request)}/start?${new URLSearchParams({ next: nextOf(request) })}`
  return reply.send(renderConfirmPage({ shell: { ...shell, signInHref: '/sign-in' }, href, ...destination }))
}

function serveOpenId(pages: FastifyInstance, site: Site, openId: OpenId): void {
  const { services } = site
  pages.get('/sso/oidc/start', async (request, reply) => {
    requireRoom(site, request)
    const secret = giveSecret(services, request, reply)
    return reply.redirect(await openId.begin(nextOf(request), secret), 302)
  })
  // The form comes from another site, so without the cookie of the browser, which comes with the address it is led to.
  pages.post('/sso/oidc/callback', async (request, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const answer = ANSWER_FIELDS.flatMap(name => {
      const value = form.get(name)
      return value === null ? [] : [[name, value]]
    })
    return reply.redirect(`/sso/oidc/callback?${new URLSearchParams(answer)}`, 303)
  })
  pages.get('/sso/oidc/callback', async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?').slice(1).join('?'))
    const telling = withBrowserEvents(services, request)
    const finished = await openId.finish(telling, query, begunBy(services, request))
    return arrive(site, telling, request, reply, finished)
  })
}

/** As the tally of sign-ins has it. */
const wayOf = ({ routeOptions }: FastifyRequest): 'oidc' | 'saml' =>
  routeOptions.url?.startsWith('/sso/oidc') === true ? 'oidc' : 'saml'

const providerOf = (request: FastifyRequest): string => pathParameter(request, 'providerId')
const nextOf = (request: FastifyRequest): string => readNext(queryParameter(request, 'next'))

/** One secret for all sign-ins of this browser, so that two tabs do not invalidate each other's. */
function giveSecret({ config }: Services, request: FastifyRequest, reply: FastifyReply): string {
  const known = readCookie(request, COOKIE, isSecureSite(config))
  const secret = known !== undefined && SECRET.test(known) ? known : newSecret()
  setCookie(reply, COOKIE, secret, COOKIE_SECONDS, isSecureSite(config))
  return secret
}

/** A browser that signs in, with the secret of its request. */
const begunBy = ({ config }: Services, request: FastifyRequest) => ({
  secret: readCookie(request, COOKIE, isSecureSite(config)) ?? '',
  ...browserDetails(request),
})

async function answerFailure(site: Site, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const isOurs = error instanceof Failure
  if (!isOurs && !isFromFramework(error)) throw error
  const status = isOurs ? statusOf(error.kind) : Number(error.statusCode)
  site.services.tallies.signIns.add(`${wayOf(request)} refused`)
  if (isOurs) request.log.warn({ err: error, code: error.code }, 'somebody was not signed in')
  const words = isOurs ? error.message : 'This is not a valid response from an identity provider.'
  const shell = shellOf(site, request, await visitorOf(site.services, request))
  const notice = { code: String(status), title: 'You are not signed in', words }
  const signInHref = '/sign-in'
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(renderNotice({ ...shell, signInHref }, notice))
}

const isFromFramework = (error: unknown): error is { statusCode: number } =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode < 500
