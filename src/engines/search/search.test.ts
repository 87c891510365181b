import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './excerpt.ts'
import { fold, queryTerms, termsOf } from './terms.ts'
import { isSlipOf, slipsBetween } from './typos.ts'
import { toVector } from './vector.ts'

test('case, width and Latin diacritics do not matter', () => {
  assert.equal(fold('Ｃafé ÜBER'), 'cafe uber')
})

test('marks that make another letter in their script stay', () => {
  assert.equal(fold('が'), 'が')
  assert.equal(fold('हिन्दी'), 'हिन्दी')
})

test('text without spaces is cut into overlapping pairs, other words stay whole', () => {
  assert.deepEqual([...termsOf('设置 webhook地址')], ['设置', 'webhook', '地址'])
  assert.deepEqual([...termsOf('ワークスペース')], ['ワー', 'ーク', 'クス', 'スペ', 'ペー', 'ース'])
})

test('a single Han character is a term of its own, and a prefix in a query', () => {
  assert.deepEqual(queryTerms('云'), [{ text: '云', isWord: false, isPrefix: true }])
})

test('a query never asks for more than 32 terms', () => {
  assert.equal(queryTerms(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ')).length, 32)
})

test('a vector carries position and weight, and nothing that PostgreSQL could misread', () => {
  const vector = toVector([
    { text: "It's Heading", weight: 'B' },
    { text: "body 'quoted' \\ text", weight: 'D' },
  ])
  assert.equal(
    vector,
    "'it':1B 's':2B 'heading':3B '~head':3B 'body':4D '~bodi':4D 'quoted':5D '~quot':5D 'text':6D",
  )
})

test('a vector of a huge text stays below what PostgreSQL takes', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `word${index}`).join(' ')
  assert.ok(Buffer.byteLength(toVector([{ text, weight: 'D' }])) < 1024 * 1024)
})

test('an excerpt shows the first wanted term of a long text', () => {
  const text = `${'lorem ipsum '.repeat(100)}the needle is here ${'dolor sit '.repeat(100)}`
  const excerpt = excerptOf(text, queryTerms('needle'))
  assert.match(excerpt, /^….*needle.*…$/)
  assert.ok(excerpt.length <= 290)
})

test('a slip is a letter too many, too few, another, or two swapped', () => {
  assert.equal(slipsBetween('webhok', 'webhook'), 1)
  assert.equal(slipsBetween('delivrey', 'delivery'), 1)
  assert.equal(slipsBetween('kitten', 'sitting'), 3)
  assert.equal(slipsBetween('', 'abc'), 3)
  assert.ok(isSlipOf('confguraton', 'configuration'))
  assert.ok(!isSlipOf('cats', 'dogs'))
})

test('plain English is cut as any other text is', () => {
  const text = "Don't stop: run `npm ci` 2x, then e-mail Foo_Bar!"
  assert.deepEqual([...termsOf(text)], [...termsOf(`${text} é`)].slice(0, -1))
})
