// Signing in with an email address and a password, and choosing a password. Every outcome is a value; the page puts it
// into words.
import type { UserPrincipal, UserRow } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { findUser, findUserByEmail } from '../accounts/rows.ts'
import { verifyEmail } from '../accounts/verify-email.ts'
import { beginSession, endSessions } from './actions.ts'
import { type Browser, type Closed, findClosed } from './closed.ts'
import { type Device, encodeDevice, findDevice } from './devices.ts'
import { removeFactors } from './factor-reset.ts'
import { hasFactor } from './factors.ts'
import { type Counted, countedBy, countTry, forgetTries, LOCK_MINUTES } from './lockout.ts'
import { findPasswordLink, removePasswordLinks } from './password-links.ts'
import { checkPassword, hashPassword, isOutdated, isTooLong, verifyPassword } from './passwords.ts'
import { findPassword, type PasswordRow, putPassword } from './rows.ts'
import { beginStep, removeSteps } from './second-step.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'password.changed': { how: 'link' | 'current_password' }
    /** Too many wrong passwords for a user's email address. */
    'sign_in.locked': { user: string; minutes: number }
  }
}

type Able = Pick<Services, 'db' | 'transaction' | 'events' | 'signingKey'>

/** The secret of a session, and the cookie by which the browser is known from now on. */
type Begun =
  | { readonly kind: 'done'; readonly secret: string; readonly device: string }
  /** The password is right, and the secret is of the second step, which asks for the second factor. */
  | { readonly kind: 'step'; readonly secret: string }

export type SignIn =
  | Begun
  /** `wrong` does not reveal whether the address or the password is. */
  | { readonly kind: 'wrong' | 'locked' }
  /** The password is theirs, but it opens nothing. */
  | { readonly kind: Closed }

const EMAIL_CHARACTERS_MAX = 254

/** The form in which email addresses are compared; undefined for an impossible one. */
export const readEmail = (text: string): string | undefined => {
  const email = text.trim().toLowerCase()
  return email === '' || email.length > EMAIL_CHARACTERS_MAX || /[\u0000-\u0020\ud800-\udfff]/.test(email)
    ? undefined
    : email
}

/** The device by the cookie that a browser brings, for the address that was typed. */
export async function findKnownDevice(
  services: Pick<Services, 'db' | 'signingKey'>,
  typed: string,
  cookie: string | undefined,
): Promise<Device | undefined> {
  const email = readEmail(typed)
  return email === undefined ? undefined : findDevice(services, email, cookie)
}

/** `device`: the known one that belongs to the typed address, if any. */
export async function signInWithPassword(
  services: Able,
  given: { readonly email: string; readonly password: string; readonly device?: Device | undefined },
  browser: Browser,
): Promise<SignIn> {
  const email = readEmail(given.email)
  if (email === undefined || isTooLong(given.password)) return { kind: 'wrong' }
  const checked = await checkGuess(services, email, given.password, countedBy(email, given.device))
  if (checked.kind !== 'right') return checked
  const { user, kept } = checked
  const closed = await findClosed(services.db, user.id, kept.organization_id)
  if (closed !== undefined) return { kind: closed }
  const hash = isOutdated(kept.hash) ? await hashPassword(given.password) : kept.hash
  return services.transaction(async trx => {
    // A password change in the meantime has ended every session.
    if ((await findPassword(trx, user.id, 'locked'))?.hash !== kept.hash) return { kind: 'wrong' }
    if (hash !== kept.hash) await putPassword(trx, user.id, { ...kept, hash })
    return begin(trx, services, user, { ...kept, hash }, browser)
  })
}

/** Changes the password of a signed-in user; ends all of their other sessions. No other browser stays known. */
export async function changePassword(
  services: Able,
  { user, session }: Pick<UserPrincipal, 'user' | 'session'>,
  given: { readonly current: string; readonly next: string; readonly device?: Device | undefined },
): Promise<Change> {
  if (isTooLong(given.current)) return { kind: 'wrong' }
  checkPassword(given.next, user)
  const email = user.email.toLowerCase()
  const checked = await checkGuess(services, email, given.current, countedBy(email, given.device))
  if (checked.kind !== 'right') return checked
  const { kept } = checked
  const closed = await findClosed(services.db, user.id, kept.organization_id)
  if (closed !== undefined) return { kind: closed }
  const hash = await hashPassword(given.next)
  return services.transaction(async trx => {
    if ((await findPassword(trx, user.id, 'locked'))?.hash !== kept.hash) return { kind: 'wrong' }
    const keptId = session?.id ?? null
    await replacePassword(trx, services, user, { ...kept, hash }, { how: 'current_password', keptId })
    return { kind: 'done', device: encodeDevice(services, email, hash) }
  })
}

type Change =
  | { readonly kind: 'done'; readonly device: string }
  | { readonly kind: 'wrong' | 'locked' | Closed }

