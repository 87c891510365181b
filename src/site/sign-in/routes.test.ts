import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spaceWith } from '../../../test/support/pages.ts'
import { givePassword, type Shown, signedIn, signInAs, Tab } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { createUser, issueToken } from '../../api/accounts/actions.ts'
import { findMailLanguage } from '../../api/accounts/mail-language.ts'
import { LOCK_MINUTES, TRIES_MAX } from '../../api/sessions/lockout.ts'
import { createPasswordLink } from '../../api/sessions/password-links.ts'
import { newId } from '../../base/ids.ts'

const w = await world()
const PASSWORD = 'rain on a tin roof'
const space = await spaceWith(w, { 'README.md': '# Private\n' })
const { read, comment, edit } = w.people
for (const { id } of [read, comment, edit]) await givePassword(w, id, PASSWORD)

const opens = async (tab: Tab) => (await tab.get(`/s/${space}`)).status === 200
const problemOf = ({ text }: Shown): string =>
  /role="alert">.*?<span>([^<]*)<\/span><\/p>/s.exec(text)?.[1] ?? ''
const linkFor = (userId: string, isMailed = false): Promise<string> =>
  w.services.transaction(trx => createPasswordLink(trx, userId, { isMailed }))
const eventsOf = (userId: string) =>
  w.services.db
    .selectFrom('events')
    .select(['type', 'payload', 'address', 'source', 'organization_id'])
    .where('actor_id', '=', userId)
    .where(({ or, eb }) =>
      or(['session.%', 'password%', 'user.verified'].map(like => eb('type', 'like', like))),
    )
    .execute()

test('an email address in any case and its password open what the person may read, and lead to where they came from', async () => {
  const tab = new Tab(w)
  assert.equal(await opens(tab), false)
  const done = await signInAs(tab, ` ${read.email.toUpperCase()} `, PASSWORD, `/s/${space}`)
  assert.deepEqual([done.status, done.location], [303, `/s/${space}`])
  assert.equal(await opens(tab), true)
  const cookie = String(done.headers['set-cookie'])
  assert.match(cookie, /octavo_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000/)
  assert.match(cookie, /octavo_form=;/, 'forms from before are void')
})

test('mails come in the language of the browser that first signed in, until another one is chosen', async () => {
  const languageOf = async (headers: Record<string, string>, chosen?: 'en' | 'de') => {
    const user = await w.services.transaction(trx => createUser(trx, `${newId()}@people.test`))
    await givePassword(w, user.id, PASSWORD)
    if (chosen !== undefined)
      await w.services.db
        .insertInto('mail_languages')
        .values({ user_id: user.id, language: chosen })
        .execute()
    const tab = new Tab(w)
    await tab.get('/sign-in')
    const done = await tab.post('/sign-in', { email: user.email, password: PASSWORD }, headers)
    assert.equal(done.status, 303)
    await tab.post('/sign-in', { email: user.email, password: PASSWORD }, { 'accept-language': 'en' })
    return findMailLanguage(w.services.db, user.id)
  }
  const german = { 'accept-language': 'de-AT, en;q=0.5' }
  assert.equal(await languageOf(german), 'de')
  assert.equal(await languageOf({ 'accept-language': 'fr' }), 'en')
  assert.equal(await languageOf(german, 'en'), 'en')
})

test('a wrong password, an unknown address and somebody without a password are answered the same', async () => {
  const answers: Shown[] = []
  for (const [email, password] of [
    [read.email, 'rain on a zinc roof'],
    [read.email, ''],
    [read.email, 'x'.repeat(5000).slice(0, 3500)],
    ['nobody@people.test', PASSWORD],
    [w.people.create.email, PASSWORD],
    ['', PASSWORD],
    ['a\u0000b@people.test', PASSWORD],
    ['\ud800@people.test', PASSWORD],
    ['x'.repeat(300), PASSWORD],
  ] as const)
    answers.push(await signInAs(new Tab(w), email, password))
  for (const answer of answers) {
    assert.equal(answer.status, 403)
    assert.equal(problemOf(answer), problemOf(answers[0] as Shown))
    assert.ok(!answer.cookies.some(({ name }) => name.endsWith('session')))
  }
  assert.match(problemOf(answers[0] as Shown), /wrong/)
})

