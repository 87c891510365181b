import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageComparison } from './page-comparison.ts'

const compared = (before: string, after: string, charactersMax: number) =>
  pageComparison(
    { before: { markdown: before }, after: { markdown: after }, charactersMax },
    { addresses: async () => [], texts: async () => [] },
  )

test('changes beyond the bound are counted, and unchanged blocks are not', async () => {
  const before = 'One.\n\nTwo.\n\nThree.\n\nFour.\n\nThe end.\n'
  const after = 'One!\n\nTwo!\n\nThree!\n\nFour!\n\nThe end.\n'
  const whole = await compared(before, after, 10_000)
  assert.deepEqual([whole.changes.length, whole.more], [5, 0])
  const { changes, more } = await compared(before, after, 400)
  assert.ok(changes.length > 0 && changes.length < 4)
  assert.equal(changes.length + more, 4)
})

test('blank lines alone are no change', async () => {
  const { changes, more } = await compared('One.\n\nTwo.\n', '\n\nOne.\n\n\n\nTwo.', 10_000)
  assert.deepEqual([changes.map(({ kind }) => kind), more], [['unchanged', 'unchanged'], 0])
})
