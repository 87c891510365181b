import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Authenticator } from '../../../test/support/authenticator.ts'
import {
  addPasskey,
  atStep,
  codeOf,
  codesIn,
  isSignedIn,
  keyIn,
  letTimePass,
  OwnTab,
  PASSWORD,
  SETTINGS,
  SITE,
  STEP,
  setUpApp,
  signedInTab,
  toldBy,
} from '../../../test/support/second-factor.ts'
import { givePassword, type Shown, signedIn, signInAs } from '../../../test/support/sessions.ts'
import { world } from '../../../test/support/world.ts'
import { CHALLENGE_MINUTES } from '../../api/sessions/challenges.ts'
import { TRIES_MAX } from '../../api/sessions/lockout.ts'
import { createPasswordLink } from '../../api/sessions/password-links.ts'
import { sha256 } from '../../base/canonical.ts'

const w = await world({ OCTAVO_PUBLIC_URL: SITE })
const problemOf = ({ text }: Shown): string =>
  /role="alert">(?:(?!<\/p>).)*?<span>([^<]*)<\/span><\/p>/s.exec(text)?.[1] ?? ''
const codeForm = (code: string) => ({ kind: 'totp', code, next: '/w/me' })
const typesOf = async (userId: string): Promise<string[]> =>
  (
    await w.services.db
      .selectFrom('events')
      .select('type')
      .where('actor_id', '=', userId)
      .where('type', 'like', 'second_factor.%')
      .orderBy('occurred_at')
      .execute()
  ).map(({ type }) => type)

const reader = await signedInTab(w, 'read')
const { key, codes } = await setUpApp(reader)

test('an app is set up with a code of it, and ten recovery codes are shown once', async () => {
  assert.match(key, /^[A-Z2-7]{32}$/)
  assert.equal(new Set(codes).size, 10)
  const shown = await reader.get(SETTINGS)
  assert.match(shown.text, /An authenticator app is set up/)
  assert.doesNotMatch(shown.text, new RegExp(`${codes[0]}|${key}`))
  assert.deepEqual(await typesOf(w.people.read.id), ['second_factor.added'])
})

test('the secret of an app is not in the database as it is, nor are recovery codes', async () => {
  const { secret } = await w.services.db
    .selectFrom('totp_secrets')
    .select('secret')
    .where('user_id', '=', w.people.read.id)
    .executeTakeFirstOrThrow()
  assert.ok(!secret.toString('latin1').includes(key))
  const rows = await w.services.db.selectFrom('recovery_codes').select('code_hash').execute()
  assert.ok(rows.every(({ code_hash }) => code_hash.length === 32))
})

test('the password alone begins no session: a second page asks for the code, which counts once', async () => {
  await letTimePass(w, 'read')
  const tab = await atStep(w, 'read')
  assert.equal(isSignedIn(tab), false)
  assert.equal((await tab.get('/w')).status, 302)
  const wrong = await tab.post(STEP, codeForm('000000'))
  assert.deepEqual([wrong.status, isSignedIn(tab)], [403, false])
  assert.match(problemOf(wrong), /not the current code/)
  const code = codeOf(key)
  const done = await tab.post(STEP, codeForm(code))
  assert.deepEqual([done.status, done.location, isSignedIn(tab)], [303, '/w/me', true])

  const again = await atStep(w, 'read')
  assert.equal((await again.post(STEP, codeForm(code))).status, 403, 'it was used')
  assert.equal((await again.post(STEP, codeForm(codeOf(key, -1)))).status, 403, 'one before it too')
  assert.equal((await again.post(STEP, codeForm(codeOf(key, 1)))).status, 303, 'the next one counts')
})

test('a code of two periods ago, or in two periods, is refused', async () => {
  await letTimePass(w, 'read')
  const tab = await atStep(w, 'read')
  for (const periods of [-3, 3])
    assert.equal((await tab.post(STEP, codeForm(codeOf(key, periods)))).status, 403)
  await w.services.db.deleteFrom('sign_in_failures').execute()
})

