import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePassword, signedIn, signInAs, Tab } from '../../test/support/sessions.ts'
import { world } from '../../test/support/world.ts'

const w = await world()
const PASSWORD = 'rain on a tin roof'
await givePassword(w, w.people.read.id, PASSWORD)
const fields = { email: w.people.read.email, password: PASSWORD }

/** Every form of the site, with a path that is there. */
const FORMS = [
  '/sign-in',
  '/sign-in/token',
  '/sign-out',
  '/password',
  '/password/unknown',
  '/account/password',
  '/account/reset-mail',
]

const signedInTab = async () => {
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', await signedIn(w, 'read'))
  await tab.get('/account/password')
  return tab
}

test('no form of the site is taken from a page of another', async () => {
  const tab = await signedInTab()
  for (const path of FORMS) {
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'https://octavo.test' },
      { origin: 'http://octavo.test.evil.test' },
      { origin: 'http://octavo.test:81' },
      { origin: 'null' },
      { origin: 'no address' },
      { origin: undefined },
      { origin: undefined, referer: 'https://evil.test/http://octavo.test/' },
      { origin: undefined, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, text, headers: told } = await tab.post(path, fields, headers)
      assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`)
      assert.equal(told['content-type'], 'text/html; charset=utf-8')
      assert.match(text, /not sent from a page of this server/)
    }
    assert.equal((await tab.get('/account/password')).status, 200, 'nothing was done')
  }
})

test('no form of the site is taken without the token of this browser', async () => {
  const { formToken: anothers } = await signedInTab()
  const stranger = new Tab(w)
  await stranger.get('/sign-in')
  const tab = await signedInTab()
  for (const path of FORMS.filter(path => path !== '/sign-out')) {
    for (const form of ['', 'x', anothers, stranger.formToken, `${anothers}${anothers}`]) {
      const { status, text } = await tab.post(path, { ...fields, form })
      assert.equal(status, 403, `${path} ${form}`)
      assert.match(text, /expired, or belongs to another browser/)
    }
    assert.equal((await tab.get('/account/password')).status, 200, 'nothing was done')
  }
})

test('nobody can be signed in by another site: without the cookie of the form, it is not taken', async () => {
  const tab = new Tab(w)
  await tab.get('/sign-in')
  tab.cookies.clear()
  assert.equal((await tab.post('/sign-in', fields)).status, 403)
  assert.equal(tab.cookies.has('octavo_session'), false)
})

test('a browser that omits Origin is trusted by equivalent headers', async () => {
  for (const headers of [
    { origin: undefined, referer: 'http://octavo.test/sign-in' },
    { origin: undefined, 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:80', host: 'localhost' },
  ]) {
    const tab = new Tab(w)
    await tab.get('/sign-in')
    assert.equal((await tab.post('/sign-in', fields, headers)).status, 303, JSON.stringify(headers))
  }
})

test('a form from before the sign-in is invalid after it', async () => {
  const tab = new Tab(w)
  await tab.get('/sign-in')
  const { formToken: old } = tab
  await signInAs(tab, fields.email, PASSWORD)
  assert.equal((await tab.post('/account/password', { form: old })).status, 403)
})

test('signing out needs no token, and has to come from a page of this server', async () => {
  const tab = await signedInTab()
  for (const headers of [
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: undefined },
    { origin: undefined, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ])
    assert.equal((await tab.post('/sign-out', { form: tab.formToken }, headers)).status, 403)
  assert.equal((await tab.get('/account/password')).status, 200)
  const { status, headers } = await tab.post('/sign-out', { form: '', person: w.people.read.id })
  assert.deepEqual([status, headers.location], [303, '/'])
  assert.notEqual((await tab.get('/account/password')).status, 200)
})

test('the token of a form reveals neither the secret of the session nor what the database has of it', async () => {
  const tab = await signedInTab()
  const secret = tab.cookies.get('octavo_session') as string
  const rows = await w.services.db.selectFrom('sessions').select('secret_hash').execute()
  assert.ok(!tab.formToken.includes(secret))
  assert.ok(rows.every(({ secret_hash }) => secret_hash.toString('hex') !== tab.formToken))
})

test('a body that is not a form, or is too large, is refused and changes nothing', async () => {
  const tab = await signedInTab()
  for (const [headers, status] of [
    [{ 'content-type': 'application/json' }, [400, 403]],
    [{ 'content-type': 'text/plain' }, [403, 415]],
    [{ 'content-type': undefined }, [403, 415]],
  ] as const) {
    const answer = await tab.post('/account/password', {}, headers)
    assert.ok(
      (status as readonly number[]).includes(answer.status),
      `${JSON.stringify(headers)} ${answer.status}`,
    )
  }
  assert.equal((await tab.post('/account/password', { more: 'x'.repeat(5000) })).status, 413)
  assert.equal((await tab.get('/account/password')).status, 200)
})

test('asking for a page of the site never changes anything', async () => {
  const tab = await signedInTab()
  for (const path of FORMS) {
    const { status } = await tab.get(path)
    assert.ok(status < 500, path)
  }
  assert.equal((await tab.get('/account/password')).status, 200)
})
