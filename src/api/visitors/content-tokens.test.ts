// A content token lasts as long as who made it could make it again, in whatever way they lose that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standingIn } from '../../../test/support/collections.ts'
import { world } from '../../../test/support/world.ts'

// A server that is opened in a test ends with it: this one is the file's.
await world()

/** A token that a reader of an organization made for a private space of which they are an admin by `grant`. */
async function tokenMadeUnder(grant: (at: At) => Promise<unknown>) {
  const w = await world()
  const { id } = await w.createSpace({ visibility: 'private' })
  const maker = w.people.read
  const at = {
    w,
    s: `/spaces/${id}`,
    userId: maker.id,
    member: `/orgs/${w.organizationId}/members/${maker.id}`,
  }
  await grant(at)
  const { status, body, text } = await w.call('POST', `${at.s}/content-tokens`, { as: 'read' })
  assert.equal(status, 201, text)
  const read = async () => (await w.call('GET', `${at.s}/content/pages`, { as: body })).status
  assert.equal(await read(), 200)
  return { ...at, id: body.id as string, read }
}

type At = {
  readonly w: Awaited<ReturnType<typeof world>>
  readonly s: string
  readonly userId: string
  readonly member: string
}

const grant = ({ w, s, userId }: At) =>
  w.call('POST', `${s}/permissions`, { body: { role: 'admin', users: [userId] } })

test('a role on the space that is lowered or removed ends it, and a higher one opens it again', async () => {
  const { read, ...at } = await tokenMadeUnder(grant)
  await at.w.call('PATCH', `${at.s}/permissions/users/${at.userId}`, { body: { role: 'create' } })
  assert.equal(await read(), 401)
  await at.w.call('PATCH', `${at.s}/permissions/users/${at.userId}`, { body: { role: 'admin' } })
  assert.equal(await read(), 200)
  await at.w.call('DELETE', `${at.s}/permissions/users/${at.userId}`)
  assert.equal(await read(), 401)
})

test('a role that came by a team ends it with the membership, and with the role of the team', async () => {
  let team = ''
  const { read, ...at } = await tokenMadeUnder(async ({ w, s, userId }) => {
    const { body } = await w.call('PUT', `/orgs/${w.organizationId}/teams`, {
      body: { title: 'Makers', members: [userId] },
    })
    team = body.id
    await w.call('POST', `${s}/permissions`, { body: { role: 'admin', teams: [team] } })
  })
  const members = `/orgs/${at.w.organizationId}/teams/${team}/members`
  await at.w.call('DELETE', `${members}/${at.userId}`)
  assert.equal(await read(), 401)
  await at.w.call('PUT', `${members}/${at.userId}`)
  assert.equal(await read(), 200)
  await at.w.call('PATCH', `${at.s}/permissions/teams/${team}`, { body: { role: 'edit' } })
  assert.equal(await read(), 401)
})

test('a role that comes from a default level ends it with the level', async () => {
  const { read, w, s } = await tokenMadeUnder(({ w, s }) =>
    w.call('PATCH', s, { body: { defaultLevel: 'admin' } }),
  )
  await w.call('PATCH', s, { body: { defaultLevel: 'read' } })
  assert.equal(await read(), 401)
})

test('a role in the organization, being disabled and leaving each end it', async () => {
  const admin = async ({ w, member }: At) => w.call('PATCH', member, { body: { role: 'admin' } })
  const lowered = await tokenMadeUnder(admin)
  await lowered.w.call('PATCH', lowered.member, { body: { role: 'review' } })
  assert.equal(await lowered.read(), 401)
  const disabled = await tokenMadeUnder(grant)
  await disabled.w.call('PATCH', disabled.member, { body: { disabled: true } })
  assert.equal(await disabled.read(), 401)
  const removed = await tokenMadeUnder(grant)
  await removed.w.call('DELETE', removed.member)
  assert.equal(await removed.read(), 401)
})

test('an account that is deleted takes its tokens along', async () => {
  const { w, read, userId, id } = await tokenMadeUnder(grant)
  await w.services.transaction(trx => trx.deleteFrom('users').where('id', '=', userId).execute())
  assert.equal(await read(), 401)
  const left = w.services.db.selectFrom('tokens').select('id').where('id', '=', id)
  assert.deepEqual(await left.execute(), [])
})

test('the token it was made with ends it, when that is revoked', async () => {
  const { w, s, read } = await tokenMadeUnder(grant)
  const { body: program } = await w.call('POST', '/user/tokens', { as: 'read', body: { label: 'program' } })
  const { body: made } = await w.call('POST', `${s}/content-tokens`, { as: program })
  const readWith = async () => (await w.call('GET', `${s}/content/pages`, { as: made })).status
  const count = async () => (await w.call('GET', `${s}/content-tokens`)).body.count
  assert.deepEqual([await readWith(), await count()], [200, 2])
  await w.call('DELETE', `/user/tokens/${program.id}`, { as: 'read' })
  assert.deepEqual([await readWith(), await count(), await read()], [401, 1, 200])
})

test('where the space is open, an ended token is refused and not taken for nothing', async () => {
  const { w, s, member, read } = await tokenMadeUnder(grant)
  await w.call('PATCH', s, { body: { visibility: 'public' } })
  await w.call('DELETE', member)
  assert.equal(await read(), 401)
})

test('a transfer to another organization ends it, of a space alone and with its collection', async () => {
  const w = await world()
  const { body: other } = await w.call('POST', '/orgs', { body: { title: 'Other' } })
  const { collection, space } = standingIn(w)
  const parent = await collection('Manuals')
  const tokenOf = async (id: string) => {
    const { body } = await w.call('POST', `/spaces/${id}/content-tokens`)
    return async () => (await w.call('GET', `/spaces/${id}/content/pages`, { as: body })).status
  }
  const [alone, within, stays] = [await space('Alone'), await space('Within', parent), await space('Stays')]
  const reads = [await tokenOf(alone), await tokenOf(within), await tokenOf(stays)]
  const statuses = () => Promise.all(reads.map(read => read()))
  assert.deepEqual(await statuses(), [200, 200, 200])
  for (const path of [`/spaces/${alone}`, `/collections/${parent}`])
    assert.equal(
      (await w.call('POST', `${path}/transfer`, { body: { organization: other.id } })).status,
      200,
      path,
    )
  assert.deepEqual(await statuses(), [401, 401, 200])
})
