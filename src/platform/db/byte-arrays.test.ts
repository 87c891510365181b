import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { byteArray } from './byte-arrays.ts'

const { db } = await openTestDatabase()

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)

for (const values of [[], [everyByte], [Buffer.alloc(0), everyByte, Buffer.from('\\x{"a", null}')]])
  test(`the database reads a list of ${values.length} as it was given`, async () => {
    // Twice, so that it is prepared as well.
    for (let turn = 0; turn < 2; turn += 1) {
      const { rows } = await sql<{ value: Buffer }>`
        select value from unnest(${byteArray(values)}::bytea[]) with ordinality as given (value, place)
        order by place`.execute(db)
      assert.deepEqual(
        rows.map(({ value }) => value),
        values.map(value => Buffer.from(value)),
      )
    }
  })