export type Choice = Begun | { readonly kind: 'gone' | Closed }

/** Sets the password of the link's user and signs them in. Ends all of their other sessions and links. */
export async function choosePassword(
  services: Able,
  given: { readonly link: string; readonly password: string },
  browser: Browser,
): Promise<Choice> {
  const linked = await findLinked(services.db, given.link)
  if (linked === undefined) return { kind: 'gone' }
  const { user } = linked
  const closed = await findClosed(services.db, user.id, linked.organization?.id ?? null)
  if (closed !== undefined) return { kind: closed }
  checkPassword(given.password, user)
  const hash = await hashPassword(given.password)
  return services.transaction(async trx => {
    const link = await findPasswordLink(trx, given.link, 'locked')
    if (link === undefined) return { kind: 'gone' }
    await removePasswordLinks(trx, user.id)
    const { organization_id } = link
    // What was set up on the word of an organization does not bind the person whose address it is.
    if (organization_id === null && (await findPassword(trx, user.id, 'locked'))?.organization_id != null)
      await removeFactors(trx, services.events, user.id, { actorId: user.id })
    // A mailed link proves the address; for a printed one the operator vouches. An organization vouches for nothing
    // outside of itself.
    if (organization_id === null) await verifyEmail(trx, services.events, user.id)
    await replacePassword(trx, services, user, { hash, organization_id }, { how: 'link', keptId: null })
    return begin(trx, services, user, { hash, organization_id }, browser)
  })
}

export type Linked = {
  readonly user: UserRow
  /** Of a link that an admin made: the only one that its password opens, and who made it. */
  readonly organization: { readonly id: string; readonly title: string; readonly inviter: string } | null
}

/** Whom a link is for, if it can be used. */
export async function findLinked(db: Db, secret: string): Promise<Linked | undefined> {
  const link = await findPasswordLink(db, secret)
  const user = link && (await findUser(db, link.user_id))
  if (link === undefined || user === undefined) return undefined
  const { organization_id, created_by } = link
  if (organization_id === null || created_by === null) return { user, organization: null }
  const organization = await db
    .selectFrom('organizations')
    .innerJoin('users', join => join.on('users.id', '=', created_by))
    .select(['organizations.id', 'organizations.title', 'users.display_name as inviter'])
    .where('organizations.id', '=', organization_id)
    .executeTakeFirst()
  return organization && { user, organization }
}

type Guess =
  | { readonly kind: 'right'; readonly user: UserRow; readonly kept: PasswordRow }
  | { readonly kind: 'wrong' | 'locked' }

/** Unknown addresses take as long, and are locked like others. */
export async function checkGuess(
  services: Able,
  email: string,
  password: string,
  by: Counted,
): Promise<Guess> {
  const { db, events, transaction } = services
  const counted = await countTry(services, by)
  if (counted.isLocked) return { kind: 'locked' }
  const user = await findUserByEmail(db, email)
  // Also queried for unknown addresses: one query less would reveal them.
  const kept = await findPassword(db, user?.id ?? '')
  if ((await verifyPassword(kept?.hash, password)) && user !== undefined && kept !== undefined) {
    // What strangers tried for the address stays counted if the browser is known.
    await forgetTries(db, services, by)
    return { kind: 'right', user, kept }
  }
  if (counted.isLast && user !== undefined) {
    const payload = { user: user.id, minutes: LOCK_MINUTES }
    await transaction(trx => events.append(trx, { type: 'sign_in.locked', payload }))
  }
  return { kind: 'wrong' }
}

/** A session, or the second step for who has a second factor. */
const begin = async (
  trx: Trx,
  services: Able,
  user: UserRow,
  { hash, organization_id }: PasswordRow,
  browser: Browser,
): Promise<Begun> =>
  (await hasFactor(trx, user.id))
    ? { kind: 'step', secret: await beginStep(trx, user.id) }
    : {
        kind: 'done',
        secret: await beginSession(trx, services.events, {
          userId: user.id,
          method: 'password',
          organizationId: organization_id,
          tokenId: null,
          confirmedAt: now(),
          ...browser,
        }),
        device: encodeDevice(services, user.email.toLowerCase(), hash),
      }

async function replacePassword(
  trx: Trx,
  services: Able,
  user: UserRow,
  password: PasswordRow,
  { how, keptId }: { readonly how: 'link' | 'current_password'; readonly keptId: string | null },
): Promise<void> {
  await putPassword(trx, user.id, password)
  await forgetTries(trx, services, countedBy(user.email.toLowerCase(), undefined))
  await removeSteps(trx, user.id)
  await services.events.append(trx, { type: 'password.changed', actorId: user.id, payload: { how } })
  await endSessions(trx, services.events, {
    ...{ userId: user.id, actorId: user.id },
    ...{ keptId, why: 'password_changed' },
  })
}