test('the typed address is in the form again, and is no markup there', async () => {
  const { text } = await signInAs(new Tab(w), '"><script>alert(1)</script>', 'no password')
  assert.match(text, /value="&quot;&gt;&lt;script&gt;/)
  assert.doesNotMatch(text, /<script>/)
  assert.match(text, /aria-invalid="true" aria-describedby="reader:problem-password"/)
})

test('after ten wrong tries the right password is refused for a while, for addresses that nobody has too', async () => {
  const countLocks = async () =>
    (
      await w.services.db
        .selectFrom('sign_in_failures')
        .select('locked_until')
        .where('locked_until', 'is not', null)
        .execute()
    ).length
  const listTold = () =>
    w.services.db.selectFrom('events').select('payload').where('type', '=', 'sign_in.locked').execute()
  const before = { locks: await countLocks(), told: (await listTold()).length }
  for (const [email, password] of [
    [comment.email, PASSWORD],
    [`${newId()}@people.test`, PASSWORD],
  ] as const) {
    for (let time = 0; time < TRIES_MAX; time += 1)
      assert.equal((await signInAs(new Tab(w), email, `wrong ${time}`)).status, 403)
    const locked = await signInAs(new Tab(w), email, password)
    assert.equal(locked.status, 429)
    assert.equal(locked.headers['retry-after'], String(LOCK_MINUTES * 60))
    assert.match(problemOf(locked), /15 minutes/)
  }
  assert.equal(await countLocks(), before.locks + 2)
  const told = await listTold()
  assert.equal(told.length, before.told + 1)
  const ofThisUser = told.filter(({ payload }) => (payload as { user: string }).user === comment.id)
  assert.deepEqual(ofThisUser, [{ payload: { user: comment.id, minutes: LOCK_MINUTES } }])

  await w.services.db
    .updateTable('sign_in_failures')
    .set({ locked_until: new Date(Date.now() - 1000) })
    .execute()
  const after = await signInAs(new Tab(w), comment.email, PASSWORD)
  assert.equal(after.status, 303, 'the lock is over')
})

test('tries that come at once are counted one by one', async () => {
  const email = `${newId()}@people.test`
  const tabs = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const tab = new Tab(w)
      await tab.get('/sign-in')
      return tab
    }),
  )
  const answers = await Promise.all(
    tabs.map((tab, index) => tab.post('/sign-in', { email, password: `guess number ${index}` })),
  )
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    [statuses.filter(status => status === 403).length, statuses.filter(status => status === 429).length],
    [TRIES_MAX, 20 - TRIES_MAX],
  )
})

test('signing in clears the count of wrong tries', async () => {
  for (let round = 0; round < 2; round += 1) {
    for (let time = 0; time < TRIES_MAX - 1; time += 1)
      assert.equal((await signInAs(new Tab(w), edit.email, `wrong ${time}`)).status, 403)
    assert.equal((await signInAs(new Tab(w), edit.email, PASSWORD)).status, 303)
  }
})

test('every sign-in is another session, whatever cookie the browser brought, and ends the one before', async () => {
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', 'planted-by-somebody-who-knows-it')
  await signInAs(tab, read.email, PASSWORD)
  const first = tab.cookies.get('octavo_session') as string
  assert.notEqual(first, 'planted-by-somebody-who-knows-it')
  await signInAs(tab, read.email, PASSWORD)
  assert.notEqual(tab.cookies.get('octavo_session'), first)
  assert.equal(await w.services.principals.findSession(first), undefined)
})

test('signing out ends the session itself, not the cookie only', async () => {
  const tab = new Tab(w)
  await signInAs(tab, read.email, PASSWORD)
  const secret = tab.cookies.get('octavo_session') as string
  await tab.get('/account/password')
  const { status, location } = await tab.post('/sign-out', { person: read.id })
  assert.deepEqual([status, location], [303, '/'])
  assert.equal(tab.cookies.has('octavo_session'), false)
  assert.equal(await w.services.principals.findSession(secret), undefined)
})

test('a form of a tab that was opened before somebody else signed in does not sign them out, and says who they are', async () => {
  const tab = new Tab(w)
  await signInAs(tab, read.email, PASSWORD)
  const named = /name="person" value="([^"]+)"/.exec((await tab.get(`/s/${space}`)).text)?.[1]
  assert.equal(named, read.id)
  await signInAs(tab, edit.email, PASSWORD)
  for (const fields of [{ person: named }, { person: '' }, {}]) {
    const { status, text } = await tab.post('/sign-out', fields as Record<string, string>)
    assert.equal(status, 409)
    assert.match(text, /Nobody was signed out/)
    assert.ok(text.includes(edit.email))
    assert.ok(text.includes(`name="person" value="${edit.id}"`), 'and the form there signs them out')
  }
  assert.equal(await opens(tab), true)
  assert.match((await tab.get('/sign-out')).text, /You are signed in as/)
  assert.equal((await tab.post('/sign-out', { person: edit.id })).location, '/')
  assert.equal(await opens(tab), false)
  assert.deepEqual((await tab.get('/sign-out')).location, '/', 'who is not signed in is led on')
})

