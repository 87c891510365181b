import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../base/errors.ts'
import { actFor, currentParty } from '../fairness/party.ts'
import { createPool, type PoolBounds } from './pool.ts'

const pools: { end(): Promise<void> }[] = []
after(() => Promise.all(pools.map(pool => pool.end())))

function poolWith(bounds: Partial<PoolBounds> = {}) {
  const pool = createPool({
    tasks: new URL('../../../test/support/pool-tasks.ts', import.meta.url),
    threadsMax: 2,
    megabytesMax: 64,
    personWaitingMax: 10,
    waitingMax: 12,
    waitMillisecondsMax: 60_000,
    ...bounds,
  })
  pools.push(pool)
  const run = (task: string, input: unknown = null, { lane = 'a', ms = 60_000, answer = refuse } = {}) =>
    pool.run(lane, { task, input, millisecondsMax: ms, answer })
  return { pool, run }
}

const refuse = async (_question: unknown): Promise<unknown> => {
  throw new Failure('missing', 'no_answer', 'Nobody answers.')
}

const isBusy = (error: unknown) => error instanceof Failure && error.code === 'busy'

test('a task is carried out in a thread, and may ask', async () => {
  const { run } = poolWith()
  assert.deepEqual(await run('echo', { a: [1] }), { kind: 'done', value: { a: [1] } })
  const answer = async (number: unknown) => (number as number) * 10
  assert.deepEqual(await run('add', [1, 2, 3], { answer }), { kind: 'done', value: 60 })
  const bytes = await run('bytes', 5)
  assert.deepEqual(bytes, { kind: 'done', value: new Uint8Array(5).fill(7) })
})

test('what answers a question fails with its own failure, and the thread goes on', async () => {
  const { pool, run } = poolWith({ threadsMax: 1 })
  await assert.rejects(run('add', [1]), { code: 'no_answer' })
  assert.equal(pool.counts().threads, 1)
  assert.deepEqual(await run('echo', 1), { kind: 'done', value: 1 })
  assert.equal(pool.counts().threads, 1)
})

test('a task beyond its time is ended with its thread, and the next one is carried out', async () => {
  const { pool, run } = poolWith({ threadsMax: 1 })
  await run('echo')
  const stuck = run('spin', null, { ms: 50 })
  const next = run('echo', 'next')
  assert.deepEqual(await stuck, { kind: 'beyond', bound: 'time' })
  assert.deepEqual(await next, { kind: 'done', value: 'next' })
  assert.equal(pool.counts().beyondTime, 1)
})

test('a task beyond its memory is ended with its thread, and the next one is carried out', async () => {
  const { run } = poolWith({ threadsMax: 1 })
  assert.deepEqual(await run('fill'), { kind: 'beyond', bound: 'memory' })
  assert.deepEqual(await run('echo', 'next'), { kind: 'done', value: 'next' })
})

// Where a thread reaches the limit of V8 in one large allocation, V8 ends the process, and this file with it.
test('a task whose one array takes all memory is ended with its thread alone', async () => {
  const { pool, run } = poolWith({ threadsMax: 1 })
  assert.deepEqual(await run('swell'), { kind: 'beyond', bound: 'memory' })
  assert.deepEqual(await run('echo', 'next'), { kind: 'done', value: 'next' })
  assert.equal(pool.counts().beyondMemory, 1)
})

test('time that passes while a task waits for an answer is not its own', async () => {
  const { run } = poolWith()
  await run('echo')
  const answer = async (number: unknown) => {
    await new Promise(resolve => setTimeout(resolve, 600))
    return number
  }
  assert.deepEqual(await run('add', [1, 2], { ms: 1_000, answer }), { kind: 'done', value: 3 })
})

test('a defect of a task is reported as one', async () => {
  const { run } = poolWith()
  await assert.rejects(run('fail'), /fail failed in its thread: Error: a defect of the task/)
})

