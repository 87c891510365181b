import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { newId } from '../../base/ids.ts'
import type { Db } from './database.ts'
import { openTransaction } from './prepared.ts'
import { inSnapshot } from './snapshot.ts'

const { db, kind } = await openTestDatabase()

async function countSettings(from: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from settings`.execute(from)
  return rows[0]?.count ?? -1
}

const addSetting = (to: Db) => to.insertInto('settings').values({ name: newId(), value: '1' }).execute()

test('all reads of a snapshot see the same moment', {
  skip: kind === 'embedded' && 'the embedded database has one connection: nothing is written meanwhile',
}, async () => {
  const [first = -1, second] = await inSnapshot(db, async trx => {
    const before = await countSettings(trx)
    // as another request would, which is not inside of the snapshot
    await openTransaction.exit(() => addSetting(db))
    return [before, await countSettings(trx)]
  })
  assert.equal(second, first)
  assert.equal(await countSettings(db), first + 1)
})

test('a snapshot writes nothing', async () => {
  await assert.rejects(inSnapshot(db, addSetting), /read-only transaction/)
})

test('a query that goes around its snapshot is named as a mistake, instead of waiting for ever', async () => {
  await assert.rejects(
    inSnapshot(db, () => countSettings(db)),
    /goes through its trx/,
  )
})