test('a token signs in, ends with itself, and opens no more than it may', async () => {
  const { row, secret } = await w.services.transaction(trx =>
    issueToken(trx, { userId: read.id, label: 'reader', scopes: ['space:read'] }),
  )
  const tab = new Tab(w)
  await tab.get('/sign-in')
  assert.equal((await tab.post('/sign-in/token', { token: ` ${secret} ` })).status, 303)
  assert.equal(await opens(tab), true)
  assert.ok(!tab.cookies.get('octavo_session')?.includes(secret), 'the cookie is not the token')
  await w.call('DELETE', `/user/tokens/${row.id}`, { as: 'read' })
  assert.equal(await opens(tab), false)
})

test('an invalid token, or one that may not read, signs nobody in', async () => {
  const { secret } = await w.services.transaction(trx =>
    issueToken(trx, { userId: read.id, label: 'ask', scopes: ['organization:ask'] }),
  )
  for (const token of ['', 'unknown', secret, 'x'.repeat(3000), '\u0000']) {
    const tab = new Tab(w)
    await tab.get('/sign-in')
    const answer = await tab.post('/sign-in/token', { token })
    assert.equal(answer.status, 403, token.slice(0, 20))
    assert.match(problemOf(answer), /token/)
  }
})

test('a link lets its holder choose a password once, signs them in, and ends their other sessions and links', async () => {
  const user = await w.services.transaction(trx => createUser(trx, `${newId()}@people.test`))
  await givePassword(w, user.id, 'an older password')
  const elsewhere = new Tab(w)
  await signInAs(elsewhere, user.email, 'an older password')
  const [link, other] = [await linkFor(user.id, true), await linkFor(user.id)]
  const tab = new Tab(w)
  for (let look = 0; look < 2; look += 1) {
    const shown = await tab.get(link)
    assert.equal(shown.status, 200, 'looking does not use it')
    assert.match(shown.text, new RegExp(user.email))
    assert.equal(shown.headers['cache-control'], 'no-store')
  }
  const done = await tab.post(link, { password: PASSWORD, repeat: PASSWORD })
  assert.deepEqual([done.status, done.location], [303, '/'])
  assert.match((await tab.get('/account/password')).text, /Your password/)
  assert.equal((await elsewhere.get('/account/password')).status, 303, 'signed out elsewhere')
  for (const used of [link, other]) {
    assert.equal((await tab.get(used)).status, 404)
    assert.equal((await tab.post(used, { password: PASSWORD, repeat: PASSWORD })).status, 404)
  }
  assert.equal((await signInAs(new Tab(w), user.email, 'an older password')).status, 403)
  assert.equal((await signInAs(new Tab(w), user.email, PASSWORD)).status, 303)
  const { email_verified_at } = await w.services.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  assert.ok(email_verified_at !== null, 'the address is known to be theirs')
  const told = await eventsOf(user.id)
  // those of one transaction have one instant
  assert.deepEqual(told.map(({ type }) => type).sort(), [
    'password.changed',
    ...Array<string>(3).fill('session.begun'),
    'session.ended',
    'user.verified',
  ])
  for (const { payload, source, address } of told) {
    const text = JSON.stringify(payload)
    assert.ok(![PASSWORD, 'argon2', link.slice('/password/'.length)].some(secret => text.includes(secret)))
    assert.deepEqual([source, address], ['ui', '127.0.0.1'])
  }
})

test('a link that is used twice at once is used once', async () => {
  const link = await linkFor(edit.id)
  const tabs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const tab = new Tab(w)
      await tab.get(link)
      return tab
    }),
  )
  const answers = await Promise.all(
    tabs.map((tab, index) =>
      tab.post(link, { password: `choice ${index} of four`, repeat: `choice ${index} of four` }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404, 404, 404])
  const secrets = tabs.map(tab => tab.cookies.get('octavo_session')).filter(one => one !== undefined)
  assert.equal(secrets.length, 1)
  await givePassword(w, edit.id, PASSWORD)
})

