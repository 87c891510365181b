import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery, QUERY_WORDS_MAX } from './query.ts'

const wordsOf = (text: string): number =>
  parseQuery(text).terms.reduce((sum, { words }) => sum + words.length, 0)

test('no more words are looked for than a query may have, also of identifiers and phrases', () => {
  const letters = Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0x100 + at))
  for (const text of [
    letters.join(' '),
    letters.join('-'),
    'aB'.repeat(256),
    `"${'a '.repeat(250)}"`,
    `${letters.slice(0, 20).join('_')} "${letters.slice(20, 60).join(' ')}" and more`,
  ])
    assert.equal(wordsOf(text), QUERY_WORDS_MAX, text)
  const [phrase, ...others] = parseQuery(`"${letters.join(' ')}"`).terms
  assert.deepEqual([phrase?.kind, phrase?.text.split(' ').length, others], ['phrase', QUERY_WORDS_MAX, []])
})

test('what a query may have is looked for as it was written', () => {
  const terms = parseQuery('pg_stat_activity "tried again" --dry-run').terms
  assert.deepEqual(
    terms.map(({ kind, text, whole }) => [kind, text, whole]),
    [
      ['joined', 'pg stat activity', 'pgstatactivity'],
      ['phrase', 'tried again', undefined],
      ['joined', 'dry run', 'dryrun'],
    ],
  )
})
