// Links for the first sign-in: for exactly one person, once, and on the word of one organization.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePassword, signInAs, Tab } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { SIGN_IN_LINKS_MAX } from './sign-in-link-schema.ts'

const w = await world()
const { db } = w.services
const org = `/orgs/${w.organizationId}`
const PASSWORD = 'rain on a tin roof'

type Body = Record<string, unknown>
const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: Body,
  as: PersonName = 'admin',
) => w.call(method, `${org}${path}`, { as, ...(body === undefined ? {} : { body }) })
const invite = async (role = 'edit'): Promise<{ id: string; email: string }> => {
  const email = `${newId().toLowerCase()}@invited.test`
  const { body } = await call('POST', '/invites', { emails: [email], role })
  return { id: body.users[0], email }
}
const linkFor = async (...users: readonly string[]): Promise<string> => {
  const { status, body } = await call('POST', '/sign-in-links', { users })
  assert.equal(status, 200)
  return new URL(body.items[0].url).pathname
}
/** With a form of its own, so that it is the link that is refused. */
const choose = async (tab: Tab, path: string, password = PASSWORD) => {
  await tab.get('/sign-in')
  return tab.post(path, { password, repeat: password })
}
/** What the workspace asks in a browser. */
const apiOf = async (tab: Tab, method: 'GET' | 'POST' | 'PATCH', path: string, body?: Body) => {
  const answer = await w.app.inject({
    method,
    url: `/v1${path}`,
    headers: {
      cookie: [...tab.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'octavo-workspace': '1',
    },
    ...(body === undefined ? {} : { payload: body }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const opensOrganization = async (tab: Tab, organizationId = w.organizationId) =>
  (await apiOf(tab, 'GET', `/orgs/${organizationId}`)).status === 200

test('a link says who invited whom, lets them choose a password, and signs them in to the organization', async () => {
  const ada = await invite()
  const path = await linkFor(ada.id)
  const tab = new Tab(w)
  const page = await tab.get(path)
  assert.equal(page.status, 200)
  assert.match(page.text, new RegExp(ada.email))
  assert.match(page.text, /invited you to/)
  assert.equal((await choose(tab, path)).status, 303)
  assert.ok(await opensOrganization(tab))
  const later = new Tab(w)
  assert.equal((await signInAs(later, ada.email, PASSWORD)).status, 303)
  assert.ok(await opensOrganization(later))
})

test('opening a link uses nothing up; choosing a password does, for every link of the person', async () => {
  const ada = await invite()
  const path = await linkFor(ada.id)
  for (const _ of [1, 2, 3]) assert.equal((await new Tab(w).get(path)).status, 200)
  assert.equal((await choose(new Tab(w), path)).status, 303)
  assert.equal((await new Tab(w).get(path)).status, 404)
  assert.equal((await choose(new Tab(w), path, 'another tin roof with rain')).status, 404)
})

test('of two who use a link at once one is let in', async () => {
  const path = await linkFor((await invite()).id)
  const tabs = [new Tab(w), new Tab(w)]
  for (const tab of tabs) await tab.get(path)
  const answers = await Promise.all(tabs.map(tab => tab.post(path, { password: PASSWORD, repeat: PASSWORD })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404])
})

test('a forged, a shortened and an expired link let nobody in', async () => {
  const path = await linkFor((await invite()).id)
  for (const wrong of [path.slice(0, -1), `${path}A`, '/password/guessed'])
    assert.equal((await new Tab(w).get(wrong)).status, 404)
  await db
    .updateTable('password_links')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('organization_id', '=', w.organizationId)
    .execute()
  assert.equal((await new Tab(w).get(path)).status, 404)
})

test('a new link ends the one before, and an ended one lets nobody in', async () => {
  const { id } = await invite()
  const [first, second] = [await linkFor(id), await linkFor(id)]
  assert.equal((await new Tab(w).get(first)).status, 404)
  assert.equal((await new Tab(w).get(second)).status, 200)
  assert.equal((await call('DELETE', `/members/${id}/sign-in-link`)).status, 204)
  assert.equal((await new Tab(w).get(second)).status, 404)
  assert.equal((await call('DELETE', `/members/${id}/sign-in-link`)).status, 204, 'it stays so')
})

test('a link of somebody who is disabled, removed, or signs in with a provider lets nobody in', async () => {
  const people = [await invite(), await invite(), await invite()]
  const paths: string[] = []
  for (const { id } of people) paths.push(await linkFor(id))
  const [disabled, removed, bound] = people.map(({ id }) => `/members/${id}`)
  await call('PATCH', `${disabled}`, { disabled: true })
  await call('DELETE', `${removed}`)
  await call('POST', `${bound}/sso`)
  for (const path of paths) assert.equal((await choose(new Tab(w), path)).status, 404)
  await call('PATCH', `${disabled}`, { disabled: false })
  assert.equal((await new Tab(w).get(paths[0] ?? '')).status, 200, 'who is enabled again can use it')
})

test('a link ends when the person signs in in another way, and none is made for them afterwards', async () => {
  const ada = await invite()
  const path = await linkFor(ada.id)
  await givePassword(w, ada.id, PASSWORD)
  assert.equal((await signInAs(new Tab(w), ada.email, PASSWORD)).status, 303)
  assert.equal((await choose(new Tab(w), path, 'another tin roof with rain')).status, 404)
  const { body } = await call('POST', '/sign-in-links', { users: [ada.id] })
  assert.deepEqual(body, { items: [], refused: [{ user: ada.id, email: ada.email, why: 'signed_in' }] })
  assert.equal((await signInAs(new Tab(w), ada.email, PASSWORD)).status, 303, 'their password stays')
})

test('a link is worth nothing when its maker is no longer an admin', async () => {
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Short' } })
  const people = `/orgs/${other.id}`
  const [helper, ada] = [`${newId().toLowerCase()}@invited.test`, `${newId().toLowerCase()}@invited.test`]
  const { body } = await w.call('POST', `${people}/invites`, {
    body: { emails: [helper, ada], role: 'admin' },
  })
  const [helperId, adaId] = body.users
  const helping = await w.call('POST', `${people}/sign-in-links`, { body: { users: [helperId] } })
  const tab = new Tab(w)
  await choose(tab, new URL(helping.body.items[0].url).pathname)
  const made = await apiOf(tab, 'POST', `${people}/sign-in-links`, { users: [adaId] })
  const path = new URL(made.body.items[0].url).pathname
  assert.equal((await new Tab(w).get(path)).status, 200)
  await w.call('PATCH', `${people}/members/${helperId}`, { body: { role: 'edit' } })
  assert.equal((await new Tab(w).get(path)).status, 404)
})

test('the word of one organization opens no other, and proves no email address', async () => {
  const email = `${newId().toLowerCase()}@victim.test`
  const { body: evil } = await w.call('POST', '/orgs', { as: 'stranger', body: { title: 'Evil' } })
  const { body } = await w.call('POST', `/orgs/${evil.id}/invites`, {
    as: 'stranger',
    body: { emails: [email], role: 'edit' },
  })
  const made = await w.call('POST', `/orgs/${evil.id}/sign-in-links`, {
    as: 'stranger',
    body: { users: body.users },
  })
  const tab = new Tab(w)
  await choose(tab, new URL(made.body.items[0].url).pathname)
  await call('POST', '/invites', { emails: [email], role: 'admin' })
  const again = new Tab(w)
  assert.equal((await signInAs(again, email, PASSWORD)).status, 303)
  for (const one of [tab, again]) {
    assert.ok(await opensOrganization(one, evil.id))
    assert.equal(await opensOrganization(one), false)
  }
  const user = await db
    .selectFrom('users')
    .select('email_verified_at')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  assert.equal(user.email_verified_at, null)
})

test('who has not signed in yet is listed with their link, never with what it is', async () => {
  const [ada, grace] = [await invite('review'), await invite()]
  const path = await linkFor(ada.id)
  const { status, body } = await call('GET', '/sign-in-links')
  assert.equal(status, 200)
  const of = (id: string) => body.items.find((one: { id: string }) => one.id === id)
  assert.equal(of(ada.id).role, 'review')
  assert.ok(new Date(of(ada.id).expiresAt) > new Date())
  assert.equal(of(grace.id).expiresAt, null)
  assert.ok(!JSON.stringify(body).includes(path.slice('/password/'.length)))
  await choose(new Tab(w), path)
  assert.ok(!JSON.stringify((await call('GET', '/sign-in-links')).body).includes(ada.id))
})

test('links are for members alone, so many at once, and made by admins', async () => {
  const { id } = await invite()
  const stranger = w.people.stranger.id
  const unknown = await call('POST', '/sign-in-links', { users: [id, stranger] })
  assert.equal(unknown.status, 400)
  assert.match(unknown.body.error.message, /^body\.users\.1: /)
  const many = Array.from({ length: SIGN_IN_LINKS_MAX + 1 }, () => id)
  assert.equal((await call('POST', '/sign-in-links', { users: many })).status, 400)
  assert.equal((await call('POST', '/sign-in-links', { users: [] })).status, 400)
  assert.equal((await call('POST', '/sign-in-links', { users: [id], days: 31 })).status, 400)
  for (const as of ['create', 'guest'] as const) {
    assert.equal((await call('POST', '/sign-in-links', { users: [id] }, as)).status, 403)
    assert.equal((await call('GET', '/sign-in-links', undefined, as)).status, 403)
  }
  assert.equal((await call('DELETE', `/members/${id}/sign-in-link`, undefined, 'create')).status, 403)
})

test('who came by a link may change their name and password', async () => {
  const ada = await invite()
  const tab = new Tab(w)
  await choose(tab, await linkFor(ada.id))
  const named = await apiOf(tab, 'PATCH', `/users/${ada.id}`, { displayName: 'Ada' })
  assert.deepEqual([named.status, named.body.displayName], [200, 'Ada'])
  await tab.get('/account/password')
  const next = 'another tin roof with rain'
  const changed = await tab.post('/account/password', { current: PASSWORD, password: next, repeat: next })
  assert.equal(changed.status, 303)
  const later = new Tab(w)
  assert.equal((await signInAs(later, ada.email, next)).status, 303)
  assert.ok(await opensOrganization(later))
})
