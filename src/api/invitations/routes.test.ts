import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import { type Person, type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { createUser, issueToken } from '../accounts/actions.ts'
import { EMAILS_MAX, LINKS_MAX } from './schema.ts'

const smtp = await startSmtpServer()
after(() => smtp.close())
const w = await world({
  OCTAVO_EMAIL_DOMAINS: '*',
  OCTAVO_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  OCTAVO_MAIL_FROM: 'Octavo <octavo@docs.test>',
})
const { db, transaction } = w.services
const org = `/orgs/${w.organizationId}`
const newAddress = () => `${newId().toLowerCase()}@invited.test`

/** Somebody with an account, and nothing to do with the organization. */
async function newPerson(email = newAddress(), isVerified = false): Promise<Person> {
  return transaction(async trx => {
    const { id } = await createUser(trx, email)
    if (isVerified)
      await trx.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', id).execute()
    const { secret } = await issueToken(trx, { userId: id, label: 'test' })
    return { id, email, token: secret }
  })
}
const memberOf = (userId: string, organizationId = w.organizationId) =>
  db
    .selectFrom('members')
    .select(['role', 'sso', 'disabled'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
const eventsAbout = async (userId: string) =>
  (
    await db.selectFrom('events').select(['type', 'payload', 'actor_id']).orderBy('occurred_at').execute()
  ).filter(event => JSON.stringify(event.payload).includes(userId) || event.actor_id === userId)
const invite = (body: object, as: PersonName | { token: string } = 'admin') =>
  w.call('POST', `${org}/invites`, { body, as })
const link = async (body: object, as: PersonName | { token: string } = 'admin') =>
  (await w.call('POST', `${org}/link-invites`, { body, as })).body
const accept = (id: string, as: PersonName | { token: string }) =>
  w.call('POST', `${org}/invites/${id}`, { as })
const roleOn = async (space: string, person: Person) => {
  const { status, body } = await w.call('GET', `/spaces/${space}`, { as: person })
  return status === 200 ? body.permissions : null
}
const collectionOf = async (organizationId = w.organizationId): Promise<string> => {
  const row = { id: newId(), organization_id: organizationId, position: '', title: 'Guides' }
  await db.insertInto('collections').values(row).execute()
  return row.id
}
/** Another organization, whose admin the stranger is. */
const { body: other } = await w.call('POST', '/orgs', { as: 'stranger', body: { title: 'Another' } })
const { body: otherSpace } = await w.call('POST', `/orgs/${other.id}/spaces`, { as: 'stranger' })

test('invited addresses are members at once, each with its role and an event', async () => {
  const [one, two, three] = [newAddress(), newAddress(), newAddress()]
  const { status, body } = await invite({
    emails: [one, { email: two, role: null }, { email: three, role: 'admin' }],
    role: 'edit',
  })
  assert.equal(status, 200)
  assert.equal(body.invited, 3)
  assert.equal(body.users.length, 3)
  assert.ok(!('failedSSOEmails' in body))
  const members = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.email', 'members.user_id', 'members.role', 'members.sso'])
    .where('members.user_id', 'in', body.users)
    .execute()
  assert.deepEqual(Object.fromEntries(members.map(({ email, role, sso }) => [email, [role, sso]])), {
    [one]: ['edit', false],
    [two]: [null, false],
    [three]: ['admin', false],
  })
  const first = members.find(({ email }) => email === one)
  assert.equal(first?.user_id, body.users[0], 'in the order they were sent')
  const [joined, ...others] = await eventsAbout(body.users[0])
  assert.deepEqual([joined?.type, joined?.actor_id, others.length], ['member.joined', w.people.admin.id, 0])
})

test('without a role there is the default one of the organization', async () => {
  const first = await invite({ emails: [newAddress()] })
  assert.equal((await memberOf(first.body.users[0]))?.role, null)
  await w.call('PATCH', org, { body: { defaultRole: 'comment' } })
  const second = await invite({ emails: [newAddress()] })
  assert.equal((await memberOf(second.body.users[0]))?.role, 'comment')
  await w.call('PATCH', org, { body: { defaultRole: null } })
})

test('a known person is not created again, whatever the case of the address', async () => {
  const person = await newPerson()
  const { body } = await invite({ emails: [person.email.toUpperCase()], role: 'read' })
  assert.deepEqual(body, { users: [person.id], invited: 1, mailed: true })
})

test('a person is found again by an address whose small letters differ between programs', async () => {
  const id = newId().toLowerCase()
  const first = await invite({ emails: [`${id}-\u0391\u03a3@invited.test`], role: 'read' })
  assert.equal(first.body.invited, 1)
  for (const ending of ['\u0391\u03a3', '\u03b1\u03c3']) {
    const { status, body } = await invite({ emails: [`${id}-${ending}@invited.test`], role: 'read' })
    assert.deepEqual([status, body], [200, { users: [], invited: 0, mailed: true }])
  }
})

test('an invitation does not change the role of a member and does not count them', async () => {
  const { body } = await invite({ emails: [w.people.edit.email, w.people.guest.email], role: 'admin' })
  assert.deepEqual(body, { users: [], invited: 0, mailed: true })
  assert.equal((await memberOf(w.people.edit.id))?.role, 'edit')
  assert.equal((await memberOf(w.people.guest.id))?.role, null)
})

test('a disabled member is not let in again by an invitation', async () => {
  const person = await newPerson()
  await invite({ emails: [person.email], role: 'edit' })
  await w.call('PATCH', `${org}/members/${person.id}`, { body: { disabled: true } })
  assert.equal((await invite({ emails: [person.email], role: 'edit' })).body.invited, 0)
  assert.equal((await memberOf(person.id))?.disabled, true)
  assert.equal((await accept((await link({ role: 'admin' })).id, person)).status, 409)
})

test('an invalid address is named, and nobody is invited', async () => {
  const good = newAddress()
  for (const bad of [
    'ada',
    '@invited.test',
    'ada@',
    'a b@invited.test',
    'ada@@invited.test',
    'ada@invited..test',
    '.ada@invited.test',
    'ada@-invited.test',
    'ada@invited.test, eve@evil.test',
    'Ada <ada@invited.test>',
    'ada@invited.test\r\nBcc: eve@evil.test',
    'ada\u0000@invited.test',
    '"ada"@invited.test',
    'ada@[127.0.0.1]',
    // each would be compared as `kim`
    '\u212aim@invited.test',
    'k\u0130m@invited.test',
    '\uff4bim@invited.test',
    `${'x'.repeat(65)}@invited.test`,
  ]) {
    const { status, body } = await invite({ emails: [good, bad], role: 'read' })
    assert.equal(status, 400, bad)
    assert.equal(body.error.message, 'body.emails.1: this is not an email address.')
    const named = await invite({ emails: [good, { email: bad, role: 'read' }] })
    assert.equal(named.body.error.message, 'body.emails.1.email: this is not an email address.')
  }
  assert.equal(
    await db.selectFrom('users').select('id').where('email', '=', good).executeTakeFirst(),
    undefined,
  )
})

test('an address that is listed twice is one, unless the two do not agree', async () => {
  const address = newAddress()
  const twice = await invite({
    emails: [address, address.toUpperCase(), { email: address, role: 'read' }],
    role: 'read',
  })
  assert.equal(twice.body.invited, 1)
  const { status, body } = await invite({
    emails: [address, { email: address, role: 'admin' }],
    role: 'read',
  })
  assert.equal(status, 400)
  assert.match(body.error.message, /^body\.emails\.1\.email: this address is listed twice/)
})

test('bodies beyond the bounds and of other shapes are refused by field', async () => {
  const many = Array.from({ length: EMAILS_MAX + 1 }, newAddress)
  for (const [body, pattern] of [
    [{ emails: many }, /^body\.emails/],
    [{ emails: Array.from({ length: 10_000 }, () => 'a@b.test') }, /^body\.emails/],
    [{ emails: [] }, /^body\.emails/],
    [{}, /^body\.emails: this is required/],
    [{ emails: ['x'.repeat(300)] }, /^body\.emails\.0/],
    [{ emails: [newAddress()], role: 'boss' }, /^body\.role/],
    [{ emails: [{ email: newAddress(), role: 'boss' }] }, /^body\.emails\.0\.role/],
    [{ emails: [{ email: newAddress(), name: 'x'.repeat(65) }] }, /^body\.emails\.0\.name/],
    [{ emails: [7] }, /^body\.emails\.0/],
  ] as const) {
    const { status, body: answer } = await invite(body)
    assert.equal(status, 400, JSON.stringify(body).slice(0, 80))
    assert.match(answer.error.message, pattern)
  }
})

test('who is invited with a name has it, beside the role of the call; who has an account keeps theirs', async () => {
  const [named, plain] = [newAddress(), newAddress()]
  const { email } = await newPerson()
  const before = email.split('@')[0]
  const emails = [{ email: named, name: 'Bea Bell' }, plain, { email, name: 'Other', role: null }]
  const { body } = await invite({ emails, role: 'read' })
  const people = await db.selectFrom('users').selectAll().where('id', 'in', body.users).execute()
  const nameOf = (address: string) => people.find(one => one.email === address)?.display_name
  assert.deepEqual([nameOf(named), nameOf(plain), nameOf(email)], ['Bea Bell', plain.split('@')[0], before])
  const member = await w.call('GET', `${org}/members/${people.find(one => one.email === named)?.id}`)
  assert.equal(member.body.role, 'read')
  assert.equal((await invite({ emails: [{ email: newAddress(), name: '' }] })).status, 400)
})

test('as many as one call takes are invited', async () => {
  // Without mail.
  const { call, organizationId } = await world()
  const emails = Array.from({ length: EMAILS_MAX }, () => `${newId().toLowerCase()}@people.test`)
  const { body } = await call('POST', `/orgs/${organizationId}/invites`, { body: { emails, role: 'read' } })
  assert.equal(body.invited, EMAILS_MAX)
})

test('two who invite the same new people at once make each of them once', async () => {
  const emails = Array.from({ length: 8 }, newAddress)
  const [one, two] = await Promise.all([
    invite({ emails, role: 'read' }),
    invite({ emails: [...emails].reverse(), role: 'edit' }),
  ])
  assert.equal(one.body.invited + two.body.invited, emails.length)
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('email', 'in', emails)
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), emails.length)
})

test('sign-in by an identity provider alone is given where one is active, and never to people of others', async () => {
  const [fresh, foreign] = [newAddress(), await newPerson()]
  await w.call('POST', `/orgs/${other.id}/invites`, { as: 'stranger', body: { emails: [foreign.email] } })
  const none = await invite({ emails: [fresh], role: 'read', sso: true })
  assert.deepEqual(none.body.failedSSOEmails, [fresh])
  assert.equal((await memberOf(none.body.users[0]))?.sso, false)
  await db
    .insertInto('saml_providers')
    .values({
      ...{ id: newId(), organization_id: w.organizationId, label: 'Staff', entity_id: 'https://idp.test' },
      ...{ certificate: 'some', sso_url: 'https://idp.test/sso' },
    })
    .execute()
  const staff = newAddress()
  const { body } = await invite({ emails: [staff, foreign.email], role: 'read', sso: true })
  assert.deepEqual([body.invited, body.failedSSOEmails], [2, [foreign.email]])
  assert.equal((await memberOf(foreign.id))?.sso, false)
  const staffId = body.users.find((id: string) => id !== foreign.id)
  assert.equal((await memberOf(staffId))?.sso, true)
})

test('an invited person gets one email, with a link to choose a password', async () => {
  const address = newAddress()
  const { body } = await invite({ emails: [address], role: 'read' })
  await lettersTo(address, 1)
  const [letter, ...others] = smtp.taken.filter(({ to }) => to.includes(address))
  assert.equal(others.length, 0)
  assert.match(letter?.headers.subject ?? '', /invited you to A world$/)
  assert.match(letter?.text ?? '', /http:\/\/octavo\.test\/password\/[\w-]{43}\n/)
  const links = await db
    .selectFrom('password_links')
    .selectAll()
    .where('user_id', '=', body.users[0])
    .execute()
  assert.deepEqual(
    links.map(({ is_mailed, used_at }) => [is_mailed, used_at]),
    [[true, null]],
  )
  const secret = /\/password\/([\w-]+)/.exec(letter?.text ?? '')?.[1] as string
  for (const table of ['jobs', 'events'] as const) {
    const rows = await db.selectFrom(table).selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(secret), `${table} holds no secret`)
  }
  // invited again, they are members already
  await invite({ emails: [address], role: 'read' })
  await w.services.tasks.idle()
  assert.equal(smtp.taken.filter(({ to }) => to.includes(address)).length, 1)
})

