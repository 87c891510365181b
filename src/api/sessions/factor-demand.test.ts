// An organization that demands a second factor, and taking that of a member away.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { spaceWith } from '../../../test/support/pages.ts'
import {
  addPasskey,
  isSignedIn,
  OwnTab,
  PASSWORD,
  SETTINGS,
  SITE,
  setUpApp,
  signedInTab,
} from '../../../test/support/second-factor.ts'
import {
  givePassword,
  signedIn,
  signInAs,
  type Tab,
  workspaceHeaders,
} from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'
import { resetByOperator } from './factor-reset.ts'

const w = await world({ OCTAVO_PUBLIC_URL: SITE })
const org = `/orgs/${w.organizationId}`
const space = await spaceWith(w, { 'README.md': '# Private\n' })
const admin = await signedInTab(w, 'admin')

const asTab = (tab: Tab, method: string, path: string, body?: unknown) =>
  w.call(method, path, {
    as: null,
    ...(body === undefined ? {} : { body }),
    headers: workspaceHeaders(tab.cookies.get('octavo_session') ?? '', { origin: SITE }),
  })
const demand = (secondFactor: boolean) => w.call('PATCH', org, { body: { secondFactor } })
const reset = (person: PersonName, call = {}) =>
  w.call('DELETE', `${org}/members/${w.people[person].id}/second-factor`, call)
const hasFactor = async (person: PersonName) =>
  (await w.call('GET', '/user/second-factor', { as: person })).body.totp as boolean

test('an admin in a browser demands a second factor only with one of their own, and after a confirmation', async () => {
  const refused = await asTab(admin, 'PATCH', org, { secondFactor: true })
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'second_factor_own'])
  const tab = new OwnTab(w)
  tab.cookies.set('octavo_session', await signedIn(w, 'admin', { factor: 'totp' }))
  const unconfirmed = await asTab(tab, 'PATCH', org, { secondFactor: true })
  assert.deepEqual([unconfirmed.status, unconfirmed.body.error.reason], [403, 'confirm_identity'])
  await setUpApp(admin)
  assert.equal((await asTab(admin, 'PATCH', org, { secondFactor: true })).body.secondFactor, true)
  assert.equal((await asTab(admin, 'GET', `${org}/members`)).status, 200, 'theirs stays open')
  await demand(false)
})

test('a session by password opens nothing of the organization until its person has set one up, an old one too', async () => {
  const tab = await signedInTab(w, 'read')
  assert.equal((await asTab(tab, 'GET', `/spaces/${space}`)).status, 200)
  await demand(true)
  for (const path of [org, `/spaces/${space}`, '/spaces/none', `${org}/members`]) {
    const { status, body } = await asTab(tab, 'GET', path)
    assert.deepEqual([status, body.error?.reason], [403, 'second_factor_needed'], path)
  }
  assert.equal(
    (await tab.get(`/s/${space}`)).location,
    `${SETTINGS}?next=${encodeURIComponent(`/s/${space}`)}`,
  )
  assert.equal((await tab.get('/w')).location, `${SETTINGS}?next=%2Fw`)
  const fresh = await signInAs(new OwnTab(w), w.people.read.email, PASSWORD, '/w/me')
  assert.equal(fresh.location, `${SETTINGS}?next=%2Fw%2Fme`)
  const token = { label: 'All', may: 'read' }
  assert.equal((await asTab(tab, 'POST', '/user/tokens', token)).status, 400, 'no token that would open it')
  assert.match((await tab.get(SETTINGS)).text, /A world: a second step is demanded here/)
  assert.equal((await w.call('GET', `/spaces/${space}`, { as: 'read' })).status, 200, 'tokens go on')

  await setUpApp(tab)
  assert.equal((await asTab(tab, 'GET', `/spaces/${space}`)).status, 200)
  const kept = await tab.post(SETTINGS, { act: 'remove-app' })
  assert.deepEqual([kept.status, /demands a second factor/.test(kept.text)], [409, true])
  await demand(false)
})

test('whom the provider of the organization signs in is not asked', async () => {
  await demand(true)
  const tab = new OwnTab(w)
  const session = { method: 'saml', organizationId: w.organizationId } as const
  tab.cookies.set('octavo_session', await signedIn(w, 'comment', session))
  assert.equal((await asTab(tab, 'GET', `/spaces/${space}`)).status, 200)
  await demand(false)
})

test('an admin resets a member of this organization alone, who signs in by password then', async () => {
  const tab = await signedInTab(w, 'edit')
  await setUpApp(tab)
  await addPasskey(w, tab, 'edit')
  assert.equal((await reset('edit', { as: 'read' })).status, 403)
  assert.equal((await reset('edit', { as: 'stranger' })).status, 404)
  assert.equal((await reset('edit')).status, 204)
  assert.equal((await reset('edit')).status, 204)
  assert.equal(await hasFactor('edit'), false)
  assert.equal((await tab.get(SETTINGS)).status, 303, 'signed out')
  const again = new OwnTab(w)
  await signInAs(again, w.people.edit.email, PASSWORD)
  assert.equal(isSignedIn(again), true)
  const { body } = await w.call('GET', `${org}/audit-events?target=${w.people.edit.id}`)
  const told = ['second_factor.reset', 'session.ended'].map(action => {
    const { actor, target } = body.items.find((event: { action: string }) => event.action === action)
    return [action, actor.id, target.id]
  })
  const [byAdmin, ofMember] = [w.people.admin.id, w.people.edit.id]
  assert.deepEqual(told, [
    ['second_factor.reset', byAdmin, ofMember],
    ['session.ended', byAdmin, ofMember],
  ])
})

