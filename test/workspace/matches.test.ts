import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchLists } from '../../src/web/parts/changed/matches.ts'

const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })

/** The length of the longest common subsequence, by its definition. */
function lengthOf(before: readonly string[], after: readonly string[]): number {
  const rows = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  before.forEach((one, a) => {
    after.forEach((other, b) => {
      const both = rows[a]?.[b] ?? 0
      const longer = Math.max(rows[a]?.[b + 1] ?? 0, rows[a + 1]?.[b] ?? 0)
      ;(rows[a + 1] ?? [])[b + 1] = one === other ? both + 1 : longer
    })
  })
  return rows[before.length]?.[after.length] ?? 0
}

test('two lists are matched in order, at equal members, and at as many as can be', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const pairs = matchLists(before, after)
      let [lastA, lastB] = [-1, -1]
      for (const [a, b] of pairs) {
        assert.ok(a > lastA && b > lastB)
        assert.equal(before[a], after[b])
        ;[lastA, lastB] = [a, b]
      }
      assert.equal(pairs.length, lengthOf(before, after))
    }),
  )
})

test('lists with more differences than anybody reads have their beginnings and ends in common, and nothing between', () => {
  const other = (prefix: string) => Array.from({ length: 1500 }, (_, at) => `${prefix}${at}`)
  const pairs = matchLists(['x', ...other('a'), 'y'], ['x', ...other('b'), 'y'])
  assert.deepEqual(pairs, [
    [0, 0],
    [1501, 1501],
  ])
})
