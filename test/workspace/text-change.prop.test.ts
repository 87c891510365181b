// What the device keeps of a text, as a change of the one that it was written from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applied, changeOf } from '../../src/web/data/text-change.ts'
import { tried } from '../support/property-runs.ts'

/** Of few letters: what was inserted is also what stands before and after it. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀') })

test('a text is what its change makes of the text before it', () => {
  fc.assert(
    fc.property(text, text, text, text, (start, old, now, end) => {
      const [before, after] = [start + old + end, start + now + end]
      const change = changeOf(before, after)
      assert.equal(applied(change, before), after)
      assert.ok(change.insert.length <= now.length, change.insert)
    }),
    tried(1000),
  )
})