test('a step is bound to its browser, is taken once, and ends with a new password', async () => {
  await letTimePass(w, 'read')
  const tab = await atStep(w, 'read')
  const other = new OwnTab(w)
  await other.get('/sign-in')
  assert.equal((await other.post(STEP, codeForm(codeOf(key)))).location, '/sign-in?step=over&next=%2Fw%2Fme')
  const step = tab.cookies.get('octavo_step') ?? ''
  assert.equal((await tab.post(STEP, codeForm(codeOf(key)))).status, 303)
  other.cookies.set('octavo_step', step)
  assert.equal((await other.get(STEP)).status, 303, 'it was taken')

  const late = await atStep(w, 'read')
  await w.services.db
    .updateTable('sign_in_steps')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  const { location } = await late.get(STEP)
  assert.match(String(location), /^\/sign-in/, 'it is over')
  assert.match(problemOf(await late.get(String(location))), /took longer than 10 minutes/)
})

test('a recovery code signs in once, in whatever way it is typed', async () => {
  const [first = '', second = ''] = codes
  const use = async (code: string) => {
    const tab = await atStep(w, 'read')
    return tab.post(STEP, { kind: 'recovery_code', code, next: '/w/me' })
  }
  assert.equal((await use(first.toUpperCase().replace('-', ' '))).status, 303)
  const again = await use(first)
  assert.deepEqual([again.status, /used already/.test(problemOf(again))], [403, true])
  assert.equal((await use('')).status, 403)
  assert.equal((await use(second)).status, 303)
  assert.deepEqual((await w.call('GET', '/user/second-factor', { as: 'read' })).body.recoveryCodes, 8)
})

test('with few recovery codes left, signing in with one leads to making new ones, which end the old', async () => {
  await w.services.db.deleteFrom('sign_in_failures').execute()
  let last: Shown | undefined
  for (const code of codes.slice(2, 7)) {
    const tab = await atStep(w, 'read')
    last = await tab.post(STEP, { kind: 'recovery_code', code, next: '/w/me' })
  }
  assert.equal(last?.location, '/account/second-factor?next=%2Fw%2Fme')
  assert.match((await reader.get(SETTINGS)).text, /Few are left/)
  const renewed = codesIn(await reader.post(SETTINGS, { act: 'renew-codes' }))
  assert.equal(renewed.length, 10)
  const tab = await atStep(w, 'read')
  const old = { kind: 'recovery_code', code: codes[9] ?? '', next: '/' }
  assert.equal((await tab.post(STEP, old)).status, 403)
  assert.equal((await tab.post(STEP, { ...old, code: renewed[0] ?? '' })).status, 303)
})

test('a link for a new password does not take the second factor away', async () => {
  const path = await w.services.transaction(trx =>
    createPasswordLink(trx, w.people.read.id, { isMailed: true }),
  )
  const tab = new OwnTab(w)
  await tab.get(path)
  const chosen = await tab.post(path, { password: PASSWORD, repeat: PASSWORD })
  assert.deepEqual([chosen.status, chosen.location, isSignedIn(tab)], [303, `${STEP}?next=%2F`, false])
  assert.equal(isSignedIn(reader) && (await reader.get(SETTINGS)).status, 303, 'signed out elsewhere')
})

