// Which of two pages comes first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, indexOf, sourcePage } from '../../../test/support/search-indexes.ts'

const rest = (words: number) => Array.from({ length: words }, (_, at) => `rest${at}`).join(' ')

test('words in one paragraph rank before words that are further apart', () => {
  const page = (id: string, between: number) =>
    sourcePage(id, 'Notes', `alpha ${rest(between)} beta ${rest(60 - between)}`)
  assert.deepEqual(found(indexOf('en', [page('a', 40), page('b', 10)]), 'alpha beta'), ['b', 'a'])
})

test('a page whose title is the word comes before one that has it among many in its title and says it more often', () => {
  const others = Array.from({ length: 20 }, (_, at) => sourcePage(`o${at}`, `Other ${at}`, rest(60)))
  const index = indexOf('en', [
    ...others,
    sourcePage(
      'long',
      'What may come before a retry of some failed deliveries',
      `retry retry retry ${rest(60)}`,
    ),
    sourcePage('short', 'Retry policy', rest(60)),
  ])
  assert.equal(found(index, 'retry ')[0], 'short')
})
