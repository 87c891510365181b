import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePassword, signedIn } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { now } from '../../base/clock.ts'
import type { Message } from '../../platform/mail.ts'
import { signOut } from './actions.ts'
import { TRIES_MAX } from './lockout.ts'
import { createPasswordLink } from './password-links.ts'
import { sendPasswordReset } from './password-reset.ts'
import { changePassword, choosePassword, findKnownDevice, signInWithPassword } from './sign-in.ts'

const w = await world()
const { services, people } = w
const { db, transaction } = services
const { findSession } = services.principals

const OLD = 'rain on a tin roof'
const NEXT = 'snow on a slate roof'
const BROWSER = { address: null, userAgent: null }
const HOUR_MS = 3_600_000

const signIn = (name: PersonName, password: string) =>
  signInWithPassword(services, { email: people[name].email, password }, BROWSER)

const linkFor = async (name: PersonName): Promise<string> => {
  const path = await transaction(trx => createPasswordLink(trx, people[name].id, { isMailed: true }))
  return path.slice('/password/'.length)
}

const close = (name: PersonName, membership: { disabled?: boolean; sso?: boolean }) =>
  transaction(trx =>
    trx.updateTable('members').set(membership).where('user_id', '=', people[name].id).execute(),
  )

const payloadsOf = async (type: string, user: string) =>
  (
    await db
      .selectFrom('events')
      .select('payload')
      .where('type', '=', type)
      .where('actor_id', '=', user)
      .execute()
  ).map(({ payload }) => payload)

test('changing the password ends the other sessions, keeps this one, and makes its browser known', async () => {
  const { id, email } = people.read
  await givePassword(w, id, OLD)
  const [own, other] = [await signedIn(w, 'read'), await signedIn(w, 'read')]
  const principal = await findSession(own)
  assert.ok(principal !== undefined)
  const wrong = await changePassword(services, principal, { current: 'no password of theirs', next: NEXT })
  assert.deepEqual(wrong, { kind: 'wrong' })
  assert.notEqual(await findSession(other), undefined)
  const changed = await changePassword(services, principal, { current: OLD, next: NEXT })
  assert.equal(changed.kind, 'done')
  assert.ok('device' in changed && (await findKnownDevice(services, email, changed.device)) !== undefined)
  assert.deepEqual([(await findSession(own))?.user.id, await findSession(other)], [id, undefined])
  assert.deepEqual([(await signIn('read', OLD)).kind, (await signIn('read', NEXT)).kind], ['wrong', 'done'])
  assert.deepEqual(await payloadsOf('password.changed', id), [{ how: 'current_password' }])
})

test('a chosen password ends all sessions; its link works once, also for two who use it at the same time', async () => {
  const { id } = people.edit
  await givePassword(w, id, OLD)
  const before = await signedIn(w, 'edit')
  const link = await linkFor('edit')
  const choose = () => choosePassword(services, { link, password: NEXT }, BROWSER)
  const both = await Promise.all([choose(), choose()])
  assert.deepEqual(both.map(({ kind }) => kind).sort(), ['done', 'gone'])
  const done = both.find(({ kind }) => kind === 'done')
  assert.ok(done !== undefined && 'secret' in done)
  assert.deepEqual([(await findSession(done.secret))?.user.id, await findSession(before)], [id, undefined])
  assert.deepEqual(await choose(), { kind: 'gone' })
  assert.deepEqual(await payloadsOf('password.changed', id), [{ how: 'link' }])
})

test('where a password opens nothing, none is taken, changed or chosen', async () => {
  for (const [name, membership, kind] of [
    ['comment', { sso: true }, 'sso'],
    ['review', { disabled: true }, 'disabled'],
  ] as const) {
    await givePassword(w, people[name].id, OLD)
    const principal = await findSession(await signedIn(w, name))
    assert.ok(principal !== undefined)
    const link = await linkFor(name)
    await close(name, membership)
    assert.deepEqual(await signIn(name, OLD), { kind })
    assert.deepEqual(await changePassword(services, principal, { current: OLD, next: NEXT }), { kind })
    assert.deepEqual(await choosePassword(services, { link, password: NEXT }, BROWSER), { kind })
  }
})

test('after too many wrong passwords the right one is refused, too', async () => {
  await givePassword(w, people.create.id, OLD)
  const principal = await w.principalOf('create')
  for (let time = 0; time < TRIES_MAX; time += 1)
    assert.deepEqual(await signIn('create', 'no password of theirs'), { kind: 'wrong' })
  assert.deepEqual(await signIn('create', OLD), { kind: 'locked' })
  assert.deepEqual(await changePassword(services, principal, { current: OLD, next: NEXT }), {
    kind: 'locked',
  })
})

test('who has no password has none to change', async () => {
  const principal = await w.principalOf('stranger')
  assert.deepEqual(await changePassword(services, principal, { current: OLD, next: NEXT }), { kind: 'wrong' })
})

test('a browser that signs out is signed out, and no other', async () => {
  const [own, other] = [await signedIn(w, 'guest'), await signedIn(w, 'guest')]
  const principal = await findSession(own)
  assert.ok(principal !== undefined)
  await signOut(services, principal)
  assert.equal(await findSession(own), undefined)
  assert.notEqual(await findSession(other), undefined)
})

test('a link in an invitation waits for a week, and a printed one for a day', async () => {
  const { id } = people.stranger
  const before = now().getTime()
  for (const isMailed of [true, false]) await transaction(trx => createPasswordLink(trx, id, { isMailed }))
  const links = await db
    .selectFrom('password_links')
    .select(['is_mailed', 'expires_at'])
    .where('user_id', '=', id)
    .execute()
  const hours = links.map(({ is_mailed, expires_at }) => [
    is_mailed,
    Math.floor((expires_at.getTime() - before) / HOUR_MS),
  ])
  assert.deepEqual(
    new Map(hours as [boolean, number][]),
    new Map([
      [true, 168],
      [false, 24],
    ]),
  )
})

test('an email says that somebody asked, where, and either has a link or says why there is none', async () => {
  const sent: Message[] = []
  const mail = { ...services.mail, send: async (message: Message) => void sent.push(message) }
  const asked = async (name: PersonName) => {
    const by = people[name].id
    await sendPasswordReset({ ...services, mail }, { user: by, by, address: null, requestId: null })
    return sent.at(-1)?.text ?? ''
  }
  const ASKED = /asked for a link to choose a password at http:\/\/octavo\.test\/\n/
  const inviting = await asked('admin')
  assert.match(inviting, ASKED)
  assert.match(inviting, /\/password\/[\w-]{43}\n/)
  assert.deepEqual(await payloadsOf('password_link.created', people.admin.id), [
    { user: people.admin.id, isMailed: true },
  ])
  await close('guest', { disabled: true })
  const closed = await asked('guest')
  assert.match(closed, ASKED)
  assert.match(closed, /your membership has been disabled/)
  assert.doesNotMatch(closed, /\/password\//)
})
