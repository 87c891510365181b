import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMarkdown } from '../syntax/syntax.ts'
import { titleOf } from './titles.ts'

const isTitle = (heading: string, title: string) =>
  titleOf(parseMarkdown(`# ${heading}`), title) !== undefined

test('an emoji before the words of either may be missing from the other', () => {
  assert.ok(isTitle('🚀 Setup', 'Setup'))
  assert.ok(isTitle('Setup', '🚀 Setup'))
  assert.ok(isTitle('🚀  Setup', '🚀 Setup'))
  assert.ok(isTitle('⚙️ Setup', '⚙ Setup'))
})

test('titles that differ in nothing but their emoji are different', () => {
  assert.ok(!isTitle('❌ Supported', '✅ Supported'))
  assert.ok(!isTitle('🚀', '🎉'))
  assert.ok(!isTitle('🚀', ''))
  assert.ok(isTitle('🚀', '🚀'))
})
