import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFetchPlaces } from './fetch-places.ts'

const bounds = { max: 3, ofOneMax: 2, waitingMax: 3, waitingOfOneMax: 2, waitMsMax: 60_000 }
const stays = () => new AbortController().signal

/** Names of those who have a place, in the order in which they got it. */
function entering(options = bounds) {
  const places = createFetchPlaces(options)
  const served: string[] = []
  const take = (user: string, name: string, signal = stays()) =>
    places.take(user, signal).then(giveBack => {
      served.push(name)
      return giveBack
    })
  return { served, take }
}

test('each person has a few places, and the next place goes to the first in line who has one left', async () => {
  const { served, take } = entering()
  const first = await take('ada', 'ada 1')
  const second = await take('ada', 'ada 2')
  const waits = [take('ada', 'ada 3'), take('ada', 'ada 4')]
  const bob = await take('bob', 'bob 1')
  waits.push(take('bob', 'bob 2'))
  assert.deepEqual(served, ['ada 1', 'ada 2', 'bob 1'])
  bob()
  await waits[2]
  assert.deepEqual(served.slice(3), ['bob 2'], 'ada waits for a place of her own')
  first()
  first()
  await waits[0]
  assert.deepEqual(served.slice(4), ['ada 3'], 'a place is given back once')
  second()
  await waits[1]
  assert.deepEqual(served.slice(5), ['ada 4'])
})

test('too many of one person, and too many of all, are refused at once', async () => {
  const { take } = entering({ ...bounds, max: 1, ofOneMax: 1 })
  await take('ada', 'ada')
  const clients = new AbortController()
  const waiting = ['ada', 'ada', 'bob'].map(user => take(user, user, clients.signal))
  await assert.rejects(take('ada', 'ada'), { kind: 'unavailable', code: 'busy' })
  await assert.rejects(take('cleo', 'cleo'), { kind: 'unavailable', code: 'busy' })
  clients.abort(new Error('left'))
  for (const wait of waiting) await assert.rejects(wait, /left/)
})

test('a client that leaves, or waits for too long, takes no place', async () => {
  const { served, take } = entering({ ...bounds, max: 1, ofOneMax: 1, waitMsMax: 1 })
  const giveBack = await take('ada', 'ada')
  await assert.rejects(take('bob', 'bob'), { code: 'busy' })
  const client = new AbortController()
  const left = take('bob', 'bob', client.signal)
  client.abort(new Error('left'))
  await assert.rejects(left, /left/)
  await assert.rejects(take('bob', 'bob', client.signal), /left/)
  giveBack()
  await take('cleo', 'cleo')
  assert.deepEqual(served, ['ada', 'cleo'])
})
