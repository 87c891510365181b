import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryOf } from '../../../test/support/scim.ts'
import { world } from '../../../test/support/world.ts'
import { unbind } from './unbind.ts'

const w = await world()
const { db } = w.services

const bind = (userId: string, subject: string) =>
  db.insertInto('sso_bindings').values({ issuer: 'https://login.test', subject, user_id: userId }).execute()
const boundTo = async (userId: string) =>
  (await db.selectFrom('sso_bindings').select('subject').where('user_id', '=', userId).execute()).length
const told = async () => {
  const events = db.selectFrom('events').select('payload').where('type', '=', 'user.unbound')
  return (await events.execute()).map(({ payload }) => payload).filter(payload => 'user' in Object(payload))
}

test('an account is released from everybody it belongs to, with an event, and no other account is', async () => {
  const { read, edit } = w.people
  await bind(read.id, `${read.id}-1`)
  await bind(edit.id, `${edit.id}-1`)
  assert.deepEqual(await unbind(w.services, { email: read.email.toUpperCase() }), { released: 1 })
  assert.deepEqual([await boundTo(read.id), await boundTo(edit.id)], [0, 1])
  const event = { user: read.id, bindings: 1 }
  assert.deepEqual(
    (await told()).filter(payload => JSON.stringify(payload).includes(read.id)),
    [event],
  )
  assert.deepEqual(await unbind(w.services, { email: read.email }), { released: 0 })
  const ofRead = (await told()).filter(payload => JSON.stringify(payload).includes(read.id))
  assert.equal(ofRead.length, 1, 'nothing happened, and no event says that something did')
})

test('an address that nobody has is refused by name', async () => {
  await assert.rejects(unbind(w.services, { email: 'nobody@localhost' }), {
    name: 'Failure',
    message: /no user with the address nobody@localhost/,
  })
})

test('the address of an account that its directory knew is free for who has it now, once it is released', async () => {
  const directory = await directoryOf(w)
  const { id, userName } = await directory.person({ externalId: 'left' })
  await directory.call('DELETE', `/Users/${id}`)
  const again = () => directory.call('POST', '/Users', { userName, externalId: 'came' })
  assert.equal((await again()).status, 409)
  assert.deepEqual(await unbind(w.services, { email: userName }), { released: 1 })
  assert.equal((await again()).status, 201)
})
