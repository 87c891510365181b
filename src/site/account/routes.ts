// The routes of the account page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserPrincipal } from '../../access/principal.ts'
import { endSession, endSessions } from '../../api/sessions/actions.ts'
import { RESET_MAILS_MAX, requestPasswordReset } from '../../api/sessions/password-reset.ts'
import { findPassword, listSessions, ownerOf } from '../../api/sessions/rows.ts'
import { changePassword, findClosed, findKnownDevice } from '../../api/sessions/sign-in.ts'
import { Failure, forbidden } from '../../base/errors.ts'
import { statusOf } from '../../http/failures.ts'
import { formOf, formTokenOf } from '../forms.ts'
import { pathParameter, queryParameter } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { deviceCookieOf, endBrowserSession, setDeviceCookie, withBrowserEvents } from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import { CLOSED, LOCKED } from '../sign-in/routes.ts'
import type { Site } from '../visits.ts'
import { type AccountPage, renderAccount } from './page.ts'

const SESSIONS_SHOWN_MAX = 50

export function serveAccount(pages: FastifyInstance, site: Site): void {
  const account = new AccountPages(site)
  pages.get('/account', (request, reply) => account.show(request, reply))
  pages.post('/account/password', (request, reply) => account.changePassword(request, reply))
  pages.post('/account/reset-mail', (request, reply) => account.sendResetMail(request, reply))
  pages.post('/account/sessions/:sessionId/end', (request, reply) => account.endOne(request, reply))
  pages.post('/account/sign-out-everywhere', (request, reply) => account.endAll(request, reply))
}

/**
 * Why somebody may not change their account with this session. An organization vouches for people only within itself,
 * and a narrowed token only for its purpose: neither stands for the person everywhere else.
 */
function limitOf({ onlyIn, scopes }: UserPrincipal): string | null {
  if (onlyIn !== null)
    return 'You are signed in to one organization only, so you cannot manage your password and sessions here. Sign in with your password to see them.'
  if (scopes !== null)
    return 'You are signed in with a token that has limited scopes, so you cannot manage your password and sessions here. Sign in with your password to see them.'
  return null
}

class AccountPages {
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
  }

  async show(request: FastifyRequest, reply: FastifyReply) {
    const words = DONE.get(queryParameter(request, 'done') ?? '')
    return this.#as(request, reply, visitor =>
      this.#answer(request, reply, visitor, words === undefined ? null : { isDone: true, words }),
    )
  }

  async changePassword(request: FastifyRequest, reply: FastifyReply) {
    return this.#asOwner(request, reply, async visitor => {
      const form = formOf(request)
      const refuse = (words: string, status: number) =>
        this.#answer(request, reply.code(status), visitor, { isDone: false, words, form: 'password' })
      const services = withBrowserEvents(this.#site.services, request)
      const { email } = visitor.user
      const device = await findKnownDevice(services, email, deviceCookieOf(services, request))
      const given = { current: form.get('current') ?? '', next: form.get('password') ?? '', device }
      if (given.next !== form.get('repeat')) return refuse('The two new passwords do not match.', 400)
      try {
        const ended = await changePassword(services, visitor, given)
        if (ended.kind === 'wrong') return refuse('The current password is wrong.', 403)
        if (ended.kind === 'locked') return refuse(LOCKED, 429)
        if (ended.kind !== 'done') return refuse(CLOSED[ended.kind], 403)
        setDeviceCookie(services, reply, ended.device)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return refuse(error.message, statusOf(error.kind))
      }
      return reply.redirect('/account?done=password', 303)
    })
  }

  async sendResetMail(request: FastifyRequest, reply: FastifyReply) {
    return this.#asOwner(request, reply, async visitor => {
      const { services } = this.#site
      const refuse = (words: string, status: number) =>
        this.#answer(request, reply.code(status), visitor, { isDone: false, words, form: 'reset-mail' })
      if (!services.mail.isConfigured) return refuse(MAILLESS, 409)
      const closed = await findClosed(services.db, visitor.user.id)
      if (closed !== undefined) return refuse(CLOSED[closed], 403)
      const asker = { by: visitor.user.id, address: request.ip, requestId: request.id }
      if ((await requestPasswordReset(services, visitor.user.email, asker)) === 'bounded') {
        reply.header('retry-after', 3600)
        return refuse(MAILS_SENT, 429)
      }
      return reply.redirect('/account?done=reset-mail', 303)
    })
  }

  async endOne(request: FastifyRequest, reply: FastifyReply) {
    return this.#asOwner(request, reply, async visitor => {
      const sessionId = pathParameter(request, 'sessionId')
      const services = withBrowserEvents(this.#site.services, request)
      if (sessionId === visitor.session?.id) {
        await endBrowserSession(services, request, reply)
        return reply.redirect('/', 303)
      }
      if (!sessionId.includes('\u0000')) await endSession({ ...services, principal: visitor }, sessionId)
      return reply.redirect('/account?done=session', 303)
    })
  }

  async endAll(request: FastifyRequest, reply: FastifyReply) {
    return this.#asOwner(request, reply, async visitor => {
      const services = withBrowserEvents(this.#site.services, request)
      await services.transaction(trx => endSessions(trx, services.events, visitor.user.id, null, 'ended'))
      await endBrowserSession(services, request, reply)
      return reply.redirect('/sign-in', 303)
    })
  }

  /** Without a session: to the sign-in page first. */
  async #as(request: FastifyRequest, reply: FastifyReply, run: (visitor: UserPrincipal) => Promise<unknown>) {
    reply.header('cache-control', 'no-store')
    const visitor = await visitorOf(this.#site.services, request)
    return visitor.kind === 'user' ? run(visitor) : reply.redirect('/sign-in?next=/account', 303)
  }

  /** Like `#as`, for what needs an unlimited session. */
  #asOwner(request: FastifyRequest, reply: FastifyReply, run: (visitor: UserPrincipal) => Promise<unknown>) {
    return this.#as(request, reply, visitor => {
      const limit = limitOf(visitor)
      if (limit !== null) throw forbidden(limit)
      return run(visitor)
    })
  }

  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: UserPrincipal,
    outcome: AccountPage['outcome'],
  ) {
    const { services } = this.#site
    const limit = limitOf(visitor)
    const closed = await findClosed(services.db, visitor.user.id)
    const { items, count } =
      limit === null
        ? await listSessions(services.db, ownerOf(visitor), { limit: SESSIONS_SHOWN_MAX })
        : { items: [], count: 0 }
    return reply.send(
      renderAccount({
        shell: shellOf(this.#site, request, visitor),
        formToken: formTokenOf(services.config, request),
        name: visitor.user.display_name,
        email: visitor.user.email,
        hasPassword: (await findPassword(services.db, visitor.user.id)) !== undefined,
        isVerified: visitor.user.email_verified_at !== null,
        sendsMail: services.mail.isConfigured,
        closed: closed === undefined ? null : CLOSED[closed],
        limit,
        sessions: items,
        sessionCount: count,
        currentId: visitor.session?.id ?? null,
        outcome,
      }),
    )
  }
}

const MAILLESS = 'This server does not send email. Ask its administrator for a link to choose a password.'
const MAILS_SENT = `We have already sent ${RESET_MAILS_MAX} emails to your address. Check your inbox, or wait an hour.`

/** The only messages that `?done=` can show, as anybody can make such a link. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password was changed, and you were signed out in all other browsers.'],
  ['reset-mail', 'An email with a link to choose a password is on its way to you.'],
  ['session', 'You were signed out in that browser.'],
])
