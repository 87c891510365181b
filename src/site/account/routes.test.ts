import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePassword, type Shown, signedIn, signInAs, Tab } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { issueToken } from '../../api/accounts/actions.ts'
import type { NewSession } from '../../api/sessions/actions.ts'
import { sha256 } from '../../base/canonical.ts'

const w = await world()
const PASSWORD = 'rain on a tin roof'
const NEXT = 'snow upon the old roof'
await givePassword(w, w.people.read.id, PASSWORD)

const tabOf = async (person: PersonName, session: Partial<NewSession> = {}) => {
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', await signedIn(w, person, session))
  await tab.get('/account/password')
  return tab
}
const problemOf = ({ text }: Shown): string =>
  /role="alert">.*?<span>([^<]*)<\/span><\/p>/s.exec(text)?.[1] ?? ''
const isOpen = async (tab: Tab) => (await tab.get('/account/password')).status === 200

test('the address of the account leads to the workspace', async () => {
  const { status, location } = await new Tab(w).get('/account')
  assert.deepEqual([status, location], [301, '/w/me'])
})

test('a visitor without a session is sent to sign in, and comes back', async () => {
  const { status, location } = await new Tab(w).get('/account/password')
  assert.deepEqual([status, location], [303, '/sign-in?next=/account/password'])
})

test('a password is changed with the current one, and every other session ends', async () => {
  const [tab, other] = [await tabOf('read'), await tabOf('read')]
  const done = await tab.post('/account/password', { current: PASSWORD, password: NEXT, repeat: NEXT })
  assert.deepEqual([done.status, done.location], [303, '/account/password?done=password'])
  assert.match(
    (await tab.get('/account/password?done=password')).text,
    /role="status".*Your password was changed/s,
  )
  assert.deepEqual([await isOpen(tab), await isOpen(other)], [true, false])
  assert.equal((await signInAs(new Tab(w), w.people.read.email, PASSWORD)).status, 403)
  assert.equal((await signInAs(new Tab(w), w.people.read.email, NEXT)).status, 303)
  await givePassword(w, w.people.read.id, PASSWORD)
})

test('a wrong current password, a weak new one, or two that differ change nothing', async () => {
  const [tab, other] = [await tabOf('read'), await tabOf('read')]
  for (const [fields, status, reason] of [
    [{ current: 'not that one', password: NEXT, repeat: NEXT }, 403, /current password is wrong/],
    [{ current: 'x'.repeat(600), password: NEXT, repeat: NEXT }, 403, /current password is wrong/],
    [{ current: PASSWORD, password: NEXT, repeat: `${NEXT}.` }, 400, /do not match/],
    [{ current: PASSWORD, password: 'short', repeat: 'short' }, 400, /at least 10/],
    [{ password: NEXT, repeat: NEXT }, 403, /current password is wrong/],
  ] as const) {
    const refused = await tab.post('/account/password', fields as Record<string, string>)
    assert.equal(refused.status, status)
    assert.match(problemOf(refused), reason)
  }
  assert.equal(await isOpen(other), true)
  assert.equal((await signInAs(new Tab(w), w.people.read.email, PASSWORD)).status, 303)
})

test('guessing the current password locks as signing in does', async () => {
  await givePassword(w, w.people.create.id, PASSWORD)
  const tab = await tabOf('create')
  const guess = { current: 'not that one', password: NEXT, repeat: NEXT }
  for (let time = 0; time < 10; time += 1)
    assert.equal((await tab.post('/account/password', guess)).status, 403)
  assert.equal((await tab.post('/account/password', { ...guess, current: PASSWORD })).status, 429)
  assert.equal((await signInAs(new Tab(w), w.people.create.email, PASSWORD)).status, 429)
})

test('a session that is not the whole person reads, signs out, and does not change the password', async () => {
  const { row } = await w.services.transaction(trx =>
    issueToken(trx, { userId: w.people.read.id, label: 'narrow', scopes: ['space:read'] }),
  )
  const other = await tabOf('read')
  for (const session of [
    { method: 'saml', organizationId: w.organizationId },
    { method: 'token', tokenId: row.id },
  ] as const) {
    const tab = await tabOf('read', session)
    const { text } = await tab.get('/account/password')
    assert.match(text, /cannot change your password here/)
    assert.doesNotMatch(text, /<form class="fields"/)
    // The page has no form that would have it.
    tab.formToken = sha256(`form ${tab.cookies.get('octavo_session')}`)
    for (const [path, fields] of [
      ['/account/password', { current: PASSWORD, password: NEXT, repeat: NEXT }],
      ['/account/reset-mail', {}],
    ] as const) {
      const refused = await tab.post(path, fields)
      assert.deepEqual(
        [refused.status, /cannot change your password here/.test(refused.text)],
        [403, true],
        path,
      )
    }
    assert.equal(await isOpen(other), true)
    assert.equal((await tab.post('/sign-out', { person: w.people.read.id })).status, 303)
    assert.equal((await tab.get('/account/password')).status, 303)
  }
  assert.equal((await signInAs(new Tab(w), w.people.read.email, PASSWORD)).status, 303)
})

test('the page says only what it was made to say', async () => {
  const tab = await tabOf('admin')
  for (const done of ['%3Cscript%3E', 'constructor', 'password&done=reset-mail'])
    assert.doesNotMatch((await tab.get(`/account/password?done=${done}`)).text, /role="status"/)
})