test('a member of another organization too is reset by the operator alone', async () => {
  await givePassword(w, w.people.review.id, PASSWORD)
  await setUpApp(await signedInTab(w, 'review'))
  await w.call('POST', '/orgs', { as: 'review', body: { title: 'Elsewhere' } })
  const refused = await reset('review')
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'member_elsewhere'])
  assert.equal(await hasFactor('review'), true)
  const { email } = w.people.review
  assert.deepEqual(await resetByOperator(w.services, { email }), { wasSetUp: true })
  assert.deepEqual(await resetByOperator(w.services, { email }), { wasSetUp: false })
  assert.equal(await hasFactor('review'), false)
  const ends = await w.services.db
    .selectFrom('events')
    .select('actor_id')
    .where('type', '=', 'session.ended')
    .where(sql`payload->>'user'`, '=', w.people.review.id)
    .where(sql`payload->>'why'`, '=', 'second_factor_changed')
    .execute()
  assert.ok(ends.length > 0 && ends.every(({ actor_id }) => actor_id === null), 'the operator is no user')
  await assert.rejects(resetByOperator(w.services, { email: 'nobody@people.test' }), /no user/)
})

test('a session begun with a token → closed where a second factor is demanded, and the token itself goes on', async () => {
  await demand(true)
  const { token, id } = w.people.create
  const tab = new OwnTab(w)
  await tab.get('/sign-in')
  const path = `/s/${space}`
  const landed = await tab.post('/sign-in/token', { token, next: path })
  assert.equal(landed.location, `${SETTINGS}?next=${encodeURIComponent(path)}`)
  const shown = await tab.get(String(landed.location))
  assert.match(shown.text, /You are signed in with a token/)
  assert.match(shown.text, new RegExp(`href="/sign-in\\?next=${encodeURIComponent(path)}"`))
  const refused = await asTab(tab, 'GET', `/spaces/${space}`)
  assert.deepEqual([refused.status, refused.body.error.reason], [403, 'second_factor_needed'])
  const all = await asTab(tab, 'POST', '/user/tokens', { label: 'All', may: 'read' })
  assert.equal(all.status, 400, 'it makes no token that would open it')
  assert.equal((await w.call('GET', `/spaces/${space}`, { as: 'create' })).status, 200)

  await w.call('PATCH', `${org}/members/${id}`, { body: { sso: true } })
  assert.equal((await asTab(tab, 'GET', `/spaces/${space}`)).status, 403, 'nor has it been at the provider')
  await demand(false)
  assert.equal((await asTab(tab, 'GET', `/spaces/${space}`)).status, 200)
})

test('a session begun with a token → neither demands a second factor nor sets one up', async () => {
  const tab = new OwnTab(w)
  await tab.get('/sign-in')
  await tab.post('/sign-in/token', { token: w.people.admin.token, next: '/w' })
  const demanded = await asTab(tab, 'PATCH', org, { secondFactor: true })
  assert.deepEqual([demanded.status, demanded.body.error.reason], [409, 'second_factor_own'])
  await tab.get('/account/password')
  const begun = await tab.post(SETTINGS, { act: 'begin-app' })
  assert.deepEqual([begun.status, /signed in with a token/.test(begun.text)], [403, true])
})

test('who has a second factor and who lacks one → admins read it and filter by it, and nobody else', async () => {
  const { review, read, comment } = w.people
  await w.call('PATCH', `${org}/members/${comment.id}`, { body: { sso: true } })
  const [has, lacks] = [true, false].map(secondFactor => async () => {
    const { body } = await w.call('GET', `${org}/members?secondFactor=${secondFactor}`)
    return body.items.map(({ id }: { id: string }) => id) as string[]
  })
  const of = async (id: string, as?: PersonName) =>
    (await w.call('GET', `${org}/members/${id}`, as === undefined ? {} : { as })).body.secondFactor
  assert.deepEqual([await of(read.id), await of(review.id)], [true, false])
  assert.ok((await has?.())?.includes(read.id))
  const without = (await lacks?.()) ?? []
  assert.ok(without.includes(review.id) && !without.includes(read.id))
  assert.ok(!without.includes(comment.id), 'the provider asks them')

  assert.equal(await of(read.id, 'read'), undefined)
  const { body: listed } = await w.call('GET', `${org}/members`, { as: 'read' })
  assert.ok(listed.items.every((member: object) => !('secondFactor' in member)))
  assert.equal((await w.call('GET', `${org}/members?secondFactor=false`, { as: 'read' })).status, 403)
})
