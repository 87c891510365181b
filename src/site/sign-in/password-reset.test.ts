import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { serverWith } from '../../../test/support/server.ts'
import { givePassword, type Shown, signedIn, signInAs, Tab } from '../../../test/support/sessions.ts'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import { world } from '../../../test/support/world.ts'
import { createUser } from '../../api/accounts/actions.ts'
import { RESET_MAILS_MAX } from '../../api/sessions/password-reset.ts'
import { sha256 } from '../../base/canonical.ts'
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import { createMail } from '../../platform/mail.ts'
import { REQUESTS } from './password-reset.ts'

const smtp = await startSmtpServer()
after(() => smtp.close())
const w = await world({
  OCTAVO_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  OCTAVO_MAIL_FROM: 'Octavo <octavo@docs.test>',
})
const { db, transaction } = w.services
const PASSWORD = 'rain on a tin roof'

const newPerson = () => transaction(trx => createUser(trx, `${newId()}@people.test`))
const mailsTo = (email: string) => smtp.taken.filter(({ to }) => to.includes(email))
const linkIn = (text = ''): string | undefined =>
  /http:\/\/octavo\.test(\/password\/[\w-]{43})\n/.exec(text)?.[1]
const problemOf = ({ text }: Shown): string =>
  /role="alert">.*?<span>([^<]*)<\/span><\/p>/s.exec(text)?.[1] ?? ''
/** Without what every browser and asset has of its own. */
const plain = ({ text }: Shown): string => text.replaceAll(/value="[\w-]*"/g, '')

/** Another server, which counts network addresses from nothing. */
const serverOf = (services: Partial<Services> = {}) =>
  serverWith({ ...w, services: { ...w.services, ...services } }, {})
let app = w.app
beforeEach(() => {
  app = serverOf()
})
const newTab = () => new Tab({ app })
async function ask(email: string, tab = newTab()): Promise<Shown> {
  await tab.get('/password')
  return tab.post('/password', { email })
}

/** Waits until every email that was asked for was sent, or is waiting for another try. */
async function lettersDone(): Promise<void> {
  for (let time = 0; time < 1000; time += 1) {
    const waiting = await db
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'sessions.passwordLetter')
      .where('error', 'is', null)
      .execute()
    if (waiting.length === 0) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  assert.fail('emails wait in the queue')
}

