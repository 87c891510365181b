import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serverWith } from '../../../test/support/server.ts'
import { givePassword, signInAs, Tab } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { issueToken } from '../../api/accounts/actions.ts'
import { TRIES_MAX } from '../../api/sessions/lockout.ts'
import { createPasswordLink } from '../../api/sessions/password-links.ts'
import { FAILURES_MAX } from './attempts.ts'

const w = await world()
// Failures of one network address are counted in a server: other tests share the usual one.
const own = { app: serverWith(w, {}) }
const PASSWORD = 'rain on a tin roof'
const COOKIE = 'octavo_device'

/** Somebody with a password, and a browser in which they signed in and out. */
async function knownBrowser(name: PersonName) {
  const { id, email } = w.people[name]
  await givePassword(w, id, PASSWORD)
  const tab = new Tab(own)
  const { status, headers } = await signInAs(tab, email, PASSWORD)
  assert.equal(status, 303)
  await tab.get('/account/password')
  await tab.post('/sign-out', { person: id })
  return { id, email, tab, headers }
}

async function failIn(newTab: () => Tab, email: string): Promise<void> {
  for (let time = 0; time < TRIES_MAX; time += 1)
    assert.equal((await signInAs(newTab(), email, `wrong ${time}`)).status, 403)
}
const strangerFails = (email: string) => failIn(() => new Tab(own), email)
const statusIn = async (tab: Tab, email: string, password = PASSWORD) =>
  (await signInAs(tab, email, password)).status

test("a stranger's guesses lock an address for unknown browsers, and not for one in which it signed in", async () => {
  const { email, tab, headers } = await knownBrowser('read')
  assert.match(
    String(headers['set-cookie']),
    /octavo_device=[\w.-]{90,128}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000(?:,|$)/,
  )
  await strangerFails(email)
  assert.equal(await statusIn(new Tab(own), email), 429)
  assert.equal(await statusIn(tab, email, 'a slip'), 403)
  assert.equal(await statusIn(tab, email), 303)
  assert.equal(await statusIn(new Tab(own), email), 429, 'the count of strangers stays')
})

test('the own wrong tries of a known browser lock it, and no other', async () => {
  const { email, tab } = await knownBrowser('comment')
  const other = new Tab(own)
  assert.equal(await statusIn(other, email), 303)
  await failIn(() => tab, email)
  assert.equal(await statusIn(tab, email), 429)
  assert.equal(await statusIn(other, email), 303)
  assert.equal(await statusIn(new Tab(own), email), 303)
})

test('the cookie of another account, or one that was forged, helps nothing', async () => {
  const { email } = await knownBrowser('edit')
  const others = (await knownBrowser('review')).tab.cookies.get(COOKIE) ?? ''
  await strangerFails(email)
  for (const cookie of [others, `${others.slice(0, -1)}-`, 'a', `${'a'.repeat(43)}.a.a.a`]) {
    const tab = new Tab(own)
    tab.cookies.set(COOKIE, cookie)
    assert.equal(await statusIn(tab, email), 429)
  }
})

test('a new password ends what was known, and the browser that chose it is known', async () => {
  const { id, email, tab } = await knownBrowser('create')
  const old = tab.cookies.get(COOKIE) as string
  const link = await w.services.transaction(trx => createPasswordLink(trx, id, { isMailed: false }))
  await tab.get(link)
  assert.equal((await tab.post(link, { password: `${PASSWORD} 2`, repeat: `${PASSWORD} 2` })).status, 303)
  await strangerFails(email)
  await tab.get('/account/password')
  const change = { current: `${PASSWORD} 2`, password: `${PASSWORD} 3`, repeat: `${PASSWORD} 3` }
  assert.equal((await tab.post('/account/password', change)).status, 303, 'known by the link')
  const chosen = tab.cookies.get(COOKIE) as string
  // The change has lifted the lock.
  await strangerFails(email)
  for (const [cookie, status] of [
    [old, 429],
    [chosen, 303],
  ] as const) {
    const browser = new Tab(own)
    browser.cookies.set(COOKIE, cookie)
    assert.equal(await statusIn(browser, email, `${PASSWORD} 3`), status)
  }
})

test('a token and a known browser sign in although others of their network failed too often', async () => {
  const crowded = { app: serverWith(w, {}) }
  const { id, email } = w.people.guest
  await givePassword(w, id, PASSWORD)
  const known = new Tab(crowded)
  assert.equal(await statusIn(known, email), 303)
  const { secret } = await w.services.transaction(trx =>
    issueToken(trx, { userId: id, label: 'reader', scopes: ['space:read'] }),
  )
  const crowd = new Tab(crowded)
  await crowd.get('/sign-in')
  let status = 0
  for (let time = 0; time <= FAILURES_MAX && status !== 429; time += 1)
    ({ status } = await crowd.post('/sign-in/token', { token: 'unknown' }))
  assert.equal(status, 429, 'invalid tokens stay bounded')
  assert.equal(await statusIn(new Tab(crowded), email), 429)
  assert.equal(await statusIn(known, email), 303)
  assert.equal((await crowd.post('/sign-in/token', { token: secret })).status, 303)
})
