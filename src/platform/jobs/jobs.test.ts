import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newTestDatabase, openTestDatabase } from '../../../test/support/database.ts'
import { invalid, unavailable } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { actFor, currentParty } from '../fairness/party.ts'
import { createLog } from '../log.ts'
import { jobType } from './queue.ts'
import { ATTEMPTS_MAX, createRunner, handle, type JobHandler, NotYet } from './runner.ts'

const database = await openTestDatabase()
const { db, transaction } = database
const log = createLog('silent')

// every test has kinds of its own, so that none takes another one's jobs
const newType = () => jobType<{ n: number }>(`test.${newId()}`)
const newRunner = (...handlers: JobHandler[]) => {
  const runner = createRunner(database, log)
  runner.start(handlers)
  after(() => runner.stop(0))
  return runner
}
const rowsOf = (type: { name: string }) =>
  db.selectFrom('jobs').selectAll().where('name', '=', type.name).execute()
const makeDue = (type: { name: string }) =>
  db.updateTable('jobs').set({ run_at: sql<Date>`now()` }).where('name', '=', type.name).execute()
/** What never comes ends at the limit of a test. */
const until = async (is: () => boolean | Promise<boolean>) => {
  while (!(await is())) await sleep(10)
}

test('a job runs once, right after the commit that asked for it, and is gone', async () => {
  const type = newType()
  const seen: number[] = []
  const runner = newRunner(handle(type, async ({ n }) => void seen.push(n)))
  await runner.idle()
  await transaction(async trx => {
    await runner.jobs.enqueue(trx, type, { n: 7 })
    await sleep(30)
    assert.deepEqual(seen, [])
  })
  await runner.idle()
  assert.deepEqual(seen, [7])
  assert.deepEqual(await rowsOf(type), [])
})

test('a job of a transaction that fails never runs', async () => {
  const type = newType()
  const seen: number[] = []
  const runner = newRunner(handle(type, async ({ n }) => void seen.push(n)))
  await assert.rejects(
    transaction(async trx => {
      await runner.jobs.enqueue(trx, type, { n: 1 })
      throw new Error('no')
    }),
  )
  await runner.idle()
  assert.deepEqual(seen, [])
})

test('while one waits under a key another one is not added; without a key each is its own', async () => {
  const type = newType()
  const runner = createRunner(database, log)
  await transaction(async trx => {
    for (const key of ['a', 'a', 'b']) await runner.jobs.enqueue(trx, type, { n: 1 }, { key })
    for (const n of [2, 3]) await runner.jobs.enqueue(trx, type, { n })
  })
  assert.deepEqual((await rowsOf(type)).map(row => row.key).sort(), ['a', 'b', null, null])
})

test('one that comes while its twin runs is kept, so that nothing newer is missed', async () => {
  const type = newType()
  const seen: number[] = []
  const runner = newRunner(
    handle(type, async ({ n }) => {
      seen.push(n)
      if (n === 1) await transaction(trx => runner.jobs.enqueue(trx, type, { n: 2 }, { key: 'k' }))
    }),
  )
  await transaction(trx => runner.jobs.enqueue(trx, type, { n: 1 }, { key: 'k' }))
  await until(() => seen.length === 2)
  assert.deepEqual(seen, [1, 2])
})

test('a failure that trying again cannot mend ends a job, and the row says why', async () => {
  const type = newType()
  let attempts = 0
  const runner = newRunner(
    handle(type, async () => {
      attempts += 1
      throw invalid('bad', 'The file is no archive.')
    }),
  )
  await transaction(trx => runner.jobs.enqueue(trx, type, { n: 1 }))
  await runner.idle()
  const [row] = await rowsOf(type)
  assert.equal(attempts, 1)
  assert.ok(row?.failed_at instanceof Date)
  assert.equal(row.error, 'The file is no archive.')
})

