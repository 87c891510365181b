import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { align, type Run } from './alignment.ts'

/** The length of the longest sequence that both hold, found by looking at every pair. */
function longestShared(a: readonly number[], b: readonly number[]): number {
  let above = new Array<number>(b.length + 1).fill(0)
  for (const one of a) {
    const row = [0]
    for (const [index, other] of b.entries())
      row.push(one === other ? above[index]! + 1 : Math.max(row[index]!, above[index + 1]!))
    above = row
  }
  return above.at(-1)!
}

const isShared = (runs: readonly Run[], a: readonly number[], b: readonly number[]): boolean => {
  let [endA, endB] = [0, 0]
  return runs.every(run => {
    const isRising = run.a >= endA && run.b >= endB && run.length > 0
    endA = run.a + run.length
    endB = run.b + run.length
    return isRising && a.slice(run.a, endA).join() === b.slice(run.b, endB).join()
  })
}

const lengthOf = (runs: readonly Run[]): number => runs.reduce((sum, { length }) => sum + length, 0)

test('as many elements are paired as two sequences share', () => {
  const sequence = fc.array(fc.nat(3), { maxLength: 40 })
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      const runs = align(a, b)
      assert.ok(isShared(runs, a, b))
      assert.equal(lengthOf(runs), longestShared(a, b))
    }),
    { numRuns: 500 },
  )
})

test('sequences of more differences than are looked over at once are paired in stretches', () => {
  const a = Array.from({ length: 4_000 }, (_, index) => index)
  const b = a.flatMap(one => (one % 4 === 0 ? [-1 - one] : [one]))
  const runs = align(a, b)
  assert.ok(isShared(runs, a, b))
  assert.equal(lengthOf(runs), 3_000)
  assert.deepEqual(align(a, []), [])
  assert.deepEqual(align([], a), [])
})
