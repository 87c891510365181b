// Cookies that sign a browser in and out.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { supposeMailLanguage } from '../api/notifications/first-language.ts'
import { signOut } from '../api/sessions/actions.ts'
import { DEVICE_DAYS_MAX } from '../api/sessions/devices.ts'
import type { Services } from '../http/context.ts'
import { isSecureSite, readCookie, sessionSecretOf } from '../http/cookies.ts'
import { clearFormToken } from './forms.ts'
import { languageOf } from './languages.ts'
import { clearSessionCookie, setCookie, setSessionCookie } from './session.ts'

/** The services, set to record that a person acts in a browser. */
export const withBrowserEvents = (services: Services, request: FastifyRequest): Services => ({
  ...services,
  events: services.events.from({
    actorKind: 'user',
    source: 'ui',
    address: request.ip,
    tokenId: null,
    requestId: request.id,
  }),
})

export const browserDetails = (request: FastifyRequest) => ({
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
})

/**
 * Puts the browser into the session of this secret; its previous session, if any, ends. Mails come in the language of the
 * browser to somebody who has chosen none.
 */
export async function beginBrowserSession(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<void> {
  await endOwnSession(services, request)
  await supposeMailLanguage(services.db, secret, languageOf(request))
  setSessionCookie(services.config, reply, secret)
  clearFormToken(services.config, reply)
}

export async function endBrowserSession(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await endOwnSession(services, request)
  clearSessionCookie(services.config, reply)
}

async function endOwnSession(services: Services, request: FastifyRequest): Promise<void> {
  const secret = sessionSecretOf(services.config, request)
  const principal = secret === undefined ? undefined : await services.principals.findSession(secret)
  if (principal !== undefined) await signOut(services, principal)
}

const DEVICE = 'device'
const DAY_SECONDS = 24 * 60 * 60

export const deviceCookieOf = ({ config }: Pick<Services, 'config'>, request: FastifyRequest) =>
  readCookie(request, DEVICE, isSecureSite(config))

/** Stays after the session: it makes the browser known, and opens nothing. */
export const setDeviceCookie = ({ config }: Pick<Services, 'config'>, reply: FastifyReply, device: string) =>
  setCookie(reply, DEVICE, device, DEVICE_DAYS_MAX * DAY_SECONDS, isSecureSite(config))
