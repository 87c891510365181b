import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, sourcePage } from '../../../test/support/search-indexes.ts'
import { highlighter } from './highlight.ts'
import type { Language } from './language.ts'
import { parseQuery } from './query.ts'
import { search } from './search.ts'
import { thesaurusOf } from './thesaurus.ts'

const glossary = thesaurusOf(
  [
    [
      { text: 'Change request', language: 'en' },
      { text: 'Änderungsantrag', language: 'de' },
      { text: '变更请求', language: 'zh' },
    ],
    [
      { text: 'tenant', language: 'en' },
      { text: 'Mandant', language: 'de' },
    ],
  ],
  0.9,
)
const asked = (query: string) => parseQuery(query, { thesauri: [glossary] })

const found = (language: Language, bodies: Readonly<Record<string, string>>, query: string) => {
  const index = indexOf(
    language,
    Object.entries(bodies).map(([id, body]) => sourcePage(id, '', body)),
  )
  return search([index], asked(query), { limit: 10 }).pages.map(({ pageId }) => pageId)
}

const GERMAN = {
  antrag: 'Änderungsanträge werden geprüft, bevor sie gelten.',
  mandant: 'Jeder Mandant hat eigene Daten.',
  other: 'Anträge auf Urlaub stellt man der Verwaltung.',
}

test('a term of several words is met by the one word of another language, in any of its forms', () => {
  assert.deepEqual(found('de', GERMAN, 'change requests'), ['antrag'])
  assert.deepEqual(found('de', GERMAN, 'tenants'), ['mandant'])
})

test('a term of one word matches several adjacent words, and not one of them', () => {
  const english = {
    request: 'A change request is reviewed.',
    change: 'Requests may change.',
    other: 'Nothing.',
  }
  assert.deepEqual(found('en', english, 'Änderungsantrag'), ['request'])
  assert.deepEqual(found('en', english, '变更请求'), ['request'])
})

test('a term without blanks is found within a longer run', () => {
  assert.deepEqual(found('zh', { page: '提交变更请求以后等待审核', other: '系统请求' }, 'change request'), [
    'page',
  ])
  assert.equal(
    found('en', { page: 'A change request waits.', other: 'It is here.' }, '如何提交变更请求')[0],
    'page',
  )
})

test('what is written comes before what means the same', () => {
  const both = { a: 'Jeder Mandant zahlt.', b: 'Jeder Tenant zahlt.', c: 'Jeder sonst zahlt auch.' }
  assert.deepEqual(found('de', both, 'tenant'), ['b', 'a'])
})

test('an alternative counts as the word of the query that it replaces', () => {
  const german = { ...GERMAN, both: 'Ein Mandant stellt Änderungsanträge.' }
  assert.deepEqual(found('de', german, 'tenant change request'), ['both'])
})

test('quoted words have no alternatives', () => {
  assert.deepEqual(found('de', GERMAN, '"tenant"'), [])
})

test('alternatives are marked in what is found', () => {
  const marked = highlighter(asked('change requests'), undefined, 'de').mark('Viele Änderungsanträge')
  assert.deepEqual(marked, [{ start: 6, end: 22 }])
})