test('nothing is set up or removed without a confirmation, and the first factor signs out other browsers', async () => {
  const [tab, other] = [new OwnTab(w), await signedInTab(w, 'edit')]
  tab.cookies.set('octavo_session', await signedIn(w, 'edit'))
  assert.doesNotMatch((await tab.get(SETTINGS)).text, /name="act"/)
  // The page has no form that would have it.
  tab.formToken = sha256(`form ${tab.cookies.get('octavo_session')}`)
  const refused = await tab.post(SETTINGS, { act: 'begin-app' })
  assert.equal(refused.location, `/account/confirm?next=${encodeURIComponent(SETTINGS)}`)
  await tab.get(String(refused.location))
  assert.equal((await tab.post('/account/confirm', { proof: 'not that one', next: SETTINGS })).status, 403)
  assert.equal((await tab.post('/account/confirm', { proof: PASSWORD, next: SETTINGS })).location, SETTINGS)
  await tab.get(SETTINGS)
  const { key: own } = await setUpApp(tab)
  assert.match(own, /^[A-Z2-7]{32}$/)
  assert.equal((await other.get(SETTINGS)).status, 303)
  const wrong = await tab.post(SETTINGS, { act: 'begin-app' })
  assert.match(problemOf(wrong), /already/)
  assert.equal((await tab.post(SETTINGS, { act: 'remove-app' })).status, 303)
  assert.equal((await w.call('GET', '/user/second-factor', { as: 'edit' })).body.recoveryCodes, 0)
  assert.deepEqual(await typesOf(w.people.edit.id), ['second_factor.added', 'second_factor.removed'])
})

test('a wrong code sets up no app', async () => {
  const tab = await signedInTab(w, 'review')
  await tab.post(SETTINGS, { act: 'begin-app' })
  const shown = await tab.get(SETTINGS)
  assert.match(shown.text, /<svg/)
  const wrong = await tab.post(SETTINGS, { act: 'confirm-app', code: codeOf(keyIn(shown), 5) })
  assert.deepEqual([wrong.status, codesIn(wrong)], [403, []])
  assert.equal((await w.call('GET', '/user/second-factor', { as: 'review' })).body.totp, false)
  assert.equal((await signInAs(new OwnTab(w), w.people.review.email, PASSWORD)).location, '/')
})

test('a session of an organization’s provider changes nothing here', async () => {
  await givePassword(w, w.people.comment.id, PASSWORD)
  const tab = new OwnTab(w)
  const session = { method: 'saml', organizationId: w.organizationId, confirmedAt: new Date() } as const
  tab.cookies.set('octavo_session', await signedIn(w, 'comment', session))
  assert.match((await tab.get(SETTINGS)).text, /less than all of your rights/)
  assert.equal((await tab.post(SETTINGS, { act: 'begin-app' })).status, 403)
})

test('a passkey is added, is the second step, and alone is both', async () => {
  const creator = await signedInTab(w, 'create')
  const { authenticator, shown } = await addPasskey(w, creator, 'create')
  assert.equal(codesIn(shown).length, 10)
  assert.match((await creator.get(SETTINGS)).text, /<strong dir="auto">Laptop<\/strong>/)

  const tab = await atStep(w, 'create')
  const page = await tab.get(STEP)
  const answer = JSON.stringify(authenticator.answer(toldBy(page, { signatures: 1 })))
  const form = { kind: 'passkey', next: '/w/me' }
  assert.equal((await tab.post(STEP, { ...form, answer })).status, 303)
  assert.equal(isSignedIn(tab), true)

  const alone = new OwnTab(w)
  const asked = toldBy(await alone.get('/sign-in'), { signatures: 2 })
  const signIn = (told: typeof asked) =>
    alone.post('/sign-in/passkey', { answer: JSON.stringify(authenticator.answer(told)), next: '/w/me' })
  assert.equal((await signIn({ ...asked, isVerified: false })).status, 403, 'nobody was verified')
  assert.equal((await signIn(asked)).location, '/w/me')
  const { method, factor } = await w.services.db
    .selectFrom('sessions')
    .select(['method', 'factor'])
    .where('user_id', '=', w.people.create.id)
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  assert.deepEqual([method, factor], ['passkey', 'passkey'])

  // Confirming asks for a passkey again.
  await w.services.db
    .updateTable('sessions')
    .set({ confirmed_at: null })
    .where('method', '=', 'passkey')
    .execute()
  const confirm = toldBy(await alone.get('/account/confirm?next=/w/me'), { signatures: 3 })
  const confirmed = await alone.post('/account/confirm', {
    answer: JSON.stringify(authenticator.answer(confirm)),
    next: '/w/me',
  })
  assert.deepEqual([confirmed.status, confirmed.location], [303, '/w/me'])
})