test('other failures are tried again, later each time, and given up in the end', async () => {
  const type = newType()
  let attempts = 0
  const runner = newRunner(
    handle(type, async (_, job) => {
      attempts += 1
      assert.equal(job.attempt, attempts)
      throw attempts % 2 === 0 ? new Error('a bug') : unavailable('down', 'The neighbour is down.')
    }),
  )
  await transaction(trx => runner.jobs.enqueue(trx, type, { n: 1 }))
  let lastWait = 0
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) {
    await runner.idle()
    const [row] = await rowsOf(type)
    assert.equal(row?.attempts, attempt)
    assert.equal(row.failed_at, null)
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from run_at - now())::float8 as wait from jobs where id = ${row.id}`.execute(db)
    assert.ok(rows[0]!.wait > 2 * lastWait)
    lastWait = rows[0]!.wait
    await makeDue(type)
    // any commit that enqueues wakes the runner
    await transaction(trx => runner.jobs.enqueue(trx, newType(), { n: 0 }))
  }
  await runner.idle()
  assert.equal(attempts, ATTEMPTS_MAX)
  assert.ok((await rowsOf(type))[0]?.failed_at instanceof Date)
})

test('a job that is due later runs by the clock', async () => {
  const type = newType()
  const seen: number[] = []
  const runner = newRunner(handle(type, async ({ n }) => void seen.push(n)))
  await transaction(async trx => {
    await runner.jobs.enqueue(trx, type, { n: 1 }, { delaySeconds: 3600 })
    await runner.jobs.enqueue(trx, type, { n: 2 }, { delaySeconds: 0.2 })
  })
  await until(() => seen.includes(2))
  await runner.idle()
  assert.deepEqual(seen, [2])
})

test('jobs that wait for other servers run in limited number, and do not delay the rest', async () => {
  const [slow, quick] = [newType(), newType()]
  const seen: number[] = []
  const ends: (() => void)[] = []
  const waiting = () => new Promise<void>(resolve => ends.push(resolve))
  const runner = newRunner(
    handle(slow, waiting, { waits: { atOnceMax: 2, ofOrganizationMax: 2 } }),
    handle(quick, async ({ n }) => void seen.push(n)),
  )
  await transaction(async trx => {
    for (let n = 1; n <= 5; n++) await runner.jobs.enqueue(trx, slow, { n })
    for (let n = 1; n <= 3; n++) await runner.jobs.enqueue(trx, quick, { n })
  })
  await until(() => seen.length === 3 && ends.length === 2)
  for (let ended = 0; ended < 5; ended++) {
    await until(() => ends.length > ended)
    assert.ok(ends.length <= ended + 2)
    ends[ended]?.()
  }
  await runner.idle()
  assert.deepEqual(await rowsOf(slow), [])
})

/** A runner whose jobs end when they are told to, and what began, by organization and person. */
function heldRunner(bounds: Parameters<typeof handle>[2] = {}) {
  const type = newType()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = async () => {
    const { organization, person } = currentParty('')
    begun.push(`${organization}/${person}`)
    await new Promise<void>(resolve => ends.push(resolve))
  }
  const runner = newRunner(handle(type, run, bounds))
  const enqueue = (...parties: string[]) =>
    transaction(async trx => {
      for (const [n, party] of parties.entries()) {
        const [organization = '', person = ''] = party.split('/')
        await actFor({ organization, person }, () => runner.jobs.enqueue(trx, type, { n }))
      }
    })
  return { type, runner, begun, ends, enqueue }
}

test('jobs take turns by organization, then by person, however many are waiting and since when', async () => {
  const { runner, begun, ends, enqueue } = heldRunner()
  const many = ['a', 'b', 'c', 'd'].flatMap(name => Array.from({ length: 5 }, () => `${name}/1`))
  await enqueue(...many)
  await until(() => begun.length === 4)
  assert.deepEqual(begun.toSorted(), ['a/1', 'b/1', 'c/1', 'd/1'])
  await enqueue('late/1', 'a/2')
  ends[0]?.()
  await until(() => begun.length === 5)
  assert.equal(begun[4], 'late/1')
  // The next turn of the first organization goes to whoever had none.
  for (let ended = 1; ended < many.length + 2; ended += 1) {
    await until(() => ends.length > ended)
    ends[ended]?.()
  }
  await runner.idle()
  const ofFirst = begun.filter(party => party.startsWith('a/'))
  assert.equal(ofFirst[1], 'a/2', ofFirst.join(' '))
})

test('no organization has all slots, however many of its jobs wait', async () => {
  const { type, runner, begun, ends, enqueue } = heldRunner()
  await enqueue(...Array.from({ length: 6 }, () => 'a/1'))
  await until(() => begun.length === 3)
  await sleep(50)
  assert.equal(begun.length, 3)
  await enqueue('b/1')
  await until(() => begun.length === 4)
  assert.equal(begun[3], 'b/1')
  for (let ended = 0; ended < 7; ended += 1) {
    await until(() => ends.length > ended)
    ends[ended]?.()
  }
  await runner.idle()
  assert.deepEqual(await rowsOf(type), [])
})

test('of jobs that wait, an organization has a bounded number, and others begin beside them', async () => {
  const { runner, begun, ends, enqueue } = heldRunner({ waits: { atOnceMax: 4, ofOrganizationMax: 2 } })
  await enqueue(...Array.from({ length: 5 }, () => 'a/1'), 'b/1')
  await until(() => begun.length === 3)
  assert.deepEqual(begun.toSorted(), ['a/1', 'a/1', 'b/1'])
  for (let ended = 0; ended < 6; ended += 1) {
    await until(() => ends.length > ended)
    ends[ended]?.()
  }
  await runner.idle()
})

test('a job that cannot begin yet is run again later, and has not been tried', async () => {
  const type = newType()
  const attempts: number[] = []
  const runner = newRunner(
    handle(type, async (_, { attempt }) => {
      attempts.push(attempt)
      if (attempts.length < 3) throw new NotYet(0.01)
    }),
  )
  await transaction(trx => runner.jobs.enqueue(trx, type, { n: 1 }))
  await until(() => attempts.length === 3)
  await runner.idle()
  assert.deepEqual(attempts, [1, 1, 1])
  assert.deepEqual(await rowsOf(type), [])
})

test('two runners share the work and do nothing twice', async () => {
  const type = newType()
  const seen: number[] = []
  const handler = handle(type, async ({ n }) => {
    await sleep(1)
    seen.push(n)
  })
  const [one, two] = [newRunner(handler), newRunner(handler)]
  await Promise.all([one.idle(), two.idle()])
  await transaction(async trx => {
    for (let n = 0; n < 40; n += 1) await one.jobs.enqueue(trx, type, { n })
  })
  await until(() => seen.length >= 40)
  await Promise.all([one.idle(), two.idle()])
  assert.deepEqual(
    seen.sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, n) => n),
  )
})

test('stop waits for what runs', async () => {
  const type = newType()
  const isBegun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const seen: string[] = []
  const runner = newRunner(
    handle(type, async () => {
      isBegun.resolve()
      await mayEnd.promise
      seen.push('ended')
    }),
  )
  await transaction(trx => runner.jobs.enqueue(trx, type, { n: 1 }))
  await isBegun.promise
  const stopping = runner.stop(60_000).then(() => seen.push('stopped'))
  await sleep(20)
  mayEnd.resolve()
  await stopping
  assert.deepEqual(seen, ['ended', 'stopped'])
  assert.deepEqual(await rowsOf(type), [])
})

test('a job that does not end in time is aborted and goes back to the queue as if it had not been tried', async () => {
  const type = newType()
  const isBegun = Promise.withResolvers<void>()
  const isTold = Promise.withResolvers<void>()
  const runner = newRunner(
    handle(type, (_, { signal }) => {
      isBegun.resolve()
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          isTold.resolve()
          reject(signal.reason)
        }),
      )
    }),
  )
  await transaction(trx => runner.jobs.enqueue(trx, type, { n: 1 }))
  await isBegun.promise
  await runner.stop(20)
  await isTold.promise
  const [row] = await rowsOf(type)
  assert.deepEqual([row?.attempts, row?.locked_until, row?.failed_at], [0, null, null])
})

test('a job whose process died runs again', async () => {
  const type = newType()
  await db
    .insertInto('jobs')
    .values({
      id: newId(),
      name: type.name,
      data: '{"n":5}',
      attempts: 1,
      locked_by: 'dead',
      locked_until: sql<Date>`now() - interval '1 s'`,
    })
    .execute()
  const seen: number[] = []
  const runner = newRunner(handle(type, async ({ n }, { attempt }) => void seen.push(n, attempt)))
  await until(() => seen.length > 0)
  await runner.idle()
  assert.deepEqual(seen, [5, 2])
})

test('an idle runner asks next to nothing', async () => {
  const type = newType()
  // What others commit wakes a runner.
  const own = await newTestDatabase()
  let queries = 0
  const watched = {
    ...own,
    db: own.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    }),
  }
  const runner = createRunner(watched, log)
  runner.start([handle(type, async () => {})])
  await runner.idle()
  const begun = queries
  await sleep(300)
  assert.equal(queries, begun)
  await runner.stop(0)
  await own.close()
})
