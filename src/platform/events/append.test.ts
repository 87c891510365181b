import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import { createEvents, type DueListeners } from './append.ts'

declare module './append.ts' {
  interface EventPayloads {
    'test.happened': { words: string[] }
    'test.ended': { at: number }
  }
}

const { db, transaction } = await openTestDatabase()
const find = (organizationId: string) =>
  db.selectFrom('events').selectAll().where('organization_id', '=', organizationId).execute()

test('an event is a row of the transaction that appends it', async () => {
  const events = createEvents()
  const organizationId = newId()
  await transaction(trx =>
    events.append(trx, {
      type: 'test.happened',
      organizationId,
      actorId: 'me',
      payload: { words: ['ä', 'b'] },
    }),
  )
  const [row, ...more] = await find(organizationId)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [row?.type, row?.space_id, row?.actor_id, row?.payload],
    ['test.happened', null, 'me', { words: ['ä', 'b'] }],
  )
  assert.ok(row?.occurred_at instanceof Date)
})

test('a transaction that fails leaves no event', async () => {
  const events = createEvents()
  const organizationId = newId()
  await assert.rejects(
    transaction(async trx => {
      await events.append(trx, { type: 'test.happened', organizationId, payload: { words: [] } })
      throw new Error('no')
    }),
  )
  assert.deepEqual(await find(organizationId), [])
})

test('listeners of a type run inside its transaction, in order, and those of others do not', async () => {
  const events = createEvents()
  const organizationId = newId()
  const heard: string[] = []
  events.within('test.happened', async (trx, event) => {
    heard.push(`first ${event.payload.words[0]}`)
    await events.append(trx, { type: 'test.ended', organizationId: event.organizationId, payload: { at: 1 } })
  })
  events.within('test.happened', async () => {
    heard.push('second')
  })
  events.within('test.ended', async (trx, event) => {
    heard.push(`ended ${event.payload.at}`)
    const rows = await trx
      .selectFrom('events')
      .select('type')
      .where('organization_id', '=', organizationId)
      .execute()
    assert.equal(rows.length, 2)
  })
  await transaction(trx =>
    events.append(trx, { type: 'test.happened', organizationId, payload: { words: ['x'] } }),
  )
  assert.deepEqual(heard, ['first x', 'ended 1', 'second'])
})

test('a listener with a condition runs only if it is true for the row of the event', async () => {
  const events = createEvents()
  const heard: unknown[] = []
  events.within(
    'test.happened',
    async (_, { payload }) => void heard.push(payload.words),
    of => sql`${sql.ref(`${of}.is_heard`)}`,
  )
  events.within('test.happened', async () => void heard.push('always'))
  for (const isHeard of [false, true])
    await transaction(async trx => {
      const organizationId = newId()
      const event = { type: 'test.happened' as const, organizationId, payload: { words: [] } }
      const { parts, due } = events.inserting(event, 'moved')
      const { rows } = await sql<{ due: DueListeners }>`
        with moved as (select ${organizationId}::text as organization_id, ${isHeard}::boolean as is_heard),
          ${sql.join(parts)} select ${due} as due from moved`.execute(trx)
      await events.announce(trx, event, rows[0]?.due ?? [])
    })
  assert.deepEqual(heard, ['always', [], 'always'])
})

test('a failing listener undoes the transaction of its event', async () => {
  const events = createEvents()
  const organizationId = newId()
  events.within('test.happened', async () => {
    throw new Error('refused')
  })
  await assert.rejects(
    transaction(trx => events.append(trx, { type: 'test.happened', organizationId, payload: { words: [] } })),
    /refused/,
  )
  assert.deepEqual(await find(organizationId), [])
})

// The compiler checks what a type carries; each of these lines has to be an error.
export const wrong = () => {
  const events = createEvents()
  return transaction(async trx => {
    // @ts-expect-error no such type
    await events.append(trx, { type: 'test.nothing', payload: {} })
    // @ts-expect-error the payload of another type
    await events.append(trx, { type: 'test.ended', payload: { words: [] } })
  })
}
