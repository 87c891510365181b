import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { longestAscending, type Match, matchSequences } from './sequences.ts'

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
      { numRuns: 500 },
    ))

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

  it('are found in time where nothing fits, however long and repetitive the sequences are', () => {
    const few = Array.from({ length: 60_000 }, (_, i) => `word ${i % 7}`)
    for (const [a, b] of [
      [numbered(60_000), shuffled(numbered(60_000), 1)],
      [numbered(60_000), numbered(60_000).reverse()],
      [shuffled(few, 2), shuffled(few, 3)],
      [shuffled([...few, ...numbered(20_000)], 4), shuffled([...few, ...numbered(20_000)], 5)],
    ] as const) {
      const start = process.cpuUsage().user
      assertMatches(matchSequences(a, b), a, b)
      const seconds = (process.cpuUsage().user - start) / 1e6
      assert.ok(seconds < 4, `${seconds} s`)
    }
  })
})

describe('the longest ascending run', () => {
  it('ascends and is as long as any', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 30 }), values => {
        const run = longestAscending(values).map(i => values[i] as number)
        assert.ok(run.every((value, i) => i === 0 || (run[i - 1] as number) < value))
        const sorted = [...new Set(values)].sort((x, y) => x - y).map(String)
        assert.equal(run.length, lengthOfLongest(values.map(String), sorted))
      }),
    ))
})
