// The second step of signing in, and signing in with a passkey alone.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, FACTORS, type Factor } from '../../access/principal.ts'
import type { GivenFactor } from '../../api/sessions/factor-check.ts'
import { type Factors, readFactors } from '../../api/sessions/factors.ts'
import { LOCK_MINUTES } from '../../api/sessions/lockout.ts'
import { authenticationOptions } from '../../api/sessions/passkeys.ts'
import { RECOVERY_CODES_FEW } from '../../api/sessions/recovery-codes.ts'
import { findStep, STEP_MINUTES, signInWithPasskey, takeSecondStep } from '../../api/sessions/second-step.ts'
import { findKnownDevice } from '../../api/sessions/sign-in.ts'
import type { Services } from '../../http/context.ts'
import { isSecureSite, readCookie } from '../../http/cookies.ts'
import { formOf, setFormToken } from '../forms.ts'
import { languageOf } from '../languages.ts'
import { queryParameter } from '../parameters.ts'
import { settingsHref } from '../second-factor-href.ts'
import { readNext, setCookie } from '../session.ts'
import {
  beginBrowserSession,
  browserDetails,
  deviceCookieOf,
  setDeviceCookie,
  withBrowserEvents,
} from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'
import { type Attempts, WINDOW_MINUTES } from './attempts.ts'
import { WORDS } from './factor-words.ts'
import { relyingPartyOf } from './relying-party.ts'
import { renderStep, STEP_PATH, type StepPage } from './step-page.ts'
import { SIGN_IN_WORDS } from './words.ts'

const COOKIE = 'step'

/** In the query `step` of the sign-in page. */
export const STEP_OVER = 'over'

/** The sign-in page, which says that the second step was not taken in time. */
const overHref = (next: string): string => `/sign-in?${new URLSearchParams({ step: STEP_OVER, next })}`

/** Puts the browser, whose person has given the password, at the second step. */
export function leadToStep(site: Site, reply: FastifyReply, secret: string, next: string) {
  const isSecure = isSecureSite(site.services.config)
  setCookie(reply, COOKIE, secret, STEP_MINUTES * 60, isSecure)
  return reply.redirect(`${STEP_PATH}?${new URLSearchParams({ next })}`, 303)
}

/** Where a session leads: first to setting up a second factor, if an organization of its person demands one. */
export async function landingOf(
  { principals }: Pick<Services, 'principals'>,
  secret: string,
  next: string,
): Promise<string> {
  const principal = await principals.findSession(secret)
  return (principal?.session?.lacking.length ?? 0) > 0 ? settingsHref(next) : next
}

/** `attempts`: those of the sign-in page, which one network address has together. */
export function serveSecondStep(pages: FastifyInstance, site: Site, attempts: Attempts): void {
  pages.get(STEP_PATH, (request, reply) =>
    showStep(site, request, reply, { next: readNext(queryParameter(request, 'next')), problem: null }),
  )
  pages.post(STEP_PATH, (request, reply) => takeStep(site, attempts, request, reply))
}

const secretOf = (site: Site, request: FastifyRequest): string =>
  readCookie(request, COOKIE, isSecureSite(site.services.config)) ?? ''

async function showStep(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, problem }: Pick<StepPage, 'next' | 'problem'>,
) {
  const { services } = site
  const secret = secretOf(site, request)
  const user = await findStep(services.db, secret)
  if (user === undefined)
    return reply.redirect(secret === '' ? `/sign-in?${new URLSearchParams({ next })}` : overHref(next), 303)
  const factors = await readFactors(services, user.id)
  const language = languageOf(request)
  return reply
    .header('cache-control', 'no-store')
    .header('vary', 'Accept-Language, Cookie')
    .send(
      renderStep({
        shell: shellOf(site, request, ANONYMOUS),
        language,
        formToken: setFormToken(services.config, request, reply),
        next,
        hasTotp: factors.hasTotp,
        hasCodes: factors.codes > 0,
        passkeyOptions: await passkeyOptionsOf(site, request, secret, factors),
        problem,
      }),
    )
}

async function passkeyOptionsOf(
  { services }: Site,
  request: FastifyRequest,
  secret: string,
  { passkeys }: Factors,
): Promise<object | null> {
  const relyingParty = relyingPartyOf(services.config, request.host)
  if (relyingParty === null || passkeys.length === 0) return null
  const challengeFor = { purpose: 'second-step', secret } as const
  return authenticationOptions(services.signingKey, challengeFor, relyingParty, passkeys)
}

