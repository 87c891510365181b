import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, sourcePage } from '../../../test/support/search-indexes.ts'
import { parseQuery } from './query.ts'
import { search } from './search.ts'

test('a word of one query has the forms of the language of each part that is searched', () => {
  const english = indexOf('en', [sourcePage('en', 'Notes', 'Hardening is described.')])
  const german = indexOf('de', [sourcePage('de', 'Notizen', 'Eine Lösung ist da.')])
  const found = (indexes: Parameters<typeof search>[0]) =>
    search(indexes, parseQuery('Lösungen hardened '), { limit: 5 })
      .pages.map(({ pageId }) => pageId)
      .sort()
  for (const indexes of [
    [english, german],
    [german, english],
  ])
    assert.deepEqual(found(indexes), ['de', 'en'])
})
