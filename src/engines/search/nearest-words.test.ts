import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, sourcePage } from '../../../test/support/search-indexes.ts'
import { parseQuery } from './query.ts'
import { rank } from './search.ts'
import type { SearchIndex } from './search-index.ts'

const nearest = (query: string, ...indexes: SearchIndex[]) => rank(indexes, parseQuery(query)).nearestWords()

const index = indexOf(
  'en',
  [sourcePage('a', 'Authentication', 'Authorization is another page. Authors sign.')],
  [sourcePage('b', 'Parcels', 'Authorization of parcels. The persimmon.')],
)

test('what finds nothing is near words that pages have, the nearest first', () => {
  assert.deepEqual(nearest('authentikashun', index), ['authentication'])
  assert.deepEqual(nearest('autorisasion', index), ['authorization'])
  assert.deepEqual(nearest('zebra', index), [])
})

test('words that occur are not replaced, nor phrases whose words occur', () => {
  assert.deepEqual(nearest('parcels', index), [])
  assert.deepEqual(nearest('"persimmon authentication"', index), [])
})

test('a word of pages that are gone is not offered', () => {
  const [first, ...others] = index.parts
  assert.ok(first)
  const without = { ...index, parts: [{ ...first, gone: new Set([0]) }, ...others] }
  assert.deepEqual(nearest('authentikashun', without), ['authorization'].slice(1))
  assert.deepEqual(nearest('autorisasion', without), ['authorization'])
})

test('of very many words the first 20,000 that may be near are compared, so that a search ends', () => {
  const permuted = (letters: string): string[] =>
    letters === ''
      ? ['']
      : [...letters].flatMap(letter => permuted(letters.replace(letter, '')).map(rest => letter + rest))
  const words = permuted('bcdefgh').flatMap(middle => ['ij', 'ik', 'il', 'im'].map(end => `a${middle}${end}`))
  assert.equal(words.length, 20_160)
  const asked = words.at(-1)?.replace(/^a/, 'ax') ?? ''
  const indexWith = (some: readonly string[]) => indexOf('en', [sourcePage('c', 'Words', some.join(' '))])
  assert.deepEqual(nearest(asked, indexWith(words.slice(-1))), words.slice(-1))
  assert.doesNotMatch(nearest(asked, indexWith(words)).join(), new RegExp(words.at(-1) ?? ''))
})
