import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Failure } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { goesFirst } from '../base/priority.ts'
import { createTurns, TURNS_WAITING_MAX, takeTurn } from './turns.ts'

const isBusy = (error: unknown) => error instanceof Failure && error.kind === 'unavailable'

test('turns of one key run one after the other, in the order in which they were asked for', async () => {
  const key = newId()
  const told: string[] = []
  const turn = (name: string) =>
    takeTurn(key, async () => {
      told.push(`${name} begins`)
      await setImmediate()
      told.push(`${name} ends`)
      return name
    })
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(turn)), ['a', 'b', 'c'])
  assert.deepEqual(told, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('who waits prepares during the turn before, one at a time, and not when there is none', async () => {
  const key = newId()
  const told: string[] = []
  const turn = (name: string) =>
    takeTurn(
      key,
      async () => {
        told.push(`${name} begins`)
        await setImmediate()
        told.push(`${name} ends`)
      },
      async () => told.push(`${name} prepares`),
    )
  await Promise.all(['a', 'b', 'c'].map(turn))
  assert.deepEqual(told, [
    ...['a begins', 'b prepares', 'a ends'],
    ...['b begins', 'c prepares', 'b ends'],
    ...['c begins', 'c ends'],
  ])
})

test('a turn and what is prepared for the next one go before other work, what they leave behind does not', async () => {
  const key = newId()
  const priorities: boolean[] = []
  const left = Promise.withResolvers<void>()
  const turn = () =>
    takeTurn(
      key,
      async () => {
        await setImmediate()
        priorities.push(goesFirst())
      },
      async () => {
        await setImmediate()
        priorities.push(goesFirst())
        void left.promise.then(() => priorities.push(goesFirst()))
      },
    )
  await Promise.all([turn(), turn()])
  assert.deepEqual(priorities, [true, true, true])
  left.resolve()
  await setImmediate()
  assert.deepEqual(priorities, [true, true, true, false])
})

test('who is refused prepares nothing', async () => {
  const { takeTurn, awaitTurn } = createTurns(20)
  const gate = Promise.withResolvers<void>()
  const ahead = [awaitTurn('a', () => gate.promise), awaitTurn('a', async () => {})]
  let prepared = 0
  const refused = takeTurn(
    'a',
    async () => {},
    async () => (prepared += 1),
  )
  await assert.rejects(refused, isBusy)
  gate.resolve()
  await Promise.all(ahead)
  await setImmediate()
  assert.equal(prepared, 0)
})

test('turns of different keys do not wait for each other', async () => {
  const never = Promise.withResolvers<void>()
  const waiting = takeTurn(newId(), () => never.promise)
  assert.equal(await takeTurn(newId(), async () => 'done'), 'done')
  never.resolve()
  await waiting
})

test('a failing turn rejects and holds up nobody', async () => {
  const key = newId()
  const failing = takeTurn(key, async () => {
    await setImmediate()
    throw new Error('mine alone')
  })
  const next = takeTurn(key, async () => 'next')
  await assert.rejects(failing, /mine alone/)
  assert.equal(await next, 'next')
})

test('more than may wait are sent away, and once the others are done there is room again', async () => {
  const key = newId()
  const gate = Promise.withResolvers<void>()
  const turns = [takeTurn(key, () => gate.promise)]
  for (let n = 0; n < TURNS_WAITING_MAX; n += 1) turns.push(takeTurn(key, async () => {}))
  await assert.rejects(
    takeTurn(key, async () => {}),
    isBusy,
  )
  gate.resolve()
  await Promise.all(turns)
  assert.equal(await takeTurn(key, async () => 'room'), 'room')
})

test('who waited for too long is refused and does not run later; work in the background waits on', async () => {
  const { takeTurn, awaitTurn } = createTurns(20)
  const gate = Promise.withResolvers<void>()
  const ran: string[] = []
  const first = awaitTurn('a', () => gate.promise)
  const refused = takeTurn('a', async () => ran.push('request'))
  const background = awaitTurn('a', async () => ran.push('background'))
  await assert.rejects(refused, isBusy)
  gate.resolve()
  await Promise.all([first, background])
  assert.deepEqual(ran, ['background'])
})

test('who would wait for too long, by what turns took lately, is refused at once', async () => {
  let time = 0
  const { takeTurn, awaitTurn } = createTurns(20_000, () => time)
  const gate = Promise.withResolvers<void>()
  const slow = awaitTurn('a', async () => {
    time += 1_000
  })
  const held = awaitTurn('a', () => gate.promise)
  await slow
  // Half a second each: after forty, the wait would be longer than 20 seconds.
  const waiting = Array.from({ length: 40 }, () => takeTurn('a', async () => {}))
  await assert.rejects(
    takeTurn('a', async () => {}),
    isBusy,
  )
  gate.resolve()
  await Promise.all([held, ...waiting])
})
