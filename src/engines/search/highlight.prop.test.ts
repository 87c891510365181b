import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tried } from '../../../test/support/property-runs.ts'
import { highlighter } from './highlight.ts'
import type { Language } from './language.ts'
import { parseQuery } from './query.ts'

const WORDS = [
  ...[
    'deploy',
    'Deploys',
    'dying',
    'key',
    'keys',
    'hook',
    'web',
    'webhook',
    'web-hook',
    'fooWebHook',
    'HTTPKey',
  ],
  ...[
    'pre-key-set',
    'pg_stat',
    'stat',
    'max_key',
    'maxKey',
    '2nd',
    'v1/keys',
    'é',
    'clé',
    'naïvekey',
    'keyß',
  ],
  ...[
    'key—hook',
    '“key”',
    'über-key',
    'key-über',
    '键',
    '数据库',
    'key键',
    'a',
    'b.c',
    '-',
    '_',
    '__',
    'x-',
    '-key',
  ],
]
const rowOf = (max: number) => fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max })
const text = fc.tuple(rowOf(40), fc.constantFrom(' ', '', '-', '. ')).map(([words, gap]) => words.join(gap))
const query = fc
  .tuple(rowOf(3), fc.boolean())
  .map(([words, isQuoted]) => (isQuoted ? `"${words.join(' ')}"` : words.join(' ')))
const language = fc.constantFrom<Language>('en', 'de', 'zh', 'none')

test('the first stretch begins where the first of all stretches does', () => {
  fc.assert(
    fc.property(text, query, language, (text, query, language) => {
      const highlight = highlighter(parseQuery(query), undefined, language)
      assert.equal(highlight.first(text), highlight.mark(text)[0]?.start)
    }),
    tried(400),
  )
})
