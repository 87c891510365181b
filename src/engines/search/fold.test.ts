import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from './word-positions.ts'

test('case, width and Latin diacritics do not matter', () => {
  assert.equal(fold('Ｃafé ÜBER'), 'cafe uber')
})

test('marks that make another letter in their script stay', () => {
  assert.equal(fold('が'), 'が')
  assert.equal(fold('हिन्दी'), 'हिन्दी')
})
