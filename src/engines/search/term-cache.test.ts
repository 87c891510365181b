import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, sourcePage } from '../../../test/support/search-indexes.ts'
import { parseQuery } from './query.ts'
import { search } from './search.ts'
import type { SearchIndex } from './search-index.ts'

const PAGES = 600

// What is kept is a share of what a page takes.
const REST = Array.from({ length: 200 }, (_, at) => `rest${at}`).join(' ')

/** Pages of one length that all have some words, nearer each other or further apart. */
const pages = Array.from({ length: PAGES }, (_, at) => {
  const [before, between] = [at % 7, at % 5]
  const text = `${'more '.repeat(before)}common ${'words '.repeat(between)}stand together ${'more '.repeat(12 - before - between)}`
  return sourcePage(`p${at}`, 'A page', text + REST)
})
const newIndex = () => indexOf('en', pages)
const QUERIES = ['common together', 'together common stand', '"common stand"', 'word', 'stan']

/** Made once for each question: what an index answers to its first one. */
const firsts = new Map<string, ReturnType<typeof search>>()
const readFirst = (query: string) => {
  const found = firsts.get(query) ?? read([newIndex()], query)
  firsts.set(query, found)
  return found
}

const read = (indexes: readonly SearchIndex[], query: string) =>
  search(indexes, parseQuery(query), { limit: PAGES })

test('what was found once of a common word is what is found again', () => {
  const index = newIndex()
  for (const query of [...QUERIES, ...QUERIES]) assert.deepEqual(read([index], query), readFirst(query))
})

test('the positions of a common word are read only for the best pages', () => {
  const first = search([newIndex()], parseQuery('common stand'), { limit: 20 })
  assert.ok(first.pages.every(({ pageId }) => Number(pageId.slice(1)) % 5 === 0))
})

test('cached strengths are dropped when the mean lengths change', () => {
  const index = newIndex()
  const long = indexOf('en', [sourcePage('long', 'Long', 'common text '.repeat(20_000))])
  const beside = (query: string) => read([newIndex(), long], query)
  for (const query of QUERIES) {
    const alone = read([index], query)
    assert.deepEqual(read([index, long], query), beside(query))
    assert.deepEqual(read([index], query), alone)
  }
})

test('removed pages have none of the words that were kept of them', () => {
  const index = newIndex()
  const [part] = index.parts
  assert.ok(part !== undefined)
  const left: SearchIndex = { ...index, pages: PAGES - 2, parts: [{ ...part, gone: new Set([0, 7]) }] }
  for (const some of [index, left, index]) assert.equal(read([some], 'common together').count, some.pages)
})
