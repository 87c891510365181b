import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { editDistance } from './edit-distance.ts'
import { packStrings } from './string-table.ts'

const between = (one: string, other: string, max: number) => editDistance(one, packStrings([other]), 0, max)

test('a letter inserted, left out, replaced or swapped with its neighbour is one slip', () => {
  for (const other of ['xword', 'wxord', 'wordx', 'wrd', 'ord', 'wor', 'wort', 'xord', 'owrd', 'wodr'])
    assert.deepEqual([between('word', other, 1), between('word', other, 2)], [1, 1], other)
  for (const other of ['wo', 'wordxx', 'wxyd', 'drow', 'dorw', 'owdr'])
    assert.ok(between('word', other, 1) > 1, other)
  assert.equal(between('word', 'word', 1), 0)
})

test('the short way for one slip agrees with the table of all slips', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 7 })
  fc.assert(
    fc.property(word, word, (one, other) => {
      assert.equal(Math.min(2, between(one, other, 1)), Math.min(2, between(one, other, 2)))
    }),
    tried(2_000),
  )
})
