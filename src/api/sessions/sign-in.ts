// Signing in with an email address and a password, and choosing a password. Every outcome is a value; the page puts it
// into words.
import type { UserPrincipal, UserRow } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import type { Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { findUser, findUserByEmail } from '../accounts/rows.ts'
import { verifyEmail } from '../accounts/verify-email.ts'
import { beginSession, endSessions } from './actions.ts'
import { type Device, encodeDevice, findDevice } from './devices.ts'
import { type Counted, countedBy, countTry, forgetTries, LOCK_MINUTES } from './lockout.ts'
import { findPasswordLink, removePasswordLinks } from './password-links.ts'
import { checkPassword, hashPassword, isOutdated, isTooLong, verifyPassword } from './passwords.ts'
import { findPassword, putPassword } from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'password.changed': { how: 'link' | 'current_password' }
    /** Too many wrong passwords for a user's email address. */
    'sign_in.locked': { user: string; minutes: number }
  }
}

type Able = Pick<Services, 'db' | 'transaction' | 'events' | 'signingKey'>

/** As shown in the list of sessions. */
export type Browser = { readonly address: string | null; readonly userAgent: string | null }

/** The secret of a session, and the cookie by which the browser is known from now on. */
type Begun = { readonly kind: 'done'; readonly secret: string; readonly device: string }

export type SignIn =
  | Begun
  /** `wrong` does not reveal whether the address or the password is. */
  | { readonly kind: 'wrong' | 'locked' }
  /** The password is theirs, but it opens nothing. */
  | { readonly kind: Closed }

/** Why a password opens nothing: each of their organizations has its own sign-in, or has disabled them. */
export type Closed = 'sso' | 'disabled'

export const CLOSED_BECAUSE: Readonly<Record<Closed, string>> = {
  sso: 'each of their organizations has its own way to sign in.',
  disabled: 'each of their memberships was disabled.',
}

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
  const { user, hash } = checked
  const closed = await findClosed(services.db, user.id)
  if (closed !== undefined) return { kind: closed }
  const renewed = isOutdated(hash) ? await hashPassword(given.password) : undefined
  return services.transaction(async trx => {
    // A password change in the meantime has ended every session.
    if ((await findPassword(trx, user.id, 'locked')) !== hash) return { kind: 'wrong' }
    if (renewed !== undefined) await putPassword(trx, user.id, renewed)
    return { kind: 'done', ...(await begin(trx, services, user, renewed ?? hash, browser)) }
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
  const closed = await findClosed(services.db, user.id)
  if (closed !== undefined) return { kind: closed }
  const next = await hashPassword(given.next)
  return services.transaction(async trx => {
    if ((await findPassword(trx, user.id, 'locked')) !== checked.hash) return { kind: 'wrong' }
    await replacePassword(trx, services, user, next, { how: 'current_password', keptId: session?.id ?? null })
    return { kind: 'done', device: encodeDevice(services, email, next) }
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
  const user = await findLinked(services.db, given.link)
  if (user === undefined) return { kind: 'gone' }
  const closed = await findClosed(services.db, user.id)
  if (closed !== undefined) return { kind: closed }
  checkPassword(given.password, user)
  const hash = await hashPassword(given.password)
  return services.transaction(async trx => {
    const link = await findPasswordLink(trx, given.link, 'locked')
    if (link === undefined) return { kind: 'gone' }
    await removePasswordLinks(trx, user.id)
    // A mailed link proves the address; for a printed one the operator vouches.
    await verifyEmail(trx, services.events, user.id)
    await replacePassword(trx, services, user, hash, { how: 'link', keptId: null })
    return { kind: 'done', ...(await begin(trx, services, user, hash, browser)) }
  })
}

/** The user of a link that can be used. */
export async function findLinked(db: Db, secret: string): Promise<UserRow | undefined> {
  const link = await findPasswordLink(db, secret)
  return link === undefined ? undefined : findUser(db, link.user_id)
}

/**
 * Why a password would open nothing; undefined if it opens something. Sessions by password do not open organizations
 * whose identity provider signs the member in. People without any organization may sign in.
 */
export async function findClosed(db: Db, userId: string): Promise<Closed | undefined> {
  const memberships = await db
    .selectFrom('members')
    .select(['disabled', 'sso'])
    .where('user_id', '=', userId)
    .execute()
  if (memberships.length === 0 || memberships.some(({ disabled, sso }) => !disabled && !sso)) return undefined
  return memberships.every(({ disabled }) => disabled) ? 'disabled' : 'sso'
}

type Guess =
  | { readonly kind: 'right'; readonly user: UserRow; readonly hash: string }
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
  const hash = await findPassword(db, user?.id ?? '')
  if ((await verifyPassword(hash, password)) && user !== undefined && hash !== undefined) {
    // What strangers tried for the address stays counted if the browser is known.
    await forgetTries(db, services, by)
    return { kind: 'right', user, hash }
  }
  if (counted.isLast && user !== undefined) {
    const payload = { user: user.id, minutes: LOCK_MINUTES }
    await transaction(trx => events.append(trx, { type: 'sign_in.locked', payload }))
  }
  return { kind: 'wrong' }
}

const begin = async (
  trx: Trx,
  services: Able,
  user: UserRow,
  hash: string,
  browser: Browser,
): Promise<Omit<Begun, 'kind'>> => ({
  secret: await beginSession(trx, services.events, {
    userId: user.id,
    method: 'password',
    organizationId: null,
    tokenId: null,
    confirmedAt: now(),
    ...browser,
  }),
  device: encodeDevice(services, user.email.toLowerCase(), hash),
})

async function replacePassword(
  trx: Trx,
  services: Able,
  user: UserRow,
  hash: string,
  { how, keptId }: { readonly how: 'link' | 'current_password'; readonly keptId: string | null },
): Promise<void> {
  await putPassword(trx, user.id, hash)
  await forgetTries(trx, services, countedBy(user.email.toLowerCase(), undefined))
  await services.events.append(trx, { type: 'password.changed', actorId: user.id, payload: { how } })
  await endSessions(trx, services.events, user.id, keptId, 'password_changed')
}
