import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase, testEngine } from '../../../test/support/database.ts'
import { diskFull, invalid } from '../../base/errors.ts'
import { createLog } from '../log.ts'
import { ServerRoom, writeAndTakeBack } from './room.ts'

const { db } = await openTestDatabase()
const log = createLog('silent')

test('after a write that found no room, the database is full until a write that is tried finds room', async () => {
  let tried = 0
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const room = new ServerRoom(async () => {
    tried += 1
    if (tried === 1) throw diskFull()
    resolve()
  }, log)
  room.notice(undefined)
  room.notice(invalid('other', 'Another failure.'))
  assert.equal(room.isFull, false)
  room.notice(diskFull())
  room.notice(diskFull())
  assert.equal(room.isFull, true)
  // The timer of the room keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  await taken
  await Promise.resolve()
  clearInterval(alive)
  assert.deepEqual([tried, room.isFull], [2, false])
})

test('what is tried leaves nothing in the database', {
  skip: testEngine === 'embedded' && 'the disk of the embedded database is looked at',
}, async () => {
  await writeAndTakeBack(db)
  await writeAndTakeBack(db)
})
