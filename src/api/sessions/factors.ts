// The second factor of a person: what they have of it, setting it up, and taking it away. The person has confirmed
// who they are; `site/account` asks for that.
import { Failure, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { ActionContext, Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { HAS_FACTOR } from '../members/second-factor.ts'
import { endSessions } from './actions.ts'
import { type ChallengeFor, spendChallenge } from './challenges.ts'
import { tellOfFactor } from './factor-mail.ts'
import { insertPasskey, listPasskeys, PASSKEYS_MAX, type PasskeyRow, removePasskey } from './passkey-rows.ts'
import { type RelyingParty, readAnswer, verifyRegistration } from './passkeys.ts'
import { countCodes, removeCodes, renewCodes } from './recovery-codes.ts'
import { findPassword, updateSessionFactor } from './rows.ts'
import { confirmTotp, findPeriod, findTotp, putTotp, removeTotp } from './totp.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'second_factor.added': { user: string; kind: 'totp' | 'passkey' }
    'second_factor.removed': { user: string; kind: 'totp' | 'passkey' }
    'second_factor.codes_renewed': { user: string }
  }
}

export const PASSKEY_NAME_CHARACTERS_MAX = 64

export type Factors = {
  readonly hasTotp: boolean
  readonly passkeys: readonly PasskeyRow[]
  /** Recovery codes that were not used. */
  readonly codes: number
  /** Organizations of the person that demand a second factor of them. */
  readonly demandedBy: readonly { readonly id: string; readonly title: string }[]
}

export const isSetUp = ({ hasTotp, passkeys }: Pick<Factors, 'hasTotp' | 'passkeys'>): boolean =>
  hasTotp || passkeys.length > 0

export async function readFactors(
  { db, signingKey }: Pick<Services, 'db' | 'signingKey'>,
  userId: string,
): Promise<Factors> {
  const totp = await findTotp(db, signingKey, userId)
  return {
    hasTotp: totp?.isConfirmed === true,
    passkeys: await listPasskeys(db, userId),
    codes: await countCodes(db, userId),
    demandedBy: await listDemanding(db, userId),
  }
}

/** Whether the person has a second factor. */
export async function hasFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select(HAS_FACTOR.as('is_set_up'))
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return row?.is_set_up === true
}

const listDemanding = (db: Db, userId: string) =>
  db
    .selectFrom('organizations')
    .select(['organizations.id', 'organizations.title'])
    .where('organizations.second_factor', '=', true)
    .where('organizations.id', 'in', eb =>
      eb
        .selectFrom('members')
        .select('organization_id')
        .where('user_id', '=', userId)
        .where('disabled', '=', false)
        .where('sso', '=', false),
    )
    .orderBy('organizations.title')
    .limit(10)
    .execute()

/** The codes are there if they were made with it: with the first app or passkey of a person. */
export type SetUp =
  | { readonly kind: 'done'; readonly codes: readonly string[] | null }
  | { readonly kind: 'wrong' }

/** A new secret for an authenticator app, which counts once `confirmTotpSetup` has seen a code of it. */
export async function beginTotpSetup({
  transaction,
  signingKey,
  principal: { user },
}: ActionContext): Promise<void> {
  await transaction(async trx => {
    await lockPerson(trx, user.id)
    if (!(await putTotp(trx, signingKey, user.id))) throw HAS_APP
  })
}

export async function confirmTotpSetup(context: ActionContext, code: string): Promise<SetUp> {
  const { db, signingKey, transaction, principal } = context
  const { user } = principal
  const totp = await findTotp(db, signingKey, user.id)
  if (totp?.isConfirmed === true) throw HAS_APP
  const period = totp && findPeriod(totp.secret, code)
  if (period === undefined) return { kind: 'wrong' }
  return transaction(async trx => {
    await lockPerson(trx, user.id)
    const isFirst = !(await hasFactor(trx, user.id))
    if (!(await confirmTotp(trx, user.id, period))) throw HAS_APP
    return added(trx, context, { factor: 'totp', isFirst })
  })
}

