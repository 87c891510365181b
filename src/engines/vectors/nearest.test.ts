import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { nearest } from './nearest.ts'

const vectors = (...rows: readonly (readonly number[])[]) => ({
  bytes: Int8Array.from(rows.flat()),
  dimensions: rows[0]?.length ?? 0,
})

test('the vectors of the smallest angles come first, whatever their lengths', () => {
  const parts = [vectors([0, 10], [100, 100]), vectors([1, 0], [-5, 0])]
  const found = nearest(parts, Int8Array.of(3, 0), 3)
  assert.deepEqual(
    found.map(({ part, row }) => [part, row]),
    [
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  )
  assert.equal(found[0]?.score, 1)
  assert.ok(Math.abs((found[1]?.score ?? 0) - Math.SQRT1_2) < 1e-9)
})

test('no more are found than were asked for, and none of another length', () => {
  const parts = [vectors([1, 0], [1, 1], [1, 2]), vectors([1, 0, 0])]
  assert.deepEqual(
    nearest(parts, Int8Array.of(1, 0), 2).map(({ part, row }) => [part, row]),
    [
      [0, 0],
      [0, 1],
    ],
  )
  assert.deepEqual(
    nearest(parts, Int8Array.of(1, 0, 0), 2).map(({ part }) => part),
    [1],
  )
  assert.deepEqual(nearest([], Int8Array.of(1), 2), [])
})

test('the search takes time in proportion to the vectors', async () => {
  const vector = Int8Array.from({ length: 64 }, (_, at) => (at % 7) - 3)
  const parts = (n: number) => [
    { bytes: Int8Array.from({ length: n }, (_, at) => ((at * 31) % 255) - 127), dimensions: 64 },
  ]
  await assertLinear('vectors', all => nearest(all, vector, 24), parts, 1_280_000)
})
