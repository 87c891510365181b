// Protection against forms of other sites: what a browser posts has to come from one of our pages, and has to contain
// the token that the page gave to this very browser. Either alone would do for most browsers; together they hold even
// if one of them is missing or was planted. Only signing out has no token. Reading never changes anything, so addresses
// need no such proof.
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../base/canonical.ts'
import { forbidden } from '../base/errors.ts'
import { newSecret } from '../base/ids.ts'
import type { Services } from '../http/context.ts'
import { isSecureSite, readCookie, sessionSecretOf } from '../http/cookies.ts'
import type { Config } from '../platform/config.ts'
import { setCookie } from './session.ts'

const FORM_BYTES_MAX = 4096
const FORM = 'application/x-www-form-urlencoded'
/**
 * The address of a form that every page has, and that therefore has no token: a secret beside text that others choose
 * keeps a page from being compressed (https://www.breachattack.com). It ends a session and does nothing else, and where
 * it was sent from is checked as for every form.
 */
const ON_EVERY_PAGE = '/sign-out'
/** The field of a form that holds the token. */
const FORM_TOKEN_FIELD = 'form'

/** Every POST of `pages`, now or later, is a form of ours. Its body is a URLSearchParams. */
export function takeOwnForms(pages: FastifyInstance, { config }: Pick<Services, 'config'>): void {
  pages.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_request, body, done) =>
    // Parsed as a string, by the options.
    done(null, new URLSearchParams(body as string)),
  )
  pages.addHook('onRequest', async request => {
    if (isGuarded(request) && !isFromHere(config, request))
      throw forbidden(
        'This form was not sent from a page of this server. Open the page here and submit it again.',
      )
  })
  pages.addHook('preValidation', async request => {
    if (isGuarded(request) && request.routeOptions.url !== ON_EVERY_PAGE && !hasToken(config, request))
      throw forbidden(
        'This form has expired, or belongs to another browser. Reload the page and submit it again.',
      )
  })
}

/** The fields that were sent. */
export const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()

const isGuarded = (request: FastifyRequest): boolean => request.method !== 'GET' && request.method !== 'HEAD'

/** By the Origin header, or by equivalent headers if a browser omits it. A request with neither is refused. */
function isFromHere({ publicUrl }: Pick<Config, 'publicUrl'>, { headers, host }: FastifyRequest): boolean {
  const { origin, referer } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  const said = origin ?? referer
  if (said === undefined) return site !== undefined
  if (!URL.canParse(said)) return false
  const from = new URL(said)
  return from.origin === new URL(publicUrl).origin || (from.protocol.startsWith('http') && from.host === host)
}

function hasToken(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): boolean {
  const given = formOf(request).get(FORM_TOKEN_FIELD)
  if (given === null) return false
  const hash = Buffer.from(sha256(given), 'hex')
  return [sessionSecretOf(config, request), formSecretOf(config, request)].some(
    secret => secret !== undefined && timingSafeEqual(Buffer.from(sha256(toFormToken(secret)), 'hex'), hash),
  )
}

/** Reveals neither the secret from which it is derived nor that secret's hash in the database. */
const toFormToken = (secret: string): string => sha256(`form ${secret}`)

// A browser that is not signed in has its own cookie: without it, another site could sign it in as somebody else.
const FORM_COOKIE = 'form'
const FORM_SECONDS = 24 * 3600

/** A secret that we made: it is sent back in a header, where other characters would end the cookie or the header. */
const FORM_SECRET = /^[\w-]{43}$/

function formSecretOf(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string | undefined {
  const secret = readCookie(request, FORM_COOKIE, isSecureSite(config))
  return secret !== undefined && FORM_SECRET.test(secret) ? secret : undefined
}

/** The form token of a user who is signed in. */
export function formTokenOf(config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string {
  const secret = sessionSecretOf(config, request)
  return secret === undefined ? '' : toFormToken(secret)
}

/** The token for a form that signs in. */
export function setFormToken(
  config: Pick<Config, 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const secret = formSecretOf(config, request) ?? newSecret()
  setCookie(reply, FORM_COOKIE, secret, FORM_SECONDS, isSecureSite(config))
  return toFormToken(secret)
}

/** Signing in invalidates earlier tokens of the browser. */
export const clearFormToken = (config: Pick<Config, 'publicUrl'>, reply: FastifyReply): void =>
  setCookie(reply, FORM_COOKIE, '', 0, isSecureSite(config))
