import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDocumentBudget } from './merge-budget.ts'
import { mergeInPlace } from './merge-line-places.ts'

test('a line that both wrote below a heading stays there, though one put the heading into another section', () => {
  const texts = { base: '## B\n\na', ours: '## B\nsame\n\na', theirs: '# A\n## B\nsame\n\na' }
  for (const merged of [texts, { ...texts, ours: texts.theirs, theirs: texts.ours }])
    assert.equal(mergeInPlace(merged, newDocumentBudget()), texts.theirs)
})

test('a line that one wrote below a heading has no place once the other put the heading into another section', () => {
  const texts = { base: '## B\n\na', ours: '## B\nnew\n\na', theirs: 't\n# A\n## B\n\na' }
  for (const merged of [texts, { ...texts, ours: texts.theirs, theirs: texts.ours }])
    assert.equal(mergeInPlace(merged, newDocumentBudget()), undefined)
})
