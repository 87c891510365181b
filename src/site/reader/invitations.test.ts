import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givePassword, signedIn, signInAs, Tab } from '../../../test/support/sessions.ts'
import { type PersonName, world } from '../../../test/support/world.ts'

const w = await world()
const org = `/orgs/${w.organizationId}`
const PASSWORD = 'a staple of correct horses'

const link = async (body: object): Promise<string> => {
  const { body: invite } = await w.call('POST', `${org}/link-invites`, { body })
  return new URL(invite.urls.app).pathname
}
const tabOf = async (person: PersonName, session: Parameters<typeof signedIn>[2] = {}): Promise<Tab> => {
  const tab = new Tab(w)
  tab.cookies.set('octavo_session', await signedIn(w, person, session))
  return tab
}
const membersOf = async (person: PersonName) =>
  w.services.db
    .selectFrom('members')
    .select('role')
    .where('organization_id', '=', w.organizationId)
    .where('user_id', '=', w.people[person].id)
    .execute()

test('a visitor without a session signs in first, and comes back to the invitation', async () => {
  const path = await link({ role: 'read' })
  const tab = new Tab(w)
  const first = await tab.get(path)
  assert.equal(first.status, 303)
  assert.equal(first.location, `/sign-in?${new URLSearchParams({ next: path })}`)
  await givePassword(w, w.people.guest.id, PASSWORD)
  const back = await signInAs(tab, w.people.guest.email, PASSWORD, path)
  assert.equal(back.location, path)
  const shown = await tab.get(path)
  assert.match(shown.text, /You have been invited/)
  assert.equal(shown.headers['cache-control'], 'no-store')
})

test('opening an invitation does not accept it; submitting the form does', async () => {
  const space = await w.createSpace({ title: 'The <b>Handbook</b>' })
  const path = await link({ level: 'edit', space: space.id })
  const tab = await tabOf('stranger')
  const shown = await tab.get(path)
  assert.equal(shown.status, 200)
  assert.match(shown.text, /The &lt;b&gt;Handbook/)
  assert.match(shown.text, /the role edit/)
  assert.deepEqual(await membersOf('stranger'), [])
  const done = await tab.post(path)
  assert.deepEqual([done.status, done.location], [303, `/s/${space.id}`])
  assert.deepEqual(await membersOf('stranger'), [{ role: null }])
  const { body } = await w.call('GET', `${org}/audit-events?action=invite.accepted`)
  assert.deepEqual([body.items[0].source, body.items[0].actor.id], ['ui', w.people.stranger.id])
})

test('a form of another site, or without its token, accepts nothing', async () => {
  const path = await link({ role: 'admin' })
  const tab = await tabOf('comment')
  await tab.get(path)
  assert.equal((await tab.post(path, {}, { origin: 'https://evil.test' })).status, 403)
  assert.equal((await tab.post(path, { form: 'guessed' })).status, 403)
  assert.deepEqual(await membersOf('comment'), [{ role: 'comment' }])
})

test('an invalid address, and a session for another organization, find nothing', async () => {
  const path = await link({ role: 'admin' })
  const { body: other } = await w.call('POST', '/orgs', { as: 'edit', body: { title: 'Another' } })
  const elsewhere = await tabOf('edit', { method: 'saml', organizationId: other.id })
  assert.equal((await elsewhere.get(path)).status, 404)
  const tab = await tabOf('edit')
  for (const wrong of [
    `${path}x`,
    `/invitations/${w.organizationId}/%00`,
    `/invitations/${other.id}/${path.split('/').at(-1)}`,
  ])
    assert.equal((await tab.get(wrong)).status, 404, wrong)
})

test('an invitation that no longer works says why on a page', async () => {
  const path = await link({ role: 'create' })
  const tab = await tabOf('read')
  await tab.get(path)
  await w.call('PATCH', org, { body: { inviteLinks: false } })
  const refused = await tab.post(path)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /does not accept people by link/)
  await w.call('PATCH', org, { body: { inviteLinks: true } })
})

test('a user who signed in with a token with scopes cannot accept an invitation', async () => {
  const path = await link({ role: 'admin' })
  const { body: token } = await w.call('POST', '/user/tokens', {
    as: 'review',
    body: { label: 'reads', scopes: ['space:read'] },
  })
  const tab = await tabOf('review', { method: 'token', tokenId: token.id })
  await tab.get(path)
  assert.equal((await tab.post(path)).status, 403)
  assert.deepEqual(await membersOf('review'), [{ role: 'review' }])
})
