import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, type Json } from '../../base/canonical.ts'
import { equalRecords, splitKey } from './records.ts'

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(
    fc.constantFrom('a', 'b', '__proto__', 'constructor'),
    fc.constantFrom(undefined, 1, '1', null),
    {
      maxKeys: 3,
    },
  ),
  fc.array(fc.constantFrom(0, -0, 'x', false), { maxLength: 2 }),
)

describe('equal records', () => {
  it('are those with the same canonical bytes', () =>
    fc.assert(
      fc.property(value, value, (a, b) => {
        assert.equal(equalRecords(a, b), canonicalJson(a as Json) === canonicalJson(b as Json))
        assert.ok(equalRecords(a, structuredClone(a)))
      }),
      { numRuns: 2000 },
    ))
})

describe('a key', () => {
  it('is taken apart at its first slash', () => {
    assert.deepEqual(splitKey('tree'), ['tree', ''])
    assert.deepEqual(splitKey('page/abc'), ['page', 'abc'])
    assert.deepEqual(splitKey('variable/a/b'), ['variable', 'a/b'])
    assert.deepEqual(splitKey('variable/'), ['variable', ''])
  })
})
