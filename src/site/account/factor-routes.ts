// The routes of the page where people set up their second factor.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PersonInSession, UserPrincipal } from '../../access/principal.ts'
import { findClosed } from '../../api/sessions/closed.ts'
import {
  addPasskey,
  beginTotpSetup,
  confirmTotpSetup,
  readFactors,
  removeFactor,
  renewRecoveryCodes,
  type SetUp,
} from '../../api/sessions/factors.ts'
import { registrationOptions } from '../../api/sessions/passkeys.ts'
import { findPassword } from '../../api/sessions/rows.ts'
import { findTotp, totpKeyOf } from '../../api/sessions/totp.ts'
import { Failure } from '../../base/errors.ts'
import { confirmedUntil } from '../../http/confirmation.ts'
import type { ActionContext } from '../../http/context.ts'
import { statusOf } from '../../http/failures.ts'
import { formOf, formTokenOf } from '../forms.ts'
import { languageOf } from '../languages.ts'
import { queryParameter } from '../parameters.ts'
import { SETTINGS_PATH, settingsHref } from '../second-factor-href.ts'
import { readNext, visitorOf } from '../session.ts'
import { withBrowserEvents } from '../session-cookies.ts'
import { shellOf, signInHref } from '../shell.ts'
import { WORDS, type Words } from '../sign-in/factor-words.ts'
import { relyingPartyOf } from '../sign-in/relying-party.ts'
import type { Site } from '../visits.ts'
import { confirmHref, serveConfirmPage } from './confirm-routes.ts'
import { type Outcome, renderCodes, renderSettings } from './factor-page.ts'
import { limitOf } from './limit.ts'

export function serveFactorSettings(pages: FastifyInstance, site: Site): void {
  pages.get(SETTINGS_PATH, (request, reply) =>
    withPerson(site, request, reply, person => {
      const done = queryParameter(request, 'done') ?? ''
      const words = wordsOf(request).done
      // The only messages that it can show, as anybody can make such a link.
      const isKnown = Object.hasOwn(words, done)
      const outcome = isKnown ? ({ isDone: true, words: words[done as keyof Words['done']] } as const) : null
      return show(site, request, reply, person, nextOf(queryParameter(request, 'next')), outcome)
    }),
  )
  pages.post(SETTINGS_PATH, (request, reply) =>
    withPerson(site, request, reply, person => change(site, request, reply, person)),
  )
  serveConfirmPage(pages, site)
}

const wordsOf = (request: FastifyRequest): Words => WORDS[languageOf(request)]
const nextOf = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : readNext(text)

async function withPerson(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (person: PersonInSession) => Promise<unknown>,
) {
  reply.header('cache-control', 'no-store').header('vary', 'Accept-Language, Cookie')
  const visitor = await visitorOf(site.services, request)
  return visitor.kind === 'user' && isInSession(visitor)
    ? answer(visitor)
    : reply.redirect(signInHref(SETTINGS_PATH), 303)
}

const isInSession = (person: UserPrincipal): person is PersonInSession => person.session !== null

const isConfirmed = ({ session }: PersonInSession): boolean => confirmedUntil(session.confirmedAt) !== null

/** Why somebody can change nothing here; null if they can. */
async function findLimit({ services: { db } }: Site, person: PersonInSession, words: Words) {
  // A token that was copied would become a way to sign in that its person does not know of.
  if (person.session.method === 'token') return words.byToken
  if (limitOf(person) !== null) return words.limited
  const password = await findPassword(db, person.user.id)
  if ((await findClosed(db, person.user.id, password?.organization_id ?? null)) === 'sso')
    return words.provider
  return password === undefined ? words.passwordless : null
}