/** Waits until so many emails to somebody have arrived. */
async function lettersTo(address: string, count: number): Promise<void> {
  for (let time = 0; time < 400; time += 1) {
    if (smtp.taken.filter(({ to }) => to.includes(address)).length >= count) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  assert.fail(`no letter to ${address}`)
}

test('invited people who can already sign in get a link to the sign-in page', async () => {
  const withPassword = await newPerson()
  await db.insertInto('passwords').values({ user_id: withPassword.id, hash: 'some' }).execute()
  const staff = newAddress()
  await invite({ emails: [withPassword.email], role: 'read' })
  await invite({ emails: [staff], role: 'read', sso: true })
  for (const address of [withPassword.email, staff]) {
    await lettersTo(address, 1)
    const letter = smtp.taken.find(({ to }) => to.includes(address))
    assert.match(letter?.text ?? '', /http:\/\/octavo\.test\/sign-in\n/)
    assert.doesNotMatch(letter?.text ?? '', /\/password\//)
  }
})

test('a person whom only the provider of another organization signs in gets a link to a password for this one', async () => {
  const person = await newPerson()
  await db
    .insertInto('members')
    .values({ organization_id: other.id, user_id: person.id, role: null, sso: true })
    .execute()
  await invite({ emails: [person.email], role: 'read' })
  await lettersTo(person.email, 1)
  const letter = smtp.taken.find(({ to }) => to.includes(person.email))
  const link = /\/password\/[\w-]{43}/.exec(letter?.text ?? '')?.[0] ?? assert.fail('the mail has a link')
  assert.match((await w.app.inject({ url: link })).payload, /Choose a password/)
})

test('user-chosen names cannot inject links, lines or headers into an email', async () => {
  const { body: evil } = await w.call('POST', '/orgs', {
    as: 'stranger',
    body: { title: 'Win at https://evil.test/x\r\nBcc: eve@evil.test\r\n\r\nNow' },
  })
  const address = newAddress()
  await w.call('POST', `/orgs/${evil.id}/invites`, { as: 'stranger', body: { emails: [address] } })
  await lettersTo(address, 1)
  const letter = smtp.taken.find(({ to }) => to.includes(address))
  assert.deepEqual(letter?.to, [address])
  assert.equal(letter?.headers.bcc, undefined)
  assert.doesNotMatch(letter?.text ?? '', /https:\/\/evil|evil\.test/)
})

test('a mail server that is away for a moment delays the email and not the invitation', async () => {
  smtp.answerNext('greeting', '421 Later')
  const address = newAddress()
  assert.equal((await invite({ emails: [address], role: 'read' })).status, 200)
  const waiting = async () =>
    db
      .selectFrom('jobs')
      .select(['id', 'error'])
      .where('name', '=', 'invitations.mail')
      .where('error', 'is not', null)
      .execute()
  for (let time = 0; time < 400 && (await waiting()).length === 0; time += 1)
    await new Promise(resolve => setTimeout(resolve, 10))
  assert.equal((await waiting()).length, 1)
  await db
    .updateTable('jobs')
    .set({ run_at: new Date(0) })
    .where('name', '=', 'invitations.mail')
    .execute()
  await invite({ emails: [newAddress()], role: 'read' })
  await lettersTo(address, 1)
})

test('a link to the organization is made, read, listed, changed, accepted and deleted', async () => {
  const made = await w.call('POST', `${org}/link-invites`, { body: { role: 'comment' } })
  assert.equal(made.status, 201)
  const path = `${org}/link-invites/${made.body.id}`
  assert.equal(made.headers.location, `http://octavo.test/v1${path}`)
  assert.deepEqual(made.body, {
    ...{ object: 'invite', id: made.body.id, role: 'comment', redundant: true },
    createdAt: made.body.createdAt,
    uses: 0,
    urls: {
      location: `http://octavo.test/v1${path}`,
      app: `http://octavo.test/invitations/${w.organizationId}/${made.body.id}`,
    },
  })
  assert.deepEqual((await w.call('GET', path)).body, made.body)
  const { body: list } = await w.call('GET', `${org}/link-invites?limit=1`)
  assert.deepEqual(list.items, [made.body])
  const person = await newPerson()
  assert.deepEqual((await w.call('GET', path, { as: person })).body, { ...made.body, redundant: false })
  const changed = await w.call('PATCH', path, { body: { role: 'edit', expiresAt: '2100-01-01T00:00:00Z' } })
  assert.deepEqual([changed.body.role, changed.body.expiresAt], ['edit', '2100-01-01T00:00:00.000Z'])
  const accepted = await accept(made.body.id, person)
  assert.deepEqual([accepted.status, accepted.body], [200, {}])
  assert.equal((await memberOf(person.id))?.role, 'edit')
  assert.deepEqual((await eventsAbout(person.id)).map(({ type }) => type).sort(), [
    'invite.accepted',
    'member.joined',
  ])
  assert.equal((await w.call('GET', path, { as: person })).body.redundant, true)
  assert.equal((await w.call('DELETE', path)).status, 204)
  assert.equal((await w.call('DELETE', path)).status, 204)
  assert.equal((await w.call('GET', path)).status, 404)
  assert.equal((await accept(made.body.id, await newPerson())).status, 404)
  assert.equal((await memberOf(person.id))?.role, 'edit')
})

test('no event of a link holds its id, which is a secret', async () => {
  const { id } = await link({ role: 'read' })
  await w.call('PATCH', `${org}/link-invites/${id}`, { body: { role: 'comment' } })
  await accept(id, await newPerson())
  await w.call('DELETE', `${org}/link-invites/${id}`)
  const events = await db.selectFrom('events').selectAll().where('type', 'like', 'invite.%').execute()
  assert.ok(events.length >= 4)
  assert.ok(!JSON.stringify(events).includes(id))
})

test('a link never lowers a role, raises a weaker one, and changes nothing for who has as much', async () => {
  const person = await newPerson()
  await invite({ emails: [person.email], role: 'review' })
  const told = async () => (await eventsAbout(person.id)).length
  const before = await told()
  for (const role of ['read', 'review', null]) await accept((await link({ role })).id, person)
  assert.equal((await memberOf(person.id))?.role, 'review')
  assert.equal(await told(), before)
  await accept((await link({ role: 'create' })).id, person)
  assert.equal((await memberOf(person.id))?.role, 'create')
  const raised = (await eventsAbout(person.id)).find(({ type }) => type === 'member.changed')
  assert.deepEqual(raised?.payload, {
    user: person.id,
    before: { role: 'review' },
    after: { role: 'create' },
  })
})

test('a link to a space makes guests with that role there and nowhere else', async () => {
  const [space, elsewhere] = [await w.createSpace(), await w.createSpace()]
  const made = await link({ level: 'edit', space: space.id })
  assert.deepEqual([made.level, made.space.id, made.redundant], ['edit', space.id, true])
  const person = await newPerson()
  const { body: seen } = await w.call('GET', `${org}/link-invites/${made.id}`, { as: person })
  assert.deepEqual([seen.redundant, seen.space.permissions.view], [false, false])
  assert.equal((await accept(made.id, person)).status, 200)
  assert.equal((await memberOf(person.id))?.role, null)
  const permissions = await roleOn(space.id, person)
  assert.deepEqual([permissions.edit, permissions.review], [true, false])
  assert.equal(await roleOn(elsewhere.id, person), null)
  assert.equal((await accept(made.id, person)).status, 200)
})

test('a link to a collection opens its contents', async () => {
  const collection = await collectionOf()
  const space = await w.createSpace()
  await db.updateTable('spaces').set({ parent_id: collection }).where('id', '=', space.id).execute()
  const made = await link({ level: 'comment', collection })
  assert.deepEqual([made.level, made.collection.id], ['comment', collection])
  const person = await newPerson()
  await accept(made.id, person)
  assert.equal((await roleOn(space.id, person)).comment, true)
  assert.equal((await w.call('GET', `${org}/link-invites/${made.id}`, { as: person })).body.redundant, true)
})

test('on a space a link never lowers what somebody has, and does not let in who was kept out by name', async () => {
  const space = await w.createSpace()
  const weaker = await link({ level: 'read', space: space.id })
  await accept(weaker.id, 'create')
  const role = async (user: string) =>
    (
      await db
        .selectFrom('grants')
        .select('role')
        .where('space_id', '=', space.id)
        .where('user_id', '=', user)
        .executeTakeFirst()
    )?.role
  assert.equal(await role(w.people.create.id), undefined)
  const stronger = await link({ level: 'review', space: space.id })
  await accept(stronger.id, 'comment')
  assert.equal(await role(w.people.comment.id), 'review')
  await w.call('PATCH', `/spaces/${space.id}/permissions/users/${w.people.edit.id}`, { body: { role: null } })
  assert.equal((await accept(stronger.id, 'edit')).status, 403)
  assert.equal(await role(w.people.edit.id), 'none')
  const nothing = await link({ level: null, space: space.id })
  const person = await newPerson()
  assert.equal((await accept(nothing.id, person)).status, 200)
  assert.equal(await roleOn(space.id, person), null)
})

test('an admin of a space can invite people to it and to nothing else', async () => {
  const space = await w.createSpace()
  const grant = (role: string) =>
    w.call('PATCH', `/spaces/${space.id}/permissions/users/${w.people.guest.id}`, { body: { role } })
  const create = (body: object) => w.call('POST', `${org}/link-invites`, { as: 'guest', body })
  await grant('create')
  assert.equal((await create({ level: 'read', space: space.id })).status, 403)
  await grant('admin')
  const { status, body: made } = await create({ level: 'admin', space: space.id })
  assert.equal(status, 201)
  assert.equal((await create({ role: 'read' })).status, 403)
  const { body: list } = await w.call('GET', `${org}/link-invites`, { as: 'guest' })
  assert.deepEqual([list.items, list.count], [[made], 1])
  assert.equal((await w.call('GET', `${org}/link-invites`, { as: 'create' })).body.count, 0)
  const { body: toAll } = await w.call('POST', `${org}/link-invites`, { body: { role: 'read' } })
  for (const [method, body] of [
    ['PATCH', { role: 'admin' }],
    ['DELETE', undefined],
  ] as const) {
    const path = `${org}/link-invites/${toAll.id}`
    assert.equal((await w.call(method, path, { as: 'guest', body })).status, 403)
    assert.equal((await w.call(method, path, { as: 'stranger', body })).status, 403)
  }
  assert.equal(
    (await w.call('PATCH', `${org}/link-invites/${made.id}`, { as: 'guest', body: { level: 'read' } }))
      .status,
    200,
  )
})

test('admins of a collection see and delete the links to it and to its contents', async () => {
  const [collection, other] = [await collectionOf(), await collectionOf()]
  const [space, elsewhere] = [await w.createSpace(), await w.createSpace()]
  await db.updateTable('spaces').set({ parent_id: collection }).where('id', '=', space.id).execute()
  const person = await newPerson()
  await accept((await link({ level: 'admin', collection })).id, person)
  const [within, made] = [
    await link({ level: 'read', space: space.id }),
    await link({ level: 'read', collection }, person),
  ]
  await link({ level: 'read', collection: other })
  await link({ level: 'read', space: elsewhere.id })
  const { body: list } = await w.call('GET', `${org}/link-invites`, { as: person })
  assert.equal(list.count, 3)
  assert.ok([within.id, made.id].every(id => list.items.some((item: { id: string }) => item.id === id)))
  const { body: first } = await w.call('GET', `${org}/link-invites?limit=2`, { as: person })
  const { body: second } = await w.call('GET', `${org}/link-invites?limit=2&page=${first.next.page}`, {
    as: person,
  })
  assert.deepEqual([...first.items, ...second.items], list.items)
  assert.equal((await w.call('DELETE', `${org}/link-invites/${within.id}`, { as: person })).status, 204)
  assert.equal((await w.call('GET', `${org}/link-invites/${within.id}`)).status, 404)
})

test('a link leads nowhere outside of its organization, and every other form is refused by field', async () => {
  const space = await w.createSpace()
  const collection = await collectionOf()
  const foreign = await collectionOf(other.id)
  const deleted = await w.createSpace()
  await w.call('DELETE', `/spaces/${deleted.id}`)
  // another organization of the same admin, who sees what is in it
  const { body: own } = await w.call('POST', '/orgs', { body: { title: 'My other one' } })
  const { body: ownSpace } = await w.call('POST', `/orgs/${own.id}/spaces`)
  const ownCollection = await collectionOf(own.id)
  for (const [body, message] of [
    [{ level: 'read', space: ownSpace.id }, /^body\.space: there is no such space/],
    [{ level: 'read', collection: ownCollection }, /^body\.collection: there is no such collection/],
    [{ level: 'read', space: otherSpace.id }, /^body\.space: there is no such space/],
    [{ level: 'read', space: deleted.id }, /^body\.space: there is no such space/],
    [{ level: 'read', space: 'nowhere' }, /^body\.space: there is no such space/],
    [{ level: 'read', collection: foreign }, /^body\.collection: there is no such collection/],
    [{ level: 'read', collection: space.id }, /^body\.collection: there is no such collection/],
    [{ level: 'read', space: space.id, collection }, /^body: send either/],
    [{ level: 'read' }, /^body\.space: /],
    [{ space: space.id }, /^body\.level: this is required/],
    [{ role: 'read', space: space.id }, /^body\.role: /],
    [{ role: 'boss' }, /^body\.role: /],
    [{ level: 'boss', space: space.id }, /^body\.level: /],
    [{}, /^body\.role: /],
    [{ role: 'read', expiresAt: '2001-01-01T00:00:00Z' }, /^body\.expiresAt: this is in the past/],
    [{ role: 'read', expiresAt: 'soon' }, /^body\.expiresAt: /],
  ] as const) {
    const { status, body: answer } = await w.call('POST', `${org}/link-invites`, { body })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(answer.error.message, message)
  }
  const toAll = await link({ role: 'read' })
  const toSpace = await link({ level: 'read', space: space.id })
  for (const [id, body, message] of [
    [toAll.id, { level: 'read' }, /^body\.level: /],
    [toAll.id, {}, /^body\.role: this is required/],
    [toSpace.id, { role: 'read' }, /^body\.role: /],
    [toSpace.id, {}, /^body\.level: this is required/],
    [toSpace.id, { expiresAt: '2001-01-01T00:00:00Z' }, /^body\.expiresAt: /],
  ] as const) {
    const { status, body: answer } = await w.call('PATCH', `${org}/link-invites/${id}`, { body })
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(answer.error.message, message)
  }
})

test('an id of another organization, a guessed one and one of a deleted space are not there', async () => {
  const { body: foreign } = await w.call('POST', `/orgs/${other.id}/link-invites`, {
    as: 'stranger',
    body: { role: 'admin' },
  })
  const space = await w.createSpace()
  const toSpace = await link({ level: 'read', space: space.id })
  await w.call('DELETE', `/spaces/${space.id}`)
  for (const id of [foreign.id, 'guessed', toSpace.id]) {
    assert.equal((await accept(id, 'read')).status, 404)
    assert.equal((await w.call('GET', `${org}/link-invites/${id}`)).status, 404)
    assert.equal((await w.call('PATCH', `${org}/link-invites/${id}`, { body: { role: 'read' } })).status, 404)
    assert.equal((await w.call('DELETE', `${org}/link-invites/${id}`)).status, 204)
  }
  assert.equal(
    (await w.call('GET', `/orgs/${other.id}/link-invites/${foreign.id}`, { as: 'stranger' })).status,
    200,
  )
  const { body: list } = await w.call('GET', `${org}/link-invites?limit=1000`)
  assert.ok(!list.items.some((item: { id: string }) => item.id === toSpace.id))
  assert.equal(list.count, list.items.length)
})

test('an invitation that has expired says so', async () => {
  const { id } = await link({ role: 'read' })
  await db
    .updateTable('link_invites')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', id)
    .execute()
  const person = await newPerson()
  const { status, body } = await accept(id, person)
  assert.equal(status, 409)
  assert.equal(body.error.message, 'This invitation has expired. Ask for a new one.')
  assert.equal(await memberOf(person.id), undefined)
  await w.call('PATCH', `${org}/link-invites/${id}`, { body: { expiresAt: null } })
  assert.equal((await accept(id, person)).status, 200)
})

test('a link lets in as many as it was made for, also at once, and whom it has let in may open it again', async () => {
  const { id, uses, usesMax } = await link({ role: 'comment', usesMax: 2 })
  assert.deepEqual([uses, usesMax], [0, 2])
  const people = await Promise.all([newPerson(), newPerson(), newPerson()])
  const answers = await Promise.all(people.map(person => accept(id, person)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409])
  const refused = answers.findIndex(({ status }) => status === 409)
  assert.equal(answers[refused]?.body.error.message.includes('as many people'), true)
  assert.equal(await memberOf(people[refused]?.id ?? ''), undefined)
  for (const [at, person] of people.entries())
    if (at !== refused) assert.equal((await accept(id, person)).status, 200)
  const read = () => w.call('GET', `${org}/link-invites/${id}`)
  assert.deepEqual([(await read()).body.uses, (await read()).body.usesMax], [2, 2])
  assert.equal((await w.call('PATCH', `${org}/link-invites/${id}`, { body: { usesMax: 3 } })).status, 200)
  assert.equal((await accept(id, people[refused] as Person)).status, 200)
  assert.equal((await w.call('PATCH', `${org}/link-invites/${id}`, { body: { usesMax: null } })).status, 200)
  assert.equal((await read()).body.usesMax, undefined)
  for (const wrong of [0, -1, 1.5, 'two']) assert.ok((await link({ role: 'comment', usesMax: wrong })).error)
})

test('links that have expired, and those to what was deleted, take no room', async () => {
  const { body: full } = await w.call('POST', '/orgs', { body: { title: 'Full of links' } })
  const links = `/orgs/${full.id}/link-invites`
  const create = async () => (await w.call('POST', links, { body: { role: 'read' } })).status
  const { body: space } = await w.call('POST', `/orgs/${full.id}/spaces`)
  const rows = Array.from({ length: LINKS_MAX }, (_, at) => ({
    ...{ id: newId(), organization_id: full.id, role: 'read' as const },
    ...(at === 0 ? { space_id: space.id } : {}),
  }))
  await db.insertInto('link_invites').values(rows).execute()
  assert.equal(await create(), 409)
  await w.call('DELETE', `/spaces/${space.id}`)
  assert.deepEqual([await create(), await create()], [201, 409])
  const old = rows[1]?.id ?? ''
  const ended = { expires_at: new Date(Date.now() - 1) }
  await db.updateTable('link_invites').set(ended).where('id', '=', old).execute()
  const prolong = async () => (await w.call('PATCH', `${links}/${old}`, { body: { expiresAt: null } })).status
  assert.deepEqual([await create(), await create()], [201, 409])
  assert.equal(await prolong(), 409, 'it would be one too many again')
  assert.equal((await w.call('PATCH', `${links}/${old}`, { body: { role: 'edit' } })).status, 200)
  await w.call('DELETE', `${links}/${rows[2]?.id}`)
  assert.deepEqual([await prolong(), await create()], [200, 409])
})

test('if invite links are off, none can be created and none works', async () => {
  const { id } = await link({ role: 'read' })
  await w.call('PATCH', org, { body: { inviteLinks: false } })
  const person = await newPerson()
  const refused = await accept(id, person)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /inviteLinks is off/)
  assert.equal((await w.call('POST', `${org}/link-invites`, { body: { role: 'read' } })).status, 409)
  await w.call('PATCH', org, { body: { inviteLinks: true } })
  assert.equal((await accept(id, person)).status, 200)
})

test('a link grants only what its creator may still grant', async () => {
  const maker = await newPerson()
  await invite({ emails: [maker.email], role: 'admin' })
  const space = await w.createSpace()
  const [toAll, toSpace] = [
    await link({ role: 'admin' }, maker),
    await link({ level: 'admin', space: space.id }, maker),
  ]
  await w.call('PATCH', `${org}/members/${maker.id}`, { body: { role: 'create' } })
  const person = await newPerson()
  for (const { id } of [toAll, toSpace]) {
    const { status, body } = await accept(id, person)
    assert.equal(status, 409)
    assert.match(body.error.message, /may no longer invite/)
  }
  await w.call('PATCH', `/spaces/${space.id}/permissions/users/${maker.id}`, { body: { role: 'admin' } })
  assert.equal((await accept(toAll.id, person)).status, 409)
  assert.equal((await accept(toSpace.id, person)).status, 200)
  await w.call('DELETE', `${org}/members/${maker.id}`)
  assert.equal((await accept(toAll.id, maker)).status, 409)
  assert.equal(await memberOf(maker.id), undefined)
})

test('a person who accepts concurrently joins once', async () => {
  const space = await w.createSpace()
  const person = await newPerson()
  const [toSpace, toAll] = [await link({ level: 'edit', space: space.id }), await link({ role: 'comment' })]
  const answers = await Promise.all(
    [toSpace, toAll, toSpace, toAll, toSpace].map(({ id }) => accept(id, person)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  assert.equal((await memberOf(person.id))?.role, 'comment')
  assert.equal((await roleOn(space.id, person)).edit, true)
  const joined = (await eventsAbout(person.id)).filter(({ type }) => type === 'member.joined')
  assert.equal(joined.length, 1)
})

test('a token for one organization lets its owner into no other', async () => {
  const { body: narrow } = await w.call('POST', '/user/tokens', {
    as: 'stranger',
    body: { label: 'narrow', organization: other.id },
  })
  const { id } = await link({ role: 'read' })
  assert.equal((await accept(id, narrow)).status, 404)
  assert.equal(await memberOf(w.people.stranger.id), undefined)
})

test('a verified address of the organization’s domain comes in with the default role', async () => {
  const domain = `${newId().toLowerCase()}.test`
  await w.call('PATCH', org, { body: { emailDomains: [domain], defaultRole: 'read' } })
  const join = (as: { token: string } | PersonName) => w.call('POST', `${org}/join`, { as })
  const person = await newPerson(`ada@${domain.toUpperCase()}`, true)
  assert.equal((await join(person)).status, 204)
  assert.equal((await memberOf(person.id))?.role, 'read')
  assert.deepEqual(
    (await eventsAbout(person.id)).map(({ type, payload }) => [type, (payload as { how?: string }).how]),
    [['member.joined', 'domain']],
  )
  assert.equal((await join(person)).status, 204)
  assert.equal((await eventsAbout(person.id)).length, 1)
  const unverified = await newPerson(`eve@${domain}`)
  const refused = await join(unverified)
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /email address/)
  assert.equal(await memberOf(unverified.id), undefined)
  for (const email of [`eve@sub.${domain}`, `eve@x${domain}`, `${domain}@evil.test`])
    assert.equal((await join(await newPerson(email, true))).status, 404, email)
  assert.equal((await join('stranger')).status, 404)
  assert.equal((await join('guest')).status, 204)
  assert.equal((await memberOf(w.people.guest.id))?.role, null)
  await w.call('PATCH', `${org}/members/${person.id}`, { body: { disabled: true } })
  assert.equal((await join(person)).status, 409)
  await w.call('PATCH', org, { body: { emailDomains: [], defaultRole: null } })
})

test('what was deleted while it was accepted is not there any more', async () => {
  const { id } = await link({ role: 'read' })
  const people = await Promise.all(Array.from({ length: 4 }, () => newPerson()))
  const [, ...answers] = await Promise.all([
    w.call('DELETE', `${org}/link-invites/${id}`),
    ...people.map(person => accept(id, person)),
  ])
  for (const [index, { status }] of answers.entries()) {
    assert.ok(status === 200 || status === 404)
    assert.equal((await memberOf((people[index] as Person).id)) !== undefined, status === 200)
  }
})