export async function addPasskey(
  context: ActionContext,
  given: {
    readonly name: string
    readonly answer: string
    readonly challengeFor: ChallengeFor
    readonly relyingParty: RelyingParty
  },
): Promise<SetUp> {
  const { signingKey, transaction, principal } = context
  const { user } = principal
  const name = [...given.name.trim()].slice(0, PASSKEY_NAME_CHARACTERS_MAX).join('')
  if (name === '') throw invalid('passkey_name_needed', 'Give the passkey a name.')
  const answer = readAnswer(signingKey, given.challengeFor, given.answer)
  const passkey = answer && (await verifyRegistration(answer, given.relyingParty))
  if (answer === undefined || passkey === undefined) return { kind: 'wrong' }
  return transaction(async trx => {
    await lockPerson(trx, user.id)
    if (!(await spendChallenge(trx, answer.challenge))) return { kind: 'wrong' }
    if ((await listPasskeys(trx, user.id)).length >= PASSKEYS_MAX)
      throw invalid('passkeys_full', `You have ${PASSKEYS_MAX} passkeys. Remove one first.`)
    const isFirst = !(await hasFactor(trx, user.id))
    const inserted = await insertPasskey(trx, { id: newId(), user_id: user.id, name, ...passkey })
    if (inserted === undefined) return { kind: 'wrong' }
    return added(trx, context, { factor: 'passkey', isFirst })
  })
}

/** With the first factor, other browsers have to sign in with it. */
async function added(
  trx: Trx,
  { events, jobs, mail, signingKey, principal: { user, session } }: ActionContext,
  { factor, isFirst }: { readonly factor: 'totp' | 'passkey'; readonly isFirst: boolean },
): Promise<SetUp> {
  await events.append(trx, {
    type: 'second_factor.added',
    actorId: user.id,
    payload: { user: user.id, kind: factor },
  })
  await tellOfFactor(trx, { jobs, mail }, user.id, `${factor}_added`)
  if (session !== null) await updateSessionFactor(trx, session.id, factor)
  if (!isFirst) return { kind: 'done', codes: null }
  await endSessions(trx, events, {
    ...{ userId: user.id, actorId: user.id },
    ...{ keptId: session?.id ?? null, why: 'second_factor_changed' },
  })
  return { kind: 'done', codes: await renewCodes(trx, signingKey, user.id) }
}

/** A factor of one kind; `passkeyId` which of the passkeys. Throws where an organization demands the last one. */
export async function removeFactor(
  context: ActionContext,
  removed: { readonly kind: 'totp' } | { readonly kind: 'passkey'; readonly passkeyId: string },
): Promise<void> {
  const { transaction, events, principal } = context
  const { user } = principal
  await transaction(async trx => {
    await lockPerson(trx, user.id)
    if (!(await remove(trx, user.id, removed))) return
    if (!(await hasFactor(trx, user.id))) {
      const [demanding] = await listDemanding(trx, user.id)
      if (demanding !== undefined) throw demanded(demanding.title)
      await removeCodes(trx, user.id)
    }
    await events.append(trx, {
      type: 'second_factor.removed',
      actorId: user.id,
      payload: { user: user.id, kind: removed.kind },
    })
    await tellOfFactor(trx, context, user.id, `${removed.kind}_removed`)
  })
}

/** Whether there was one. */
const remove = async (
  trx: Trx,
  userId: string,
  removed: Parameters<typeof removeFactor>[1],
): Promise<boolean> =>
  removed.kind === 'totp'
    ? removeTotp(trx, userId)
    : (await removePasskey(trx, userId, removed.passkeyId)) !== undefined

const demanded = (title: string): Failure =>
  new Failure(
    'conflict',
    'second_factor_demanded',
    `${title} demands a second factor. Add another before you remove this one.`,
  )

/** New codes in place of all earlier ones, for who has a second factor. */
export function renewRecoveryCodes(context: ActionContext): Promise<readonly string[]> {
  const { transaction, events, signingKey, principal } = context
  const { user } = principal
  return transaction(async trx => {
    await lockPerson(trx, user.id)
    if (!(await hasFactor(trx, user.id)))
      throw invalid('second_factor_missing', 'Set up an authenticator app or a passkey first.')
    await events.append(trx, {
      type: 'second_factor.codes_renewed',
      actorId: user.id,
      payload: { user: user.id },
    })
    await tellOfFactor(trx, context, user.id, 'codes_renewed')
    return renewCodes(trx, signingKey, user.id)
  })
}

/** Changes of one person come one after the other. Without a password there is nothing that a second factor adds to. */
async function lockPerson(trx: Trx, userId: string): Promise<void> {
  if ((await findPassword(trx, userId, 'locked')) === undefined)
    throw invalid('password_missing', 'A second factor is for people with a password. Choose one first.')
}

const HAS_APP = invalid(
  'totp_set_up',
  'You have set up an authenticator app already. Remove it to set up another.',
)