async function show(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  person: PersonInSession,
  next: string | null,
  outcome: Outcome | null,
) {
  const { services } = site
  const { user, session } = person
  const limit = await findLimit(site, person, wordsOf(request))
  const isOpen = limit === null && isConfirmed(person)
  const factors = await readFactors(services, user.id)
  const totp = isOpen ? await findTotp(services.db, services.signingKey, user.id) : undefined
  const relyingParty = isOpen ? relyingPartyOf(services.config, request.host) : null
  const owner = { id: user.id, email: user.email, name: user.display_name }
  const challengeFor = { purpose: 'register', secret: session.id } as const
  return reply.send(
    renderSettings({
      shell: shellOf(site, request, person),
      language: languageOf(request),
      formToken: formTokenOf(services.config, request),
      next,
      factors,
      limit,
      signInHref: session.method === 'token' ? signInHref(next ?? SETTINGS_PATH) : null,
      confirmHref: isOpen ? null : confirmHref(next === null ? SETTINGS_PATH : settingsHref(next)),
      totpKey: totp === undefined || totp.isConfirmed ? null : totpKeyOf(totp.secret, user.email),
      passkeyOptions:
        relyingParty === null
          ? null
          : await registrationOptions(
              services.signingKey,
              challengeFor,
              relyingParty,
              owner,
              factors.passkeys,
            ),
      outcome,
    }),
  )
}

async function change(site: Site, request: FastifyRequest, reply: FastifyReply, person: PersonInSession) {
  const words = wordsOf(request)
  const next = nextOf(formOf(request).get('next'))
  const refuse = (refused: Outcome & { isDone: false }, status: number) =>
    show(site, request, reply.code(status), person, next, refused)
  const limit = await findLimit(site, person, words)
  if (limit !== null) return refuse({ isDone: false, words: limit, form: 'other' }, 403)
  if (!isConfirmed(person))
    return reply.redirect(confirmHref(next === null ? SETTINGS_PATH : settingsHref(next)), 303)
  const context = { ...withBrowserEvents(site.services, request), principal: person }
  try {
    const ended = await act(context, request, words)
    if (ended.kind === 'refused') return refuse({ isDone: false, ...ended }, 403)
    if (ended.codes !== null) {
      const shell = shellOf(site, request, person)
      return reply.send(renderCodes({ shell, language: languageOf(request), next }, ended.codes))
    }
    const query = new URLSearchParams({
      ...(ended.done === null ? {} : { done: ended.done }),
      ...(next === null ? {} : { next }),
    })
    return reply.redirect(`${SETTINGS_PATH}?${query}`, 303)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return refuse({ isDone: false, words: error.message, form: 'other' }, statusOf(error.kind))
  }
}

type Act =
  | {
      readonly kind: 'done'
      readonly codes: readonly string[] | null
      readonly done: keyof Words['done'] | null
    }
  | { readonly kind: 'refused'; readonly words: string; readonly form: 'totp' | 'passkey' }

async function act(
  context: ActionContext<PersonInSession>,
  request: FastifyRequest,
  words: Words,
): Promise<Act> {
  const form = formOf(request)
  const done = (what: keyof Words['done'] | null): Act => ({ kind: 'done', codes: null, done: what })
  switch (form.get('act')) {
    case 'begin-app':
      await beginTotpSetup(context)
      return done(null)
    case 'confirm-app':
      return toAct(await confirmTotpSetup(context, form.get('code') ?? ''), 'app', {
        words: words.wrongCode,
        form: 'totp',
      })
    case 'remove-app':
      await removeFactor(context, { kind: 'totp' })
      return done('app-removed')
    case 'add-passkey':
      return toAct(await add(context, request), 'passkey', { words: words.wrongPasskey, form: 'passkey' })
    case 'remove-passkey':
      await removeFactor(context, { kind: 'passkey', passkeyId: form.get('passkey') ?? '' })
      return done('passkey-removed')
    case 'renew-codes':
      return { kind: 'done', codes: await renewRecoveryCodes(context), done: null }
    default:
      return done(null)
  }
}

const toAct = (
  ended: SetUp,
  done: keyof Words['done'],
  refused: Omit<Act & { kind: 'refused' }, 'kind'>,
): Act =>
  ended.kind === 'done' ? { kind: 'done', codes: ended.codes, done } : { kind: 'refused', ...refused }

async function add(context: ActionContext<PersonInSession>, request: FastifyRequest): Promise<SetUp> {
  const form = formOf(request)
  const relyingParty = relyingPartyOf(context.config, request.host)
  if (relyingParty === null) return { kind: 'wrong' }
  const challengeFor = { purpose: 'register', secret: context.principal.session.id } as const
  const given = { name: form.get('name') ?? '', answer: form.get('answer') ?? '' }
  return addPasskey(context, { ...given, challengeFor, relyingParty })
}