test('what a passkey signed is refused for another challenge, origin, domain, purpose, person or count, and twice', async () => {
  await w.services.db.deleteFrom('passkeys').execute()
  const tab = await signedInTab(w, 'review')
  const { authenticator } = await addPasskey(w, tab, 'review')
  const form = { kind: 'passkey', next: '/w/me' }
  const step = await atStep(w, 'review')
  const send = (answer: unknown) => step.post(STEP, { ...form, answer: JSON.stringify(answer) })
  const here = toldBy(await step.get(STEP), { signatures: 5 })
  const ofOther = toldBy(await (await atStep(w, 'review')).get(STEP))
  const ofSignIn = toldBy(await new OwnTab(w).get('/sign-in'))
  for (const [what, told] of [
    ['foreign origin', { ...here, origin: 'https://evil.test' }],
    ['foreign domain', { ...here, rpId: 'evil.test' }],
    ['challenge of our own making', { ...here, challenge: Buffer.from('mine').toString('base64url') }],
    ['challenge of another browser', { ...here, challenge: ofOther.challenge }],
    ['challenge of another form', { ...here, challenge: ofSignIn.challenge }],
    ['another operation', { ...here, type: 'webauthn.create' }],
  ] as const)
    assert.equal((await send(authenticator.answer(told))).status, 403, what)
  const right = authenticator.answer(here)
  const stranger = { ...new Authenticator().answer(here), id: right.id }
  assert.equal((await send(stranger)).status, 403, 'another key')
  for (const broken of [
    null,
    [],
    'x',
    { ...right, signature: 'AAAA' },
    { ...right, id: 'AAAA' },
    { id: right.id },
  ])
    assert.equal((await send(broken)).status, 403)
  const other = await signedInTab(w, 'guest')
  const { authenticator: ofGuest } = await addPasskey(w, other, 'guest')
  ofGuest.userHandle = undefined
  assert.equal((await send(ofGuest.answer(here))).status, 403, 'a passkey of another person')

  const secret = step.cookies.get('octavo_step') ?? ''
  assert.equal((await send(right)).status, 303)
  const replay = await atStep(w, 'review')
  replay.cookies.set('octavo_step', secret)
  assert.notEqual((await replay.post(STEP, { ...form, answer: JSON.stringify(right) })).location, '/w/me')

  const counting = await atStep(w, 'review')
  const lower = toldBy(await counting.get(STEP), { signatures: 5 })
  const cloned = { ...form, answer: JSON.stringify(authenticator.answer(lower)) }
  assert.equal((await counting.post(STEP, cloned)).status, 403, 'it has not signed more often')
})

test('a challenge is answered once, and in its time', async () => {
  await w.services.db.deleteFrom('passkeys').execute()
  const tab = await signedInTab(w, 'review')
  const { authenticator } = await addPasskey(w, tab, 'review')
  const alone = new OwnTab(w)
  const asked = toldBy(await alone.get('/sign-in'))
  const [form, cookie] = [alone.formToken, alone.cookies.get('octavo_form') ?? '']
  const answer = JSON.stringify(authenticator.answer(asked))
  assert.equal((await alone.post('/sign-in/passkey', { answer })).status, 303)
  const thief = new OwnTab(w)
  thief.cookies.set('octavo_form', cookie)
  thief.formToken = form
  assert.equal((await thief.post('/sign-in/passkey', { answer })).status, 403)

  const late = new OwnTab(w)
  const before = toldBy(await late.get('/sign-in'))
  mock.timers.enable({ apis: ['Date'], now: Date.now() + (CHALLENGE_MINUTES * 60 + 1) * 1000 })
  try {
    const given = { answer: JSON.stringify(authenticator.answer(before)) }
    assert.equal((await late.post('/sign-in/passkey', given)).status, 403)
  } finally {
    mock.timers.reset()
  }
})