test('one lane never has all threads: another one is served while it is stuck', async () => {
  const { pool, run } = poolWith()
  const stuck = [1, 2, 3].map(() => run('spin', null, { lane: 'poison', ms: 20_000 }).catch(isBusy))
  assert.deepEqual(await run('echo', 'other', { lane: 'other' }), { kind: 'done', value: 'other' })
  assert.equal(pool.counts().waiting, 2)
  await pool.end()
  await Promise.all(stuck)
})

test('lanes take turns: one job of a lane does not wait for all the jobs of another', async () => {
  const { run } = poolWith({ threadsMax: 1 })
  const order: string[] = []
  const tell = (lane: string) => run('echo', lane, { lane }).then(() => order.push(lane))
  await Promise.all([...Array.from({ length: 5 }, () => tell('many')), tell('one')])
  assert.ok(order.indexOf('one') <= 1, order.join(' '))
})

test('organizations take turns, however many of their people ask, and a question is answered for who asked', async () => {
  const { run } = poolWith({ threadsMax: 1 })
  const order: string[] = []
  const tell = (organization: string, person: string) =>
    actFor({ organization, person }, () =>
      run('add', [1], {
        answer: async number => {
          order.push(currentParty('').organization)
          return number
        },
      }),
    )
  const people = Array.from({ length: 5 }, (_, n) => tell('many', `person ${n}`))
  await Promise.all([...people, tell('one', 'anna')])
  assert.ok(order.indexOf('one') <= 1, order.join(' '))
  assert.equal(order.filter(organization => organization === 'many').length, 5)
})

test('an organization whose people fill their places leaves room for others to wait', async () => {
  const { pool, run } = poolWith({ threadsMax: 1, waitingMax: 4 })
  const ask = (organization: string, person: string) =>
    actFor({ organization, person }, () => run('spin', null, { ms: 60_000 }))
  const held = [ask('many', '0'), ask('many', '1'), ask('many', '2')]
  await assert.rejects(ask('many', '3'), isBusy)
  held.push(ask('one', '1'))
  await Promise.all([pool.end(), ...held.map(job => assert.rejects(job))])
})

test('what is more than may wait is refused at once, of one lane and of all', async () => {
  const { pool, run } = poolWith({ threadsMax: 1, personWaitingMax: 1, waitingMax: 2 })
  const held = [run('spin', null, { ms: 60_000 }), run('echo')]
  await assert.rejects(run('echo'), isBusy)
  held.push(run('echo', null, { lane: 'b' }))
  await assert.rejects(run('echo', null, { lane: 'c' }), isBusy)
  assert.equal(pool.counts().refused, 2)
  await Promise.all([pool.end(), ...held.map(job => assert.rejects(job))])
})

test('where too many jobs wait, the organization with most gives a place to one with fewer', async () => {
  const { pool, run } = poolWith({ threadsMax: 1, waitingMax: 4 })
  const echo = (lane: string) => run('echo', null, { lane })
  const held = [run('spin'), echo('b'), echo('many')]
  const displaced = assert.rejects(echo('many'), isBusy)
  held.push(echo('c'), echo('d'))
  await displaced
  assert.equal(pool.counts().waiting, 4)
  await assert.rejects(echo('e'), isBusy)
  await Promise.all([pool.end(), ...held.map(job => assert.rejects(job))])
})

test('what waited too long is refused', async () => {
  const { pool, run } = poolWith({ threadsMax: 1, waitMillisecondsMax: 50 })
  const held = run('spin', null, { ms: 60_000 })
  await assert.rejects(run('echo'), isBusy)
  await Promise.all([pool.end(), assert.rejects(held)])
})

test('a pool that was ended starts anew', async () => {
  const { pool, run } = poolWith()
  await run('echo')
  await pool.end()
  assert.equal(pool.counts().threads, 0)
  assert.deepEqual(await run('echo', 1), { kind: 'done', value: 1 })
})

test('a thread that ends while it has nothing to do is missed by nobody', async () => {
  const { pool, run } = poolWith({ threadsMax: 1 })
  await run('leave')
  while (pool.counts().threads > 0) await sleep(5)
  assert.equal(pool.counts().running, 0)
  assert.deepEqual(await run('echo', 1), { kind: 'done', value: 1 })
})
