// The routes of the page of the password. The rest of an account is in the workspace.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserPrincipal } from '../../access/principal.ts'
import { findClosed } from '../../api/sessions/closed.ts'
import { requestPasswordReset } from '../../api/sessions/password-reset.ts'
import { findPassword } from '../../api/sessions/rows.ts'
import { changePassword, findKnownDevice } from '../../api/sessions/sign-in.ts'
import { Failure, forbidden } from '../../base/errors.ts'
import { statusOf } from '../../http/failures.ts'
import { formOf, formTokenOf } from '../forms.ts'
import { languageOf } from '../languages.ts'
import { queryParameter } from '../parameters.ts'
import { visitorOf } from '../session.ts'
import { deviceCookieOf, setDeviceCookie, withBrowserEvents } from '../session-cookies.ts'
import { shellOf } from '../shell.ts'
import { PASSWORD_WORDS } from '../sign-in/password-words.ts'
import { SIGN_IN_WORDS } from '../sign-in/words.ts'
import type { Site } from '../visits.ts'
import { limitOf } from './limit.ts'
import { type AccountPage, renderAccount } from './page.ts'

export function serveAccount(pages: FastifyInstance, site: Site): void {
  const account = new AccountPages(site)
  pages.get('/account', (_request, reply) => reply.redirect('/w/me', 301))
  pages.get('/account/password', (request, reply) => account.show(request, reply))
  pages.post('/account/password', (request, reply) => account.changePassword(request, reply))
  pages.post('/account/reset-mail', (request, reply) => account.sendResetMail(request, reply))
}

class AccountPages {
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
  }

  async show(request: FastifyRequest, reply: FastifyReply) {
    const done = queryParameter(request, 'done') ?? ''
    // Only these can be shown, as anybody can make such a link.
    const words = done === 'password' || done === 'reset-mail' ? wordsOf(request).done[done] : undefined
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
      if (given.next !== form.get('repeat')) return refuse(wordsOf(request).unequal, 400)
      try {
        const ended = await changePassword(services, visitor, given)
        if (ended.kind === 'wrong') return refuse(wordsOf(request).currentWrong, 403)
        if (ended.kind === 'locked') return refuse(SIGN_IN_WORDS[languageOf(request)].locked, 429)
        if (ended.kind !== 'done') return refuse(SIGN_IN_WORDS[languageOf(request)].closed[ended.kind], 403)
        setDeviceCookie(services, reply, ended.device)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return refuse(error.message, statusOf(error.kind))
      }
      return reply.redirect('/account/password?done=password', 303)
    })
  }

  async sendResetMail(request: FastifyRequest, reply: FastifyReply) {
    return this.#asOwner(request, reply, async visitor => {
      const { services } = this.#site
      const refuse = (words: string, status: number) =>
        this.#answer(request, reply.code(status), visitor, { isDone: false, words, form: 'reset-mail' })
      if (!services.mail.isConfigured) return refuse(wordsOf(request).mailless, 409)
      const closed = await findClosed(services.db, visitor.user.id, null)
      if (closed !== undefined) return refuse(SIGN_IN_WORDS[languageOf(request)].closed[closed], 403)
      const asker = { by: visitor.user.id, address: request.ip, requestId: request.id }
      if ((await requestPasswordReset(services, visitor.user.email, asker)) === 'bounded') {
        reply.header('retry-after', 3600)
        return refuse(wordsOf(request).mailsSent, 429)
      }
      return reply.redirect('/account/password?done=reset-mail', 303)
    })
  }

  /** Without a session: to the sign-in page first. */
  async #as(request: FastifyRequest, reply: FastifyReply, run: (visitor: UserPrincipal) => Promise<unknown>) {
    reply.header('cache-control', 'no-store').header('vary', 'Accept-Language, Cookie')
    const visitor = await visitorOf(this.#site.services, request)
    return visitor.kind === 'user' ? run(visitor) : reply.redirect('/sign-in?next=/account/password', 303)
  }

  /** Like `#as`, for what needs an unlimited session. */
  #asOwner(request: FastifyRequest, reply: FastifyReply, run: (visitor: UserPrincipal) => Promise<unknown>) {
    return this.#as(request, reply, visitor => {
      const limit = limitOf(visitor)
      if (limit !== null) throw forbidden(wordsOf(request).limit[limit])
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
    const password = await findPassword(services.db, visitor.user.id)
    const closed = await findClosed(services.db, visitor.user.id, password?.organization_id ?? null)
    return reply.send(
      renderAccount({
        shell: shellOf(this.#site, request, visitor),
        language: languageOf(request),
        formToken: formTokenOf(services.config, request),
        name: visitor.user.display_name,
        email: visitor.user.email,
        hasPassword: password !== undefined,
        isVerified: visitor.user.email_verified_at !== null,
        sendsMail: services.mail.isConfigured,
        closed: closed === undefined ? null : SIGN_IN_WORDS[languageOf(request)].closed[closed],
        limit: limit === null ? null : wordsOf(request).limit[limit],
        outcome,
      }),
    )
  }
}

const wordsOf = (request: FastifyRequest) => PASSWORD_WORDS[languageOf(request)]
