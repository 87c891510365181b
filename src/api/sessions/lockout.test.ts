import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../../test/support/world.ts'
import { newId } from '../../base/ids.ts'
import { countedBy, countTry, removeOldTries, TRIES_FORGOTTEN_MINUTES, TRIES_MAX } from './lockout.ts'

const { services } = await world()
const { db } = services

const newAddress = () => `${newId()}@people.test`
const fail = async (email: string, times: number) => {
  for (let time = 0; time < times; time += 1) await countTry(services, countedBy(email, undefined))
}
/** As if the tries of everybody were so long ago. */
const age = (minutes: number) =>
  db
    .updateTable('sign_in_failures')
    .set({ last_failed_at: new Date(Date.now() - minutes * 60_000) })
    .execute()

test('a try after an hour without one counts as the first', async () => {
  const email = newAddress()
  await fail(email, TRIES_MAX - 1)
  await age(TRIES_FORGOTTEN_MINUTES + 1)
  assert.deepEqual(await countTry(services, countedBy(email, undefined)), { isLocked: false, isLast: false })
  await fail(email, TRIES_MAX - 2)
  assert.deepEqual(await countTry(services, countedBy(email, undefined)), { isLocked: false, isLast: true })
})

test('tries within the hour count on, whatever time passes between them', async () => {
  const email = newAddress()
  for (let time = 1; time < TRIES_MAX; time += 1) {
    assert.deepEqual(await countTry(services, countedBy(email, undefined)), {
      isLocked: false,
      isLast: false,
    })
    await age(TRIES_FORGOTTEN_MINUTES - 1)
  }
  assert.deepEqual(await countTry(services, countedBy(email, undefined)), { isLocked: false, isLast: true })
  assert.deepEqual(await countTry(services, countedBy(email, undefined)), { isLocked: true })
})

test('only counts older than an hour are removed', async () => {
  const email = newAddress()
  await fail(email, TRIES_MAX)
  await age(TRIES_FORGOTTEN_MINUTES - 1)
  await removeOldTries(db)
  assert.deepEqual(await countTry(services, countedBy(email, undefined)), { isLocked: true })
})

test('a browser that the address is known by has a count of its own', async () => {
  const email = newAddress()
  const device = { id: newId() }
  for (let time = 0; time < TRIES_MAX; time += 1) await countTry(services, countedBy(email, device))
  assert.deepEqual(await countTry(services, countedBy(email, device)), { isLocked: true })
  assert.deepEqual(await countTry(services, countedBy(email, undefined)), { isLocked: false, isLast: false })
  assert.deepEqual(await countTry(services, countedBy(email, { id: newId() })), {
    isLocked: false,
    isLast: false,
  })
})
