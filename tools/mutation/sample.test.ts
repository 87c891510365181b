import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseMutants, isMessage } from './sample.ts'

const mutants = Array.from({ length: 50 }, (_, line) => ({
  fileName: 'src/a.ts',
  location: { start: { line, column: 0 }, end: { line, column: 9 } },
  replacement: 'false',
}))

test('a sample has as many mutants as asked for, and the same for the same seed in any order', () => {
  const sample = chooseMutants(mutants, { seed: 1, mutants: 10 })
  assert.equal(new Set(sample).size, 10)
  assert.deepEqual(chooseMutants(mutants.toReversed(), { seed: 1, mutants: 10 }), sample)
})

test('another seed chooses other mutants', () => {
  const sample = new Set(chooseMutants(mutants, { seed: 1, mutants: 10 }))
  const other = chooseMutants(mutants, { seed: 2, mutants: 10 })
  assert.ok(other.some(mutant => !sample.has(mutant)))
})

test('a sample of more than there are has all', () => {
  assert.equal(chooseMutants(mutants, { seed: 1, mutants: 99 }).length, 50)
})

test('a sentence is a message, a name or a key is not', () => {
  assert.ok(isMessage("'the space has no head'"))
  assert.ok(isMessage('`there is no such page`'))
  assert.ok(!isMessage("'space.published'"))
  assert.ok(!isMessage("'not found'"))
})
