import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { assertLinear, type Shape } from '../../../test/support/growth.ts'
import { tried } from '../../../test/support/property-runs.ts'
import { type Match, matchSequences } from './sequences.ts'

const sequence = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ''), { maxLength: 40 })

function assertMatches(matches: readonly Match[], a: readonly string[], b: readonly string[]): void {
  let last: Match = [-1, -1]
  for (const match of matches) {
    assert.ok(match[0] > last[0] && match[1] > last[1], 'ascends on both sides')
    assert.equal(a[match[0]], b[match[1]])
    last = match
  }
}

/** The length of a longest common subsequence, by the textbook. */
function lengthOfLongest(a: readonly string[], b: readonly string[]): number {
  let above = new Array(b.length + 1).fill(0)
  for (const x of a) {
    const row = [0]
    b.forEach((y, j) => {
      row.push(x === y ? above[j] + 1 : Math.max(above[j + 1], row[j] as number))
    })
    above = row
  }
  return above[b.length]
}

/** Numbers that look random and are the same every time. */
function* scattered(seed: number): Generator<number> {
  for (let x = seed; ; ) {
    x = (x * 1103515245 + 12345) % 2147483648
    yield x >>> 8
  }
}
const shuffled = (items: readonly string[], seed: number): string[] => {
  const numbers = scattered(seed)
  return items
    .map(item => ({ item, rank: numbers.next().value as number }))
    .sort((x, y) => x.rank - y.rank)
    .map(({ item }) => item)
}
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}`)

describe('matches of two sequences', () => {
  it('are a longest common subsequence', () =>
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const matches = matchSequences(a, b)
        assertMatches(matches, a, b)
        assert.equal(matches.length, lengthOfLongest(a, b))
      }),
      tried(120),
    ))

  it('are what occurs once on each side, before what repeats, where comparing all would cost too much', () => {
    const [a, b] = [
      ['r', 'r', 'once', 'r', 'alone'],
      ['once', 'r', 'alone', 'r', 'r'],
    ]
    assert.deepEqual(matchSequences(a, b, { cells: 0 }), [
      [2, 0],
      [3, 1],
      [4, 2],
    ])
  })

  it('are everything for equal sequences, of any length', () => {
    const long = numbered(200_000)
    assert.equal(matchSequences(long, long).length, long.length)
  })

  it('find all that stayed in a long document with many edits', () => {
    const a = numbered(50_000)
    const b = a.flatMap((line, i) => (i % 100 === 7 ? [] : i % 100 === 50 ? ['inserted', line] : [line]))
    const matches = matchSequences(a, b)
    assertMatches(matches, a, b)
    assert.equal(matches.length, 49_500)
  })

  describe('are found in proportion to their length where nothing fits', () => {
    const few = (length: number) => Array.from({ length }, (_, i) => `word ${i % 7}`)
    const mixed = (length: number) => [...few(length), ...numbered(length / 4)]
    const PAIRS: Record<string, Shape<[string[], string[]]>> = {
      shuffled: length => [numbered(length), shuffled(numbered(length), 1)],
      reversed: length => [numbered(length), numbered(length).reverse()],
      repetitive: length => [shuffled(few(length), 2), shuffled(few(length), 3)],
      'partly repetitive': length => [shuffled(mixed(length), 4), shuffled(mixed(length), 5)],
    }
    for (const [name, pair] of Object.entries(PAIRS))
      it(name, async () => {
        const [a, b] = pair(3_000)
        assertMatches(matchSequences(a, b), a, b)
        await assertLinear(name, ([a, b]) => matchSequences(a, b), pair, 65_536)
      })
  })
})
