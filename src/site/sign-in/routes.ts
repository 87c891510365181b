// Signing in with a password, a token or an identity provider; choosing a password by a link; signing out.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { beginSession } from '../../api/sessions/actions.ts'
import { type Closed, findClosed } from '../../api/sessions/closed.ts'
import { LOCK_MINUTES } from '../../api/sessions/lockout.ts'
import {
  choosePassword,
  findKnownDevice,
  findLinked,
  type Linked,
  type SignIn,
  signInWithPassword,
} from '../../api/sessions/sign-in.ts'
import { listLogins } from '../../api/sso/logins.ts'
import { now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { statusOf } from '../../http/failures.ts'
import { formOf, setFormToken } from '../forms.ts'
import { languageOf } from '../languages.ts'
import { renderNotice } from '../notice-pages.ts'
import { pathParameter, queryParameter } from '../parameters.ts'
import { findReader, readNext, visitorOf } from '../session.ts'
import {
  beginBrowserSession,
  browserDetails,
  deviceCookieOf,
  setDeviceCookie,
  withBrowserEvents,
} from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'
import { createAttempts, WINDOW_MINUTES } from './attempts.ts'
import { WORDS } from './factor-words.ts'
import { renderSignIn, type SignInPage } from './page.ts'
import { renderPasswordPage } from './password-page.ts'
import { servePasswordReset } from './password-reset.ts'
import { PASSWORD_WORDS } from './password-words.ts'
import { serveSignOut } from './sign-out.ts'
import {
  landingOf,
  leadToStep,
  STEP_OVER,
  serveSecondStep,
  signInOptions,
  takePasskey,
} from './step-routes.ts'
import { SIGN_IN_WORDS } from './words.ts'

export function serveSignIn(pages: FastifyInstance, site: Site): void {
  const signIn = new SignInPages(site)
  pages.get('/sign-in', (request, reply) => signIn.show(request, reply))
  pages.post('/sign-in', (request, reply) => signIn.withPassword(request, reply))
  pages.post('/sign-in/token', (request, reply) => signIn.withToken(request, reply))
  pages.post('/sign-in/passkey', (request, reply) => signIn.withPasskey(request, reply))
  serveSecondStep(pages, site, signIn.attempts)
  serveSignOut(pages, site)
  servePasswordReset(pages, site)
  const config = { isAddressSecret: true } as const
  pages.get('/password/:secret', { config }, (request, reply) => signIn.showLink(request, reply))
  pages.post('/password/:secret', { config }, (request, reply) => signIn.choose(request, reply))
}

class SignInPages {
  readonly #site: Site
  readonly attempts = createAttempts()

  constructor(site: Site) {
    this.#site = site
  }

  async show(request: FastifyRequest, reply: FastifyReply) {
    const organization = queryParameter(request, 'organization')
    return this.#answer(request, reply, {
      next: readNext(queryParameter(request, 'next')),
      ...(queryParameter(request, 'step') === STEP_OVER
        ? { problem: { form: 'password', words: WORDS[languageOf(request)].over } }
        : {}),
      ...(organization === undefined ? {} : { organization: organization.trim() }),
    })
  }

  async withPassword(request: FastifyRequest, reply: FastifyReply) {
    const form = formOf(request)
    const words = wordsOf(request)
    const email = form.get('email') ?? ''
    const next = readNext(form.get('next'))
    const refuse = (why: string, status: number) =>
      this.#answer(request, reply.code(status), { next, email, problem: { form: 'password', words: why } })
    const services = withBrowserEvents(this.#site.services, request)
    const device = await findKnownDevice(services, email, deviceCookieOf(services, request))
    // A known browser has a bound of its own, whoever else shares its network.
    if (device === undefined && !this.attempts.begin(request.ip)) {
      services.tallies.signIns.add('password crowded')
      return refuse(words.crowded, this.#wait(reply, WINDOW_MINUTES))
    }
    const given = { email, password: form.get('password') ?? '', device }
    let ended: SignIn
    try {
      ended = await signInWithPassword(services, given, browserDetails(request))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return refuse(error.message, statusOf(error.kind))
    }
    services.tallies.signIns.add(`password ${ended.kind}`)
    if (ended.kind === 'wrong') return refuse(words.wrong, 403)
    if (ended.kind === 'locked') return refuse(words.locked, this.#wait(reply, LOCK_MINUTES))
    if (device === undefined) this.attempts.succeed(request.ip)
    if (ended.kind === 'step') return leadToStep(this.#site, reply, ended.secret, next)
    if (ended.kind !== 'done') return refuse(words.closed[ended.kind], 403)
    await beginBrowserSession(services, request, reply, ended.secret)
    setDeviceCookie(services, reply, ended.device)
    return reply.redirect(await landingOf(services, ended.secret, next), 303)
  }

  async withPasskey(request: FastifyRequest, reply: FastifyReply) {
    const next = readNext(formOf(request).get('next'))
    const refused = await takePasskey(this.#site, this.attempts, request, reply)
    if (refused === null) return reply.redirect(next, 303)
    const problem = { form: 'passkey', words: refused.words } as const
    return this.#answer(request, reply.code(refused.status), { next, problem })
  }

  async withToken(request: FastifyRequest, reply: FastifyReply) {
    const form = formOf(request)
    const next = readNext(form.get('next'))
    const words = wordsOf(request)
    const refuse = (why: string, status: number) =>
      this.#answer(request, reply.code(status), { next, problem: { form: 'token', words: why } })
    const services = withBrowserEvents(this.#site.services, request)
    // Nobody guesses a token, so a valid one needs no protection by the failures of others.
    const reader = await findReader(services, form.get('token')?.trim() ?? '')
    services.tallies.signIns.add(reader === undefined ? 'token wrong' : 'token done')
    if (reader === undefined) {
      if (!this.attempts.begin(request.ip)) return refuse(words.crowded, this.#wait(reply, WINDOW_MINUTES))
      return refuse(words.tokenWrong, 403)
    }
    const { user, tokenId } = reader
    const secret = await services.transaction(trx =>
      beginSession(trx, services.events, {
        userId: user.id,
        method: 'token',
        organizationId: null,
        tokenId,
        confirmedAt: now(),
        ...browserDetails(request),
      }),
    )
    await beginBrowserSession(services, request, reply, secret)
    return reply.redirect(await landingOf(services, secret, next), 303)
  }

  /** Opening the link does not use it up: programs that check emails open every link. */
  async showLink(request: FastifyRequest, reply: FastifyReply) {
    const { services } = this.#site
    const linked = await findLinked(services.db, linkOf(request))
    if (linked === undefined) return this.#answerGone(request, reply)
    const closed = await findClosed(services.db, linked.user.id, linked.organization?.id ?? null)
    if (closed !== undefined) return this.#answerClosed(request, reply, closed)
    return this.#answerLink(request, reply, linked, null)
  }

  async choose(request: FastifyRequest, reply: FastifyReply) {
    const form = formOf(request)
    const link = linkOf(request)
    const services = withBrowserEvents(this.#site.services, request)
    const linked = await findLinked(services.db, link)
    if (linked === undefined) {
      services.tallies.signIns.add('link gone')
      return this.#answerGone(request, reply)
    }
    const password = form.get('password') ?? ''
    const refuse = (words: string, status: number) =>
      this.#answerLink(request, reply.code(status), linked, words)
    if (password !== form.get('repeat')) return refuse(PASSWORD_WORDS[languageOf(request)].unequal, 400)
    try {
      const ended = await choosePassword(services, { link, password }, browserDetails(request))
      services.tallies.signIns.add(`link ${ended.kind}`)
      if (ended.kind === 'gone') return this.#answerGone(request, reply)
      if (ended.kind === 'step') return leadToStep(this.#site, reply, ended.secret, '/')
      if (ended.kind !== 'done') return this.#answerClosed(request, reply, ended.kind)
      await beginBrowserSession(services, request, reply, ended.secret)
      setDeviceCookie(services, reply, ended.device)
      return reply.redirect(await landingOf(services, ended.secret, '/'), 303)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return refuse(error.message, statusOf(error.kind))
    }
  }

  /** 429, with when to retry. */
  #wait(reply: FastifyReply, minutes: number): number {
    reply.header('retry-after', minutes * 60)
    return 429
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Pick<SignInPage, 'next'> & Partial<Pick<SignInPage, 'email' | 'organization' | 'problem'>>,
  ) {
    const { services } = this.#site
    const only = await findOnlyOrganization(this.#site)
    const organization = only ?? (page.organization || undefined)
    const logins = await listLogins(services, organization)
    const isInVain = page.organization && logins.length === (await listLogins(services)).length
    const noLogin = {
      form: 'organization',
      words: wordsOf(request).organizationUnknown,
    } as const
    const formToken = setFormToken(services.config, request, reply)
    reply.header('cache-control', 'no-store').header('vary', 'Accept-Language, Cookie')
    return reply.send(
      renderSignIn({
        shell: await this.#shell(request),
        language: languageOf(request),
        formToken,
        passkeyOptions: await signInOptions(this.#site, request, formToken),
        next: page.next,
        problem: page.problem ?? (isInVain ? noLogin : null),
        email: page.email ?? '',
        organization: page.organization ?? '',
        logins,
        isOnlyOrganization: only !== undefined,
        sendsMail: services.mail.isConfigured,
      }),
    )
  }

  async #answerLink(request: FastifyRequest, reply: FastifyReply, linked: Linked, problem: string | null) {
    reply.header('cache-control', 'no-store').header('vary', 'Accept-Language, Cookie')
    return reply.send(
      renderPasswordPage({
        shell: await this.#shell(request),
        language: languageOf(request),
        formToken: setFormToken(this.#site.services.config, request, reply),
        action: request.url.split('?', 1)[0] ?? '',
        email: linked.user.email,
        invited: linked.organization,
        problem,
      }),
    )
  }

  async #answerGone(request: FastifyRequest, reply: FastifyReply) {
    const { gone, goneLead } = PASSWORD_WORDS[languageOf(request)]
    return this.#notice(request, reply, { code: '404', title: gone, words: goneLead })
  }

  async #answerClosed(request: FastifyRequest, reply: FastifyReply, closed: Closed) {
    return this.#notice(request, reply, {
      code: '403',
      title: PASSWORD_WORDS[languageOf(request)].closedTitle,
      words: wordsOf(request).closed[closed],
    })
  }

  async #notice(
    request: FastifyRequest,
    reply: FastifyReply,
    notice: { code: string; title: string; words: string },
  ) {
    return reply
      .code(Number(notice.code))
      .header('cache-control', 'no-store')
      .header('vary', 'Accept-Language, Cookie')
      .send(renderNotice(await this.#shell(request), { ...notice, language: languageOf(request) }))
  }

  /** These addresses may be secrets, so nothing leads back to them. */
  async #shell(request: FastifyRequest) {
    const { services } = this.#site
    return { ...shellOf(this.#site, request, await visitorOf(services, request)), signInHref: '/sign-in' }
  }
}

const wordsOf = (request: FastifyRequest) => SIGN_IN_WORDS[languageOf(request)]

const linkOf = (request: FastifyRequest): string => pathParameter(request, 'secret')

/** If there is only one organization, nobody has to choose. */
async function findOnlyOrganization({ services }: Site): Promise<string | undefined> {
  const [first, second] = await services.db.selectFrom('organizations').select('id').limit(2).execute()
  return second === undefined ? first?.id : undefined
}