test('a forgotten password: an email has a link to choose another', async () => {
  const user = await newPerson()
  await givePassword(w, user.id, 'an older password')
  const tab = newTab()
  assert.match((await tab.get('/sign-in')).text, /<a href="\/password">Forgot your password\?<\/a>/)
  const sent = await ask(` ${user.email.toUpperCase()} `, tab)
  assert.equal(sent.status, 200)
  assert.equal(sent.headers['cache-control'], 'no-store')
  assert.match(sent.text, /If there is an account with this address, an email is on its way/)
  await lettersDone()
  const [email, ...more] = mailsTo(user.email)
  assert.equal(more.length, 0)
  const link = linkIn(email?.text)
  assert.ok(link !== undefined)
  assert.equal(
    (await signInAs(newTab(), user.email, 'an older password')).status,
    303,
    'asking changes nothing',
  )

  const row = await db
    .selectFrom('password_links')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  assert.equal(row.is_mailed, true)
  const hours = (row.expires_at.getTime() - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`)

  await tab.get(link)
  const done = await tab.post(link, { password: PASSWORD, repeat: PASSWORD })
  assert.deepEqual([done.status, done.location], [303, '/'])
  const { email_verified_at } = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()
  assert.ok(email_verified_at !== null, 'the address is known to be theirs')
  assert.equal((await signInAs(newTab(), user.email, PASSWORD)).status, 303)

  const told = await db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'password_link.created')
    .where(({ eb, ref }) => eb(ref('payload', '->>').key('user' as never), '=', user.id as never))
    .execute()
  assert.deepEqual(
    told.map(({ payload, actor_id, source, address }) => [payload, actor_id, source, address]),
    [[{ user: user.id, isMailed: true }, null, 'ui', '127.0.0.1']],
  )
  for (const table of ['jobs', 'events'] as const)
    assert.ok(!JSON.stringify(await db.selectFrom(table).selectAll().execute()).includes(link.slice(10)))
})

test('the answer is the same for an unknown address and for an invalid one', async () => {
  const user = await newPerson()
  const known = await ask(user.email)
  const before = smtp.taken.length
  for (const email of [
    `${newId()}@people.test`,
    '',
    'x'.repeat(300),
    'a\u0000b@people.test',
    '\ud800@people.test',
    `${user.email}\r\nBcc: eve@evil.test`,
    '"><script>alert(1)</script>',
  ]) {
    const answer = await ask(email)
    assert.equal(answer.status, known.status, email)
    assert.equal(plain(answer), plain(known), email)
    assert.deepEqual(Object.keys(answer.headers).sort(), Object.keys(known.headers).sort())
  }
  await lettersDone()
  assert.ok(smtp.taken.slice(before).every(({ to }) => to[0] === user.email))
})

test('an unknown address has the same effect on queue and counts as a known one, and is stored nowhere', async () => {
  const known = await newPerson()
  const unknown = `${newId()}@people.test`
  const jobs: unknown[] = []
  const services = {
    jobs: {
      enqueue: async (_trx: unknown, { name }: { name: string }, data: unknown) => {
        jobs.push([name, Object.keys(data as object)])
        assert.ok(!JSON.stringify(data).includes('@'))
      },
    },
  }
  const counts = async () => (await db.selectFrom('sign_in_failures').select('key').execute()).length
  const app = serverOf(services)
  const seen: number[] = []
  for (const email of [known.email, unknown]) {
    const before = await counts()
    await ask(email, new Tab({ app }))
    seen.push((await counts()) - before)
  }
  assert.deepEqual(seen, [1, 1])
  assert.equal(jobs.length, 2)
  assert.deepEqual(jobs[0], jobs[1])
})

test('one address is sent a few emails an hour, from wherever they are asked for, and the answer does not reveal it', async () => {
  const user = await newPerson()
  const answers = await Promise.all(Array.from({ length: RESET_MAILS_MAX + 4 }, () => ask(user.email)))
  for (const answer of answers) assert.equal(plain(answer), plain(answers[0] as Shown))
  await lettersDone()
  assert.equal(mailsTo(user.email).length, RESET_MAILS_MAX)
  // neither a wrong password nor a lock comes of it
  await givePassword(w, user.id, PASSWORD)
  assert.equal((await signInAs(newTab(), user.email, PASSWORD)).status, 303)
  await ask(user.email)
  await lettersDone()
  assert.equal(mailsTo(user.email).length, RESET_MAILS_MAX, 'signing in does not open it again')
  await db
    .updateTable('sign_in_failures')
    .set({ locked_until: new Date(Date.now() - 1000) })
    .execute()
  await ask(user.email)
  await lettersDone()
  assert.equal(mailsTo(user.email).length, RESET_MAILS_MAX + 1, 'the hour is over')
})

test('requests of one network address are limited per hour, whatever email addresses it names', async () => {
  const tab = newTab()
  await tab.get('/password')
  const post = () => tab.post('/password', { email: `${newId()}@people.test` })
  for (let time = 0; time < REQUESTS.max; time += 1) assert.equal((await post()).status, 200)
  await tab.get('/password')
  const refused = await post()
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '3600'])
  assert.match(problemOf(refused), /from your network/)
  assert.match(refused.text, /aria-invalid="true" aria-describedby="reader:problem-reset-mail"/)
})

test('users who may not use a password get an email without a link, that says why', async () => {
  for (const [change, reason] of [
    [{ sso: true }, /uses single sign-on/],
    [{ disabled: true }, /has been disabled/],
  ] as const) {
    const user = await newPerson()
    await transaction(trx =>
      trx
        .insertInto('members')
        .values({ organization_id: w.organizationId, user_id: user.id, role: 'read', ...change })
        .execute(),
    )
    await ask(user.email)
    await lettersDone()
    const [email] = mailsTo(user.email)
    assert.match(email?.text ?? '', reason)
    assert.doesNotMatch(email?.text ?? '', /\/password/)
    const links = await db.selectFrom('password_links').select('id').where('user_id', '=', user.id).execute()
    assert.equal(links.length, 0)
  }
})

test('a mail server that is away delays the email, and nobody waits for it', async () => {
  const user = await newPerson()
  smtp.answerNext('greeting', '421 Later')
  assert.equal((await ask(user.email)).status, 200)
  await lettersDone()
  assert.equal(mailsTo(user.email).length, 0)
  const { error, failed_at } = await db
    .selectFrom('jobs')
    .selectAll()
    .where('name', '=', 'sessions.passwordLetter')
    .executeTakeFirstOrThrow()
  assert.deepEqual([error, failed_at], ['The mail server cannot accept the message now.', null])
  await db.deleteFrom('jobs').where('name', '=', 'sessions.passwordLetter').execute()
})

test('without a mail server no page offers an email, and the page says whom to ask', async () => {
  const app = serverOf({ mail: createMail(undefined) })
  const tab = new Tab({ app })
  const signIn = (await tab.get('/sign-in')).text
  assert.doesNotMatch(signIn, /href="\/password"/)
  assert.match(signIn, /Ask an administrator of this server/)
  const { status, text } = await tab.get('/password')
  assert.equal(status, 200)
  assert.match(text, /does not send email\. Ask its administrator/)
  assert.doesNotMatch(text, /<form class="fields"/)
  assert.equal((await tab.post('/password', { email: w.people.read.email })).status, 409)
  tab.cookies.set('octavo_session', await signedIn(w, 'read'))
  const account = (await tab.get('/account/password')).text
  assert.match(account, /ask an administrator of this server for a link, and choose a password with it/)
  assert.doesNotMatch(account, /action="\/account\/reset-mail"/)
  assert.equal((await tab.post('/account/reset-mail')).status, 409)
  await lettersDone()
  assert.equal(mailsTo(w.people.read.email).length, 0)
})

test('a signed-in user verifies an address by the same email', async () => {
  const { edit } = w.people
  await givePassword(w, edit.id, PASSWORD)
  const tab = newTab()
  tab.cookies.set('octavo_session', await signedIn(w, 'edit'))
  const shown = await tab.get('/account/password')
  assert.match(shown.text, /<strong dir="auto">[^<]+<\/strong> is not verified/)
  for (let time = 0; time < RESET_MAILS_MAX; time += 1) {
    const { status, location } = await tab.post('/account/reset-mail')
    assert.deepEqual([status, location], [303, '/account/password?done=reset-mail'])
  }
  assert.match(
    (await tab.get('/account/password?done=reset-mail')).text,
    /role="status".*on its way to you\./s,
  )
  const refused = await tab.post('/account/reset-mail')
  assert.equal(refused.status, 429)
  assert.match(problemOf(refused), /already sent 3 emails to your address/)
  await lettersDone()
  const emails = mailsTo(edit.email)
  assert.equal(emails.length, RESET_MAILS_MAX)
  const told = await db
    .selectFrom('events')
    .select('actor_id')
    .where('type', '=', 'password_link.created')
    .where('actor_id', '=', edit.id)
    .execute()
  assert.equal(told.length, RESET_MAILS_MAX, 'the caller is recorded')
  const link = linkIn(emails[0]?.text) as string
  await tab.get(link)
  assert.equal((await tab.post(link, { password: PASSWORD, repeat: PASSWORD })).status, 303)
  assert.doesNotMatch((await tab.get('/account/password')).text, /is not verified/)
})

test('a session that is not the whole person, or somebody to whom a password opens nothing, is sent none', async () => {
  const { create } = w.people
  const bound = newTab()
  bound.cookies.set(
    'octavo_session',
    await signedIn(w, 'create', { method: 'saml', organizationId: w.organizationId }),
  )
  assert.doesNotMatch((await bound.get('/account/password')).text, /action="\/account\/reset-mail"/)
  assert.equal((await bound.post('/account/reset-mail')).status, 403)
  const tab = newTab()
  tab.cookies.set('octavo_session', await signedIn(w, 'create'))
  await transaction(trx =>
    trx.updateTable('members').set({ sso: true }).where('user_id', '=', create.id).execute(),
  )
  const shown = await tab.get('/account/password')
  assert.doesNotMatch(shown.text, /action="\/account\/reset-mail"/)
  // The page has no form that would have it.
  tab.formToken = sha256(`form ${tab.cookies.get('octavo_session')}`)
  const refused = await tab.post('/account/reset-mail')
  assert.deepEqual([refused.status, /uses single sign-on/.test(problemOf(refused))], [403, true])
  await lettersDone()
  assert.equal(mailsTo(create.email).length, 0)
})
