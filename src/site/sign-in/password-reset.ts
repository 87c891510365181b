// Asking for an email with a link to choose a password.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestPasswordReset } from '../../api/sessions/password-reset.ts'
import { formOf, setFormToken } from '../forms.ts'
import { languageOf } from '../languages.ts'
import { visitorOf } from '../session.ts'
import { shellOf } from '../shell.ts'
import type { Site } from '../visits.ts'
import { type AttemptsBound, createAttempts } from './attempts.ts'
import { type PasswordResetPage, renderPasswordResetPage } from './password-reset-page.ts'
import { PASSWORD_WORDS } from './password-words.ts'

/** Enough for an office behind one address, too few for sending emails to strangers. */
export const REQUESTS: AttemptsBound = { max: 20, windowMinutes: 60 }

export function servePasswordReset(pages: FastifyInstance, site: Site): void {
  const { services } = site
  const requests = createAttempts(undefined, REQUESTS)

  const answer = async (request: FastifyRequest, reply: FastifyReply, page: PasswordResetPage) => {
    const shell = shellOf(site, request, await visitorOf(services, request))
    return reply
      .header('cache-control', 'no-store')
      .header('vary', 'Accept-Language, Cookie')
      .send(renderPasswordResetPage({ ...shell, signInHref: '/sign-in' }, languageOf(request), page))
  }
  const answerForm = (
    request: FastifyRequest,
    reply: FastifyReply,
    rest: Pick<PasswordResetPage & { kind: 'form' }, 'email' | 'problem'>,
  ) =>
    answer(request, reply, {
      kind: 'form',
      formToken: setFormToken(services.config, request, reply),
      ...rest,
    })

  pages.get('/password', (request, reply) =>
    services.mail.isConfigured
      ? answerForm(request, reply, { email: '', problem: null })
      : answer(request, reply, { kind: 'mailless' }),
  )

  pages.post('/password', async (request, reply) => {
    if (!services.mail.isConfigured) return answer(request, reply.code(409), { kind: 'mailless' })
    const email = formOf(request).get('email') ?? ''
    if (!requests.begin(request.ip)) {
      reply.code(429).header('retry-after', REQUESTS.windowMinutes * 60)
      return answerForm(request, reply, {
        email,
        problem: { words: PASSWORD_WORDS[languageOf(request)].crowded },
      })
    }
    const asker = { by: null, address: request.ip, requestId: request.id }
    // The answer does not reveal that the address has reached its limit: it may belong to somebody else.
    await requestPasswordReset(services, email, asker)
    return answer(request, reply, { kind: 'sent' })
  })
}