test('a new passkey is refused for a foreign origin or domain, another challenge, or if it is known', async () => {
  await w.services.db.deleteFrom('passkeys').execute()
  const tab = await signedInTab(w, 'review')
  const add = async (answer: unknown) =>
    (await tab.post(SETTINGS, { act: 'add-passkey', name: 'Key', answer: JSON.stringify(answer) })).status
  const told = toldBy(await tab.get(SETTINGS))
  const other = toldBy(await (await signedInTab(w, 'guest')).get(SETTINGS))
  for (const bad of [
    { ...told, origin: 'https://evil.test' },
    { ...told, rpId: 'evil.test' },
    { ...told, challenge: other.challenge },
    { ...told, type: 'webauthn.get' },
  ])
    assert.equal(await add(new Authenticator().register(bad)), 403)
  const mine = new Authenticator()
  assert.equal(await add({ ...mine.register(told), attestationObject: 'AAAA' }), 403)
  assert.equal(await add(mine.register(told)), 200)
  const again = toldBy(await tab.get(SETTINGS))
  assert.equal(await add(new Authenticator().register(told)), 403, 'the challenge was answered')
  assert.equal(await add(mine.register(again)), 403, 'it is known')
})

test('a browser that prefers German → signing in and its second step in German, also what is refused', async () => {
  const inGerman = async (tab: OwnTab, url: string) =>
    (
      await w.app.inject({
        url,
        headers: {
          'accept-language': 'de-DE,de;q=0.9',
          cookie: [...tab.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
      })
    ).payload
  const tab = new OwnTab(w)
  const page = await inGerman(tab, '/sign-in')
  assert.match(page, /<main class="sign-in"[^>]* lang="de">/)
  for (const words of ['Anmelden', 'E-Mail-Adresse', 'Mit Passkey anmelden', 'Stattdessen ein Token'])
    assert.ok(page.includes(words), words)
  assert.doesNotMatch(page, /Email address|Sign in with|Use a token/)

  await tab.get('/sign-in')
  const post = (url: string, fields: Record<string, string>) =>
    tab.post(url, fields, { 'accept-language': 'de', origin: SITE })
  const wrong = await post('/sign-in', { email: 'nobody@people.test', password: 'not that one' })
  assert.match(problemOf(wrong), /E-Mail-Adresse oder das Passwort stimmt nicht/)
  const token = await post('/sign-in/token', { token: 'none' })
  assert.match(problemOf(token), /Token ist unbekannt/)
  const passkey = await post('/sign-in/passkey', { answer: '{}' })
  assert.match(problemOf(passkey), /Passkey wurde hier nicht angenommen/)

  await setUpApp(await signedInTab(w, 'comment'))
  const step = await atStep(w, 'comment')
  const tryCode = () => step.post(STEP, codeForm('000000'), { 'accept-language': 'de', origin: SITE })
  for (let tries = 0; tries < TRIES_MAX; tries += 1)
    assert.match(problemOf(await tryCode()), /nicht der aktuelle Code/)
  assert.match(problemOf(await tryCode()), /Es gab 10 falsche Codes/)
})

test('a thousand wrong codes are ten tries: then the right code is refused too, and their network waits', async () => {
  const admin = await signedInTab(w, 'admin')
  const app = await setUpApp(admin)
  await letTimePass(w, 'admin')
  const tab = await atStep(w, 'admin')
  const statuses: number[] = []
  for (let count = 0; count < 1000; count += 1)
    statuses.push((await tab.post(STEP, codeForm(String(count).padStart(6, '0')))).status)
  assert.ok(statuses.filter(status => status === 403).length <= TRIES_MAX)
  assert.equal(statuses.at(-1), 429)
  assert.equal((await tab.post(STEP, codeForm(codeOf(app.key)))).status, 429)
  const locked = await w.services.db
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'second_factor.locked')
    .execute()
  assert.equal(locked.filter(({ payload }) => payload.user === w.people.admin.id).length, 1)
  assert.equal(
    (await signInAs(new OwnTab(w), w.people.read.email, PASSWORD)).status,
    429,
    'nor their network',
  )
})
