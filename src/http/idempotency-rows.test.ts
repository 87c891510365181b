// Who holds a key, and what happens to it when a request dies, stalls, fails or goes on for too long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { hashOf, keyedRequests, write } from '../../test/support/keyed-requests.ts'
import { world } from '../../test/support/world.ts'
import { conflict } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import {
  expireLeases,
  insertKey,
  markCommitted,
  removeOldKeys,
  takeOverKey,
  updateKeyAnswer,
} from './idempotency-rows.ts'

const w = await world()
const { db, transaction } = w.services
const { createSpace, countSpaces, countWrites, rowOf, changeRow, serverOf } = keyedRequests(w)

const LONG_AGO = new Date('2020-01-01')
const LATER = new Date('2100-01-01')

test('a repeated request whose wait timed out is asked to retry, as long as the first may still be running', async () => {
  const post = serverOf(async (context, name) => {
    await write(context, name)
    return 'done'
  }, 50)
  for (const [key, state] of [
    ['alive', 'running'],
    ['writing', 'committed'],
  ] as const) {
    await post(key)
    await changeRow(key, { state, claimed_until: LATER })
  }
  const replies = await Promise.all(['alive', 'writing'].map(post))
  for (const { status, body, headers } of replies) {
    assert.deepEqual([status, headers['retry-after']], [409, '2'])
    assert.match(body.error.message, /still running/)
  }
  assert.deepEqual([await countWrites('alive'), await countWrites('writing')], [1, 1])
})

test('after a crash, a request that wrote nothing runs again, one that wrote is not repeated', async () => {
  await createSpace('died early', 'Died')
  await createSpace('died late', 'Died')
  await changeRow('died early', { state: 'running', claimed_until: LONG_AGO })
  await changeRow('died late', { state: 'committed', claimed_until: LONG_AGO })
  assert.equal((await createSpace('died early', 'Revived')).status, 201)
  assert.equal((await createSpace('died early', 'Revived')).headers['idempotency-replayed'], 'true')
  assert.equal(await countSpaces('Revived'), 1)
  const late = await createSpace('died late', 'Died')
  assert.equal(late.status, 409)
  assert.match(late.body.error.message, /was executed, at least in part, and its answer was lost/)
  assert.equal(await countSpaces('Died'), 2)
})

test('a server that starts alone knows that every claim is over', async () => {
  await createSpace('restarted', 'Restarted')
  await changeRow('restarted', { state: 'committed', claimed_until: LATER })
  await expireLeases(db)
  assert.match((await createSpace('restarted', 'Restarted')).body.error.message, /its answer was lost/)
})

test('a request whose key was taken over can write nothing any more', async () => {
  const isBegun = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  let runs = 0
  const post = serverOf(async (context, name) => {
    runs += 1
    const run = runs
    if (run === 1) {
      isBegun.resolve()
      await mayGoOn.promise
    }
    await write(context, name)
    return `run ${run}`
  })
  const stalled = post('stalled')
  await isBegun.promise
  await changeRow('stalled', { claimed_until: LONG_AGO })
  assert.equal((await post('stalled')).body.said, 'run 2')
  mayGoOn.resolve()
  const { status, body } = await stalled
  assert.equal(status, 409)
  assert.match(body.error.message, /took longer than 120 seconds.*Nothing of this one was written/)
  assert.equal((await post('stalled')).body.said, 'run 2')
  assert.equal(await countWrites('stalled'), 1)
})

test('what is written says so in the same transaction, before its end', async () => {
  const seen: unknown[] = []
  const post = serverOf(async (context, name) => {
    await context.transaction(async trx => {
      const state = await sql<{ state: string }>`select state from idempotency_keys
        where key_hash = ${hashOf(name)}`.execute(trx)
      seen.push(state.rows[0]?.state)
      await trx
        .insertInto('projections')
        .values({ id: `${name}-${newId()}` })
        .execute()
    })
    seen.push((await rowOf(name))?.state)
    return 'done'
  })
  await post('marked')
  assert.deepEqual([...seen, (await rowOf('marked'))?.state], ['committed', 'committed', 'answered'])
})

