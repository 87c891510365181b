// The page where people confirm in a session who they are, before they change how their account is protected: by what
// the session was begun with.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PersonInSession } from '../../access/principal.ts'
import { confirmByPasskey, confirmedBy, confirmSession } from '../../api/sessions/confirmation.ts'
import { authenticationOptions } from '../../api/sessions/passkeys.ts'
import { Failure } from '../../base/errors.ts'
import { statusOf } from '../../http/failures.ts'
import { formOf, formTokenOf } from '../forms.ts'
import { languageOf } from '../languages.ts'
import { queryParameter } from '../parameters.ts'
import { readNext, visitorOf } from '../session.ts'
import { withBrowserEvents } from '../session-cookies.ts'
import { shellOf, signInHref } from '../shell.ts'
import { WORDS } from '../sign-in/factor-words.ts'
import { relyingPartyOf } from '../sign-in/relying-party.ts'
import type { Site } from '../visits.ts'
import { CONFIRM_PATH, renderConfirm } from './confirm-page.ts'

/** Returns to `next`. */
export const confirmHref = (next: string): string => `${CONFIRM_PATH}?${new URLSearchParams({ next })}`

export function serveConfirmPage(pages: FastifyInstance, site: Site): void {
  pages.get(CONFIRM_PATH, (request, reply) => {
    const next = readNext(queryParameter(request, 'next'))
    return withPerson(site, request, reply, next, person => show(site, request, reply, person, next, null))
  })
  pages.post(CONFIRM_PATH, (request, reply) => {
    const next = readNext(formOf(request).get('next'))
    return withPerson(site, request, reply, next, person => confirm(site, request, reply, person, next))
  })
}

async function withPerson(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
  answer: (person: PersonInSession) => Promise<unknown>,
) {
  reply.header('cache-control', 'no-store').header('vary', 'Accept-Language, Cookie')
  const visitor = await visitorOf(site.services, request)
  if (visitor.kind !== 'user' || visitor.session === null) return reply.redirect(signInHref(next), 303)
  // Only the provider can ask.
  if (confirmedBy(visitor.session.method) === 'provider')
    return reply.redirect(`/sso/confirm?${new URLSearchParams({ next })}`, 303)
  return answer({ ...visitor, session: visitor.session })
}

async function show(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  person: PersonInSession,
  next: string,
  problem: string | null,
) {
  const { services } = site
  const by = confirmedBy(person.session.method)
  const relyingParty = by === 'passkey' ? relyingPartyOf(services.config, request.host) : null
  const challengeFor = { purpose: 'confirm', secret: person.session.id } as const
  return reply.send(
    renderConfirm({
      shell: shellOf(site, request, person),
      language: languageOf(request),
      formToken: formTokenOf(services.config, request),
      next,
      email: person.user.email,
      by: by === 'token' || by === 'passkey' ? by : 'password',
      passkeyOptions:
        relyingParty === null
          ? null
          : await authenticationOptions(services.signingKey, challengeFor, relyingParty, null),
      problem,
    }),
  )
}

async function confirm(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  person: PersonInSession,
  next: string,
) {
  const { services } = site
  const form = formOf(request)
  const by = confirmedBy(person.session.method)
  const words = WORDS[languageOf(request)]
  const context = { ...withBrowserEvents(services, request), principal: person }
  try {
    if (by === 'passkey') {
      const relyingParty = relyingPartyOf(services.config, request.host)
      if (relyingParty === null)
        return show(site, request, reply.code(403), person, next, words.passkeyNowhere)
      const challengeFor = { purpose: 'confirm', secret: person.session.id } as const
      const answer = form.get('answer') ?? ''
      await confirmByPasskey(context, { kind: 'passkey', answer, challengeFor, relyingParty })
    } else await confirmSession(context, { [by]: form.get('proof') ?? '' })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const isWrong = error.code === 'credentials_wrong' && by !== 'provider'
    const problem = isWrong ? words.confirmWrong[by] : error.message
    return show(site, request, reply.code(statusOf(error.kind)), person, next, problem)
  }
  return reply.redirect(next, 303)
}
