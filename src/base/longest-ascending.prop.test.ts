import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { longestAscending } from './longest-ascending.ts'

/** By trying, for each value, all runs that it may be behind. */
function lengthOfLongest(values: readonly number[]): number {
  const lengths: number[] = []
  for (const value of values)
    lengths.push(1 + Math.max(0, ...lengths.filter((_, before) => (values[before] ?? value) < value)))
  return Math.max(0, ...lengths)
}

test('the longest ascending run ascends and is as long as any', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 30 }), values => {
      const run = longestAscending(values, value => value)
      assert.ok(run.every((value, index) => index === 0 || (run[index - 1] ?? value) < value))
      assert.equal(run.length, lengthOfLongest(values))
    }),
  ))