test('a link that is too old, or was never made, opens nothing', async () => {
  const link = await linkFor(read.id)
  await w.services.db
    .updateTable('password_links')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('user_id', '=', read.id)
    .execute()
  for (const path of [link, '/password/unknown', '/password/%00', `/password/${'x'.repeat(500)}`]) {
    assert.equal((await new Tab(w).get(path)).status, 404, path)
    const tab = new Tab(w)
    await tab.get('/sign-in')
    assert.equal((await tab.post(path, { password: PASSWORD, repeat: PASSWORD })).status, 404, path)
  }
})

test('a password that is weak, or not typed twice the same, is refused with the reason, and the link still works', async () => {
  const link = await linkFor(read.id)
  const tab = new Tab(w)
  await tab.get(link)
  for (const [password, repeat, reason] of [
    ['too short', 'too short', /at least 10/],
    ['x'.repeat(257), 'x'.repeat(257), /at most 256/],
    ['Password2024!', 'Password2024!', /first that anybody/],
    ['aaaaaaaaaaaaaa', 'aaaaaaaaaaaaaa', /first that anybody/],
    [read.email, read.email, /name or email address/],
    [PASSWORD, `${PASSWORD}!`, /do not match/],
    [PASSWORD, '', /do not match/],
  ] as const) {
    const refused = await tab.post(link, { password, repeat })
    assert.equal(refused.status, 400, password)
    assert.match(problemOf(refused), reason)
  }
  assert.equal((await tab.post(link, { password: PASSWORD, repeat: PASSWORD })).status, 303)
})

test('members who sign in by an identity provider cannot use a password, nor a link', async () => {
  const other = await world()
  const { guest } = other.people
  const set = (change: { sso?: boolean; disabled?: boolean }) =>
    other.services.transaction(trx =>
      trx.updateTable('members').set(change).where('user_id', '=', guest.id).execute(),
    )
  await givePassword(other, guest.id, PASSWORD)
  const link = await other.services.transaction(trx => createPasswordLink(trx, guest.id, { isMailed: false }))
  const before = new Tab(other)
  await signInAs(before, guest.email, PASSWORD)
  await set({ sso: true })
  assert.deepEqual(
    (await other.services.principals.findSession(before.cookies.get('octavo_session') as string))
      ?.memberships,
    new Map(),
    'a session that was begun before loses the organization',
  )
  const refused = await signInAs(new Tab(other), guest.email, PASSWORD)
  assert.equal(refused.status, 403)
  assert.match(problemOf(refused), /uses single sign-on/)
  assert.doesNotMatch(
    problemOf(await signInAs(new Tab(other), guest.email, 'not that one')),
    /a password opens/,
  )
  const shown = await new Tab(other).get(link)
  assert.deepEqual([shown.status, /uses single sign-on/.test(shown.text)], [403, true])
  const tab = new Tab(other)
  await tab.get('/sign-in')
  assert.equal((await tab.post(link, { password: PASSWORD, repeat: PASSWORD })).status, 403)

  await set({ sso: false, disabled: true })
  const disabled = await signInAs(new Tab(other), guest.email, PASSWORD)
  assert.deepEqual([disabled.status, /has been disabled/.test(problemOf(disabled))], [403, true])
})

test('an organization that claims somebody for its own sign-in closes itself to their password and nothing else', async () => {
  const other = await world()
  const { edit } = other.people
  await givePassword(other, edit.id, PASSWORD)
  const { body: claimed } = await other.call('POST', '/orgs', { as: 'admin', body: { title: 'Claims' } })
  await other.services.transaction(trx =>
    trx
      .insertInto('members')
      .values({ organization_id: claimed.id, user_id: edit.id, role: 'read', sso: true })
      .execute(),
  )
  const tab = new Tab(other)
  assert.equal((await signInAs(tab, edit.email, PASSWORD)).status, 303)
  const principal = await other.services.principals.findSession(tab.cookies.get('octavo_session') as string)
  assert.deepEqual([...(principal?.memberships.keys() ?? [])], [other.organizationId])
})

test('the page asks for the organization where there are several, and says so when it knows none', async () => {
  const { text } = await new Tab(w).get('/sign-in')
  const { text: asked } = await new Tab(w).get('/sign-in?organization=nowhere.example&next=/s/a')
  assert.match(text, /Sign in with your organization|Sign in with/)
  assert.doesNotMatch(text, /role="alert"/)
  for (const organization of ['%00', 'x'.repeat(500)])
    assert.equal((await new Tab(w).get(`/sign-in?organization=${organization}`)).status, 200)
  assert.match(asked, /name="next" value="\/s\/a"/)
})

test('the sign-in page says that one is signed in', async () => {
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', await signedIn(w, 'read'))
  assert.match((await tab.get('/sign-in')).text, /You are signed in as/)
})
