import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, sourcePage } from '../../../test/support/search-indexes.ts'
import { parseQuery } from '../../engines/search/query.ts'
import { search } from '../../engines/search/search.ts'
import { IndexMemory } from './index-memory.ts'

const ENTRY_BYTES = 1024

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => sourcePage(`p${at}`, `Page ${at}`, `common words of page ${at}`))

test('what may be kept of common words beside an index counts in its memory, before they are asked for and after', () => {
  const index = indexOf('en', pagesOf(600))
  const whole = Math.ceil(index.bytes * (1 + 1 / 8)) + ENTRY_BYTES
  assert.equal(new IndexMemory(whole - 1).holds(index), false)
  const memory = new IndexMemory(whole)
  assert.ok(memory.holds(index))
  memory.set('a', index)
  assert.equal(memory.bytes, whole)
  assert.equal(search([index], parseQuery('common words'), { limit: 1 }).count, 600)
  assert.equal(memory.bytes, whole)
  memory.delete('a')
  assert.equal(memory.bytes, 0)
})

test('beside an index of few pages nothing is kept, and nothing is counted', () => {
  const index = indexOf('en', pagesOf(20))
  assert.ok(new IndexMemory(index.bytes + ENTRY_BYTES).holds(index))
  assert.equal(new IndexMemory(index.bytes + ENTRY_BYTES - 1).holds(index), false)
})