async function takeStep(site: Site, attempts: Attempts, request: FastifyRequest, reply: FastifyReply) {
  const form = formOf(request)
  const next = readNext(form.get('next'))
  const kind = FACTORS.find(one => one === form.get('kind')) ?? 'totp'
  const services = withBrowserEvents(site.services, request)
  const words = WORDS[languageOf(request)]
  const refuse = (why: string, status: number) =>
    showStep(site, request, reply.code(status), { next, problem: { kind, words: why } })
  const wait = (minutes: number) => {
    reply.header('retry-after', minutes * 60)
    return 429
  }
  const secret = secretOf(site, request)
  const user = await findStep(services.db, secret)
  const device = await findKnownDevice(services, user?.email ?? '', deviceCookieOf(services, request))
  // A known browser has a bound of its own, which others in its network do not use up.
  if (device === undefined && !attempts.begin(request.ip))
    return refuse(SIGN_IN_WORDS[languageOf(request)].crowded, wait(WINDOW_MINUTES))
  const factor = givenOf(site, request, kind, secret)
  if (factor === undefined) return refuse(words.passkeyNowhere, 403)
  const ended = await takeSecondStep(services, { secret, factor, device }, browserDetails(request))
  services.tallies.signIns.add(`second_step ${ended.kind}`)
  if (ended.kind === 'gone') return reply.redirect(overHref(next), 303)
  if (ended.kind === 'locked') return refuse(words.locked, wait(LOCK_MINUTES))
  if (ended.kind !== 'done') return refuse(words.wrong[kind], 403)
  if (device === undefined) attempts.succeed(request.ip)
  setCookie(reply, COOKIE, '', 0, isSecureSite(services.config))
  await beginBrowserSession(services, request, reply, ended.secret)
  setDeviceCookie(services, reply, ended.device)
  const isFew = ended.codesLeft !== null && ended.codesLeft <= RECOVERY_CODES_FEW
  return reply.redirect(isFew ? settingsHref(next) : next, 303)
}

/** Undefined for a passkey at an address where none works. */
function givenOf(
  { services }: Site,
  request: FastifyRequest,
  kind: Factor,
  secret: string,
): GivenFactor | undefined {
  const form = formOf(request)
  if (kind !== 'passkey') return { kind, code: (form.get('code') ?? '').slice(0, CODE_CHARACTERS_MAX) }
  const relyingParty = relyingPartyOf(services.config, request.host)
  if (relyingParty === null) return undefined
  const challengeFor = { purpose: 'second-step', secret } as const
  return { kind, answer: form.get('answer') ?? '', challengeFor, relyingParty }
}

const CODE_CHARACTERS_MAX = 64

/** What a browser is asked to sign in with a passkey alone; null where none works. */
export async function signInOptions(
  { services }: Site,
  request: FastifyRequest,
  formToken: string,
): Promise<object | null> {
  const relyingParty = relyingPartyOf(services.config, request.host)
  if (relyingParty === null) return null
  const challengeFor = { purpose: 'sign-in', secret: formToken } as const
  return authenticationOptions(services.signingKey, challengeFor, relyingParty, null)
}

/** Null once the browser is signed in; otherwise what the sign-in page says. */
export async function takePasskey(
  site: Site,
  attempts: Attempts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly words: string; readonly status: number } | null> {
  const form = formOf(request)
  const services = withBrowserEvents(site.services, request)
  const words = WORDS[languageOf(request)]
  const relyingParty = relyingPartyOf(services.config, request.host)
  if (relyingParty === null) return { words: words.passkeyNowhere, status: 403 }
  if (!attempts.begin(request.ip)) {
    reply.header('retry-after', WINDOW_MINUTES * 60)
    return { words: SIGN_IN_WORDS[languageOf(request)].crowded, status: 429 }
  }
  const challengeFor = { purpose: 'sign-in', secret: form.get('form') ?? '' } as const
  const given = { kind: 'passkey', answer: form.get('answer') ?? '', challengeFor, relyingParty } as const
  const ended = await signInWithPasskey(services, given, browserDetails(request))
  services.tallies.signIns.add(`passkey ${ended.kind}`)
  if (ended.kind === 'wrong') return { words: words.passkeyUnknown, status: 403 }
  attempts.succeed(request.ip)
  if (ended.kind !== 'done')
    return { words: SIGN_IN_WORDS[languageOf(request)].closed[ended.kind], status: 403 }
  await beginBrowserSession(services, request, reply, ended.secret)
  return null
}
