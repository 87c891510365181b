import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { actFor } from '../fairness/party.ts'
import { createTasks } from './tasks.ts'

test('a task that throws at once is reported like any other, and the next one runs', async () => {
  const errors: string[] = []
  const tasks = createTasks(1, (error, key) => errors.push(`${key}: ${(error as Error).message}`))
  let ran = false
  tasks.start('a', () => {
    throw new Error('at once')
  })
  tasks.start('a', async () => {
    ran = true
  })
  await tasks.idle()
  assert.deepEqual([errors, ran], [['a: at once'], true])
})

test('tasks of one key take turns, those of others run beside them', async () => {
  const tasks = createTasks(2, error => assert.fail(String(error)))
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`+${name}`)
    await new Promise(resolve => setTimeout(resolve, 5))
    log.push(`-${name}`)
  }
  tasks.start('a', work('a1'))
  tasks.start('a', work('a2'))
  tasks.start('b', work('b'))
  await tasks.idle()
  assert.ok(log.indexOf('+a2') > log.indexOf('-a1'))
  assert.ok(log.indexOf('+b') < log.indexOf('-a1'))
})

test('the next task is that of an organization without a turn, however many wait of another', async () => {
  const tasks = createTasks(2, error => assert.fail(String(error)))
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (organization: string, person: string, key: string) =>
    actFor({ organization, person }, () =>
      tasks.start(key, () => {
        begun.push(key)
        return new Promise(resolve => ends.set(key, resolve))
      }),
    )
  for (let n = 0; n < 20; n += 1) start('a', 'anna', `a${n}`)
  start('a', 'ben', 'ben')
  await setImmediate()
  assert.deepEqual(begun, ['a0'], 'a slot is left for others')
  start('b', 'bob', 'b0')
  start('c', 'cleo', 'c0')
  await setImmediate()
  assert.deepEqual(begun, ['a0', 'b0'])
  for (const [ended, next] of [
    ['b0', 'c0'],
    ['a0', 'a1'],
    ['a1', 'ben'],
  ] as const) {
    ends.get(ended)?.()
    await setImmediate()
    assert.equal(begun.at(-1), next)
  }
})

test('background tasks run one at a time, take no place of others, and are awaited', async () => {
  const tasks = createTasks(1, error => assert.fail(String(error)))
  const ends: (() => void)[] = []
  const held = () => new Promise<void>(resolve => ends.push(resolve))
  tasks.startAside('slow', held)
  tasks.startAside('slower', held)
  const ran = Promise.withResolvers<void>()
  tasks.start('usual', async () => ran.resolve())
  await ran.promise
  assert.equal(ends.length, 1)
  let isIdle = false
  const idle = tasks.idle().then(() => {
    isIdle = true
  })
  ends[0]!()
  while (ends.length < 2) await setImmediate()
  assert.equal(isIdle, false)
  ends[1]!()
  await idle
})

test('stopping aborts what has not ended in time', async () => {
  const tasks = createTasks(1, () => {})
  let isAborted = false
  tasks.start(
    'a',
    signal =>
      new Promise(resolve => {
        signal.addEventListener('abort', () => {
          isAborted = true
          resolve()
        })
      }),
  )
  await tasks.stop(10)
  assert.ok(isAborted)
})