test('a transaction that is retried is written once, one that is rolled back frees the key', async () => {
  let attempts = 0
  const post = serverOf((context, name) =>
    context.transaction(async trx => {
      attempts += 1
      await trx
        .insertInto('projections')
        .values({ id: `${name}-${newId()}` })
        .execute()
      if (name === 'undone') throw conflict('undone', 'Undone.')
      if (attempts === 1)
        await sql.raw(`do $$ begin raise exception 'x' using errcode = '40001'; end $$`).execute(trx)
      return `attempt ${attempts}`
    }),
  )
  assert.equal((await post('retried')).body.said, 'attempt 2')
  assert.equal((await post('retried')).body.said, 'attempt 2')
  assert.equal(await countWrites('retried'), 1)
  assert.deepEqual([(await post('undone')).status, await rowOf('undone')], [409, undefined])
  assert.equal((await post('undone')).headers['idempotency-replayed'], undefined)
  assert.deepEqual([attempts, await countWrites('undone')], [4, 0])
})

test('a failure after something was written is the answer, and a bug then is a lost answer', async () => {
  const post = serverOf(async (context, name) => {
    await write(context, name)
    if (name === 'half') throw conflict('half', 'Half of it is done.')
    throw new Error('a bug')
  })
  for (const isReplayed of [undefined, 'true']) {
    const { status, body, headers } = await post('half')
    assert.deepEqual([status, body.error.message], [409, 'Half of it is done.'])
    assert.equal(headers['idempotency-replayed'], isReplayed)
  }
  assert.equal((await post('broken')).status, 500)
  assert.match((await post('broken')).body.error.message, /its answer was lost/)
  assert.deepEqual([await countWrites('half'), await countWrites('broken')], [1, 1])
})

test('a request that has written something is never carried out beside itself', async () => {
  const meanwhile: Awaited<ReturnType<typeof post>>[] = []
  const post = serverOf(async (context, name) => {
    await write(context, name)
    await changeRow(name, { claimed_until: LONG_AGO })
    meanwhile.push(await post(name))
    await write(context, name)
    return newId()
  })
  const first = await post('several')
  assert.match(meanwhile[0]?.body.error.message, /executed, at least in part/)
  assert.equal(first.status, 200, 'it goes on, because its key cannot have been taken over')
  assert.deepEqual((await post('several')).body, first.body)
  assert.equal(await countWrites('several'), 2)
})

test('work that outlives its answer needs no key any more', async () => {
  const mayEnd = Promise.withResolvers<void>()
  const works: Promise<unknown>[] = []
  const post = serverOf(async (context, name) => {
    works.push(mayEnd.promise.then(() => write(context, name)))
    return 'begun'
  })
  await post('background')
  await db.deleteFrom('idempotency_keys').execute()
  mayEnd.resolve()
  await Promise.all(works)
  assert.equal(await countWrites('background'), 1)
})

const claimOn = (key: string) => ({
  id: newId(),
  caller: w.people.admin.id,
  keyHash: hashOf(key),
  requestHash: Buffer.from('00', 'hex'),
})

test('a transaction that the answer overtakes leaves the answer there', async () => {
  const claim = claimOn('overtaken')
  assert.equal(await insertKey(db, claim), true)
  await updateKeyAnswer(db, claim, { status: 200, headers: {}, body: null })
  assert.equal(await transaction(trx => markCommitted(trx, claim)), true)
  assert.equal((await rowOf('overtaken'))?.state, 'answered')
})

test('a key is taken over only from a request that is over and wrote nothing', async () => {
  const take = async (key: string) => takeOverKey(db, claimOn(key))
  for (const key of ['over', 'alive too', 'written']) await insertKey(db, claimOn(key))
  await changeRow('over', { claimed_until: LONG_AGO })
  await changeRow('written', { claimed_until: LONG_AGO, state: 'committed' })
  assert.deepEqual(
    [await take('over'), await take('over'), await take('alive too'), await take('written')],
    [true, false, false, false],
  )
})

test('taking over a key waits for the transaction that is about to commit under it', async () => {
  const claim = claimOn('about to commit')
  await insertKey(db, claim)
  await changeRow('about to commit', { claimed_until: LONG_AGO })
  const isMarked = Promise.withResolvers<void>()
  const writing = transaction(async trx => {
    await markCommitted(trx, claim)
    isMarked.resolve()
    await sleep(100)
  })
  await isMarked.promise
  assert.equal(await takeOverKey(db, claimOn('about to commit')), false)
  await writing
})

test('keys are kept for a day', async () => {
  for (const [key, hours] of [
    ['yesterday', 25],
    ['today', 23],
  ] as const) {
    await createSpace(key, 'Kept')
    await db
      .updateTable('idempotency_keys')
      .set({ created_at: sql<Date>`now() - make_interval(hours => ${hours})` })
      .where('key_hash', '=', hashOf(key))
      .execute()
  }
  await removeOldKeys(db)
  assert.equal(await rowOf('yesterday'), undefined)
  assert.equal((await createSpace('today', 'Kept')).headers['idempotency-replayed'], 'true')
})
