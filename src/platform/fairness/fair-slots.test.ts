import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createFairSlots, type SlotBounds } from './fair-slots.ts'

const party = (organization: string, person = '') => ({ organization, person })
const BOUNDS = {
  ...{ atOnceMax: 2, ofOrganizationMax: 2 },
  ...{ personWaitingMax: 10, organizationWaitingMax: 15, waitingMax: 20 },
}
const BUSY = { kind: 'unavailable', code: 'busy' }

/** Slots whose work ends when it is told to, and the names of what began. */
function slotsWith(bounds: Partial<SlotBounds> = {}) {
  const slots = createFairSlots({ ...BOUNDS, ...bounds })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, signal?: AbortSignal) => {
    const [organization = '', person = ''] = name.split('/')
    return slots.run(
      party(organization, person),
      () => {
        begun.push(name)
        return new Promise<void>(resolve => ends.set(name, resolve))
      },
      signal,
    )
  }
  return { slots, begun, run, end: (name: string) => ends.get(name)?.() }
}

test('a free slot goes to the organization whose turn it is', async () => {
  const { begun, run, end } = slotsWith({ atOnceMax: 1 })
  const all = ['a/1', 'a/2', 'a/3', 'b/1'].map(name => run(name))
  for (let ended = 0; ended < all.length; ended += 1) {
    await setImmediate()
    end(begun[ended] ?? '')
  }
  await Promise.all(all)
  assert.deepEqual(begun, ['a/1', 'b/1', 'a/2', 'a/3'])
})

test('no organization has more slots than its share, even while others are free', async () => {
  const { begun, run, end } = slotsWith({ ofOrganizationMax: 1 })
  const all = [run('a/1'), run('a/2'), run('b/1')]
  await setImmediate()
  assert.deepEqual(begun, ['a/1', 'b/1'])
  end('a/1')
  await setImmediate()
  assert.deepEqual(begun, ['a/1', 'b/1', 'a/2'])
  for (const name of ['b/1', 'a/2']) end(name)
  await Promise.all(all)
})

test('a person has no more slots than their share of those of their organization', async () => {
  const { begun, run, end } = slotsWith({ atOnceMax: 3, ofOrganizationMax: 3, ofPersonMax: 1 })
  const all = [run('a/1'), run('a/1'), run('a/2'), run('b/1')]
  await setImmediate()
  assert.deepEqual(begun, ['a/1', 'a/2', 'b/1'])
  end('a/1')
  await setImmediate()
  assert.deepEqual(begun.slice(3), ['a/1'])
  for (const name of ['a/1', 'a/2', 'b/1']) end(name)
  await Promise.all(all)
})

test('a slot that was taken is given back once', async () => {
  const slots = createFairSlots({ ...BOUNDS, atOnceMax: 1 })
  const giveBack = await slots.take(party('a'))
  giveBack()
  const next = await slots.take(party('b'))
  giveBack()
  const waiting = slots.take(party('c'))
  await setImmediate()
  assert.equal(slots.waiting, 1)
  next()
  await waiting
})

test('more than may wait are refused: of one person and of all', async () => {
  const { run, begun, end } = slotsWith({
    ...{ atOnceMax: 1, personWaitingMax: 1, organizationWaitingMax: 2, waitingMax: 3 },
  })
  const all = [run('a/1'), run('a/2')]
  await assert.rejects(run('a/2'), BUSY)
  all.push(run('b/1'))
  all.push(run('c/1'))
  await assert.rejects(run('d/1'), BUSY)
  for (let ended = 0; ended < all.length; ended += 1) {
    await setImmediate()
    end(begun[ended] ?? '')
  }
  await Promise.all(all)
})

test('who can start at once is not refused, however many wait for bounds of their own', async () => {
  const { begun, run } = slotsWith({
    ...{ atOnceMax: 16, ofOrganizationMax: 3, ofPersonMax: 2 },
    ...{ personWaitingMax: 4, organizationWaitingMax: 12, waitingMax: 48 },
  })
  for (const organization of ['a', 'b', 'c', 'd'])
    for (let person = 0; person < 15; person += 1) run(`${organization}/${person}`)
  run('e/1')
  await setImmediate()
  assert.deepEqual(begun.slice(12), ['e/1'])
})

test('a free slot helps nobody who has as many as they may: a person or an organization', async () => {
  const { begun, run } = slotsWith({
    ...{ atOnceMax: 9, ofOrganizationMax: 2, ofPersonMax: 1 },
    ...{ personWaitingMax: 1, organizationWaitingMax: 2 },
  })
  run('a/1')
  run('a/1')
  await assert.rejects(run('a/1'), BUSY)
  run('a/2')
  run('a/3')
  await assert.rejects(run('a/4'), BUSY)
  await setImmediate()
  assert.deepEqual(begun, ['a/1', 'a/2'])
})

test('where too many wait, the newest of the organization with most gives its place to one with fewer', async () => {
  const { slots, begun, run, end } = slotsWith({ atOnceMax: 1, personWaitingMax: 2, waitingMax: 4 })
  const all = ['x/1', 'a/1', 'a/2', 'a/2'].map(name => run(name))
  const displaced = assert.rejects(all.pop() ?? Promise.resolve(), BUSY)
  all.push(run('b/1'))
  all.push(run('c/1'))
  await displaced
  assert.equal(slots.waiting, 4)
  // The organization with most would have no more than the one that asks.
  await assert.rejects(run('b/1'), BUSY)
  await assert.rejects(run('a/3'), BUSY)
  for (let ended = 0; ended < all.length; ended += 1) {
    await setImmediate()
    end(begun[ended] ?? '')
  }
  await Promise.all(all)
  assert.deepEqual(begun, ['x/1', 'a/1', 'b/1', 'c/1', 'a/2'])
})

test('who is refused for bounds of their own takes nobody else’s place', async () => {
  const { slots, run } = slotsWith({ atOnceMax: 1, personWaitingMax: 1, waitingMax: 4 })
  for (const name of ['x/1', 'a/1', 'a/2', 'a/3', 'b/1']) run(name)
  await assert.rejects(run('b/1'), BUSY)
  assert.equal(slots.waiting, 4)
})

test('who leaves or waited too long takes no slot', async () => {
  const { slots, begun, run, end } = slotsWith({ atOnceMax: 1, waitMillisecondsMax: 20 })
  const held = run('a/1')
  const leaving = new AbortController()
  const left = assert.rejects(run('b/1', leaving.signal), /gone/)
  const late = assert.rejects(run('c/1'), { code: 'busy' })
  leaving.abort(new Error('gone'))
  await Promise.all([left, late])
  assert.equal(slots.waiting, 0)
  end('a/1')
  await held
  assert.deepEqual(begun, ['a/1'])
})

test('work that fails gives its slot back', async () => {
  const slots = createFairSlots({ ...BOUNDS, atOnceMax: 1 })
  await assert.rejects(
    slots.run(party('a'), () => Promise.reject(new Error('mine'))),
    /mine/,
  )
  assert.equal(await slots.run(party('b'), async () => 'next'), 'next')
})
