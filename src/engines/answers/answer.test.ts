import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { answer } from './answer.ts'
import { askedAbout, kindOf, type Question } from './question.ts'
import type { Section } from './sections.ts'
import { toQuestion } from './suggestions.ts'

const analyse = function* (text: string) {
  for (const [word] of text.toLowerCase().matchAll(/[a-z0-9]+|[\p{Script=Han}]{2}/gu))
    yield { word, key: word.replace(/(?:ing|ed|s)$/, '') }
}
const prose = (...sentences: string[]) => ({
  kind: 'prose' as const,
  pieces: sentences.map(text => ({ text, markdown: text })),
})
const section = (heading: string, ...blocks: Section['blocks'][number][]): Section => ({
  ...{ title: 'Webhooks', heading, language: null, score: 1, blocks },
})
const words = (text: string) => [...analyse(askedAbout(text, word => word.toLowerCase()))]
const questionOf = (text: string): Question => ({
  kind: kindOf(text),
  terms: words(text).map(({ word, key }) => ({
    ...{ word, weight: 1 },
    readings: [{ words: [new Set([key])], weight: 1 }],
  })),
})
const ask = (text: string, sections: readonly Section[]) => answer(questionOf(text), sections, analyse)

test('the sentence that has the words is quoted, with the one that it leans on', () => {
  const long = `Bananas are ${'very '.repeat(100)}yellow.`
  const parts = ask('How long does a delivery wait?', [
    section('Other', prose('Nothing of this matters.')),
    section('Retries', prose('A delivery has a pause.', 'It makes the delivery wait for 5 seconds.', long)),
  ])?.parts
  assert.deepEqual(parts, [
    { section: 1, markdown: 'A delivery has a pause. It makes the delivery wait for 5 seconds.' },
  ])
})

test('a short paragraph is quoted whole, and a list with the sentence above it', () => {
  const list = { ...prose('Frankfurt, for deliveries', 'Oregon, for backups'), kind: 'list' as const }
  const sections = [
    section('Regions', prose('Deliveries have a region.', 'Each has its own queue.')),
    section('Places', prose('These are the places:'), list),
  ]
  assert.equal(
    ask('Which region do deliveries have?', sections)?.parts[0]?.markdown,
    'Deliveries have a region. Each has its own queue.',
  )
  assert.equal(
    ask('Where are backups in Oregon?', sections)?.parts[0]?.markdown,
    'These are the places:\n\nOregon, for backups',
  )
})

test('a question for a number is answered with a number', () => {
  const answered = (question: string, text: string) => ask(question, [section('', prose(text))])
  assert.ok(answered('Which retries does a failed delivery have?', 'A delivery has retries.'))
  assert.equal(
    answered('How many retries does a failed delivery have?', 'A delivery has retries.'),
    undefined,
  )
  assert.ok(answered('How many retries does a failed delivery have?', 'A delivery has three retries.'))
})

test('what a word is likely to mean counts for less than the word', () => {
  const question = {
    kind: 'other' as const,
    terms: [
      {
        ...{ word: 'picture', weight: 1 },
        readings: [
          { words: [new Set(['picture'])], weight: 1 },
          { words: [new Set(['screen']), new Set(['shot'])], weight: 0.7 },
        ],
      },
    ],
  }
  const coverage = (text: string) => answer(question, [section('', prose(text))], analyse)?.coverage
  assert.equal(coverage('A picture.'), 1)
  assert.equal(coverage('A screen shot.'), 0.7)
  assert.equal(coverage('A screen.'), undefined)
})

test('a section that ranks far better answers with the text below its heading', () => {
  const sections = [
    { ...section('Retry limit', prose('It is five.')), score: 1 },
    { ...section('Other', prose('Some say retry limit in passing.')), score: 0.2 },
  ]
  assert.equal(ask('What is the retry limit?', sections)?.parts[0]?.section, 0)
})

test('there is no answer if the rare words of a question occur nowhere', () => {
  const sections = [section('Retries', prose('A delivery is retried three times.'))]
  assert.equal(ask('How is a delivery exported into a spreadsheet?', sections), undefined)
  assert.equal(ask('', sections), undefined)
  assert.equal(ask('delivery', []), undefined)
})

test('words far apart in a long piece are no answer', () => {
  const far = `alpha ${'filler '.repeat(200)} omega`
  const code = { kind: 'code' as const, pieces: [{ text: far, markdown: far }] }
  assert.equal(ask('alpha omega', [section('', code)]), undefined)
  assert.ok(ask('alpha omega', [section('', prose('alpha and omega'))]))
})

test('a sentence that announces what follows is quoted with it, and steps stay one piece', () => {
  const steps = { kind: 'steps' as const, pieces: [{ text: 'Open Choose', markdown: '1. Open\n2. Choose' }] }
  const parts = ask('How do I rotate the secret?', [
    section('Secrets', prose('Rotate the secret in these steps:'), steps, prose('Unrelated words.')),
  ])?.parts
  assert.deepEqual(parts, [
    { section: 0, markdown: 'Rotate the secret in these steps:\n\n1. Open\n2. Choose' },
  ])
})

test('rows are quoted below the head of their table', () => {
  const table = {
    ...{ kind: 'table' as const, head: '| Code | Meaning |\n| - | - |' },
    pieces: [
      { text: '1100 expired', markdown: '| 1100 | expired |' },
      { text: '1200 refused', markdown: '| 1200 | refused |' },
    ],
  }
  assert.equal(
    ask('What is 1100?', [section('Errors', table)])?.parts[0]?.markdown,
    '| Code | Meaning |\n| - | - |\n| 1100 | expired |',
  )
})

test('question words depend on the language of the question', () => {
  const about = (text: string) => words(text).map(({ word }) => word)
  assert.deepEqual(about('Does the importer use AI?'), ['importer', 'ai'])
  assert.deepEqual(about('Wie kann ich die Domain verbinden?'), ['domain', 'verbinden'])
  assert.deepEqual(about('如何配置代理？'), ['配置', '代理'])
  assert.equal(kindOf('How many people can edit?'), 'amount')
  assert.equal(kindOf('如何配置代理？'), 'how')
})

test('headings become questions in their language, those that say nothing do not', () => {
  const of = (heading: string, language: string | null = null) => toQuestion({ heading, language })
  assert.equal(of('What is a space?'), 'What is a space?')
  assert.equal(of('How to rotate keys'), 'How do I rotate keys?')
  assert.equal(of('1.2 Create an API token'), 'How do I create an API token?')
  assert.equal(of('API tokens'), 'What should I know about “API tokens”?')
  assert.equal(of('Webhooks', 'de'), 'Was sollte ich über „Webhooks“ wissen?')
  assert.equal(of('如何配置'), '如何配置？')
  for (const heading of ['Overview', '示例', '#', '42', 'x'.repeat(200)]) assert.equal(of(heading), undefined)
})

test('rating takes time in proportion to the sections', async () => {
  const text = 'alpha filler words omega filler '
  const one = (n: number) => [section('', prose(text.repeat(n / text.length)))]
  const many = (n: number) => [section('', prose(...Array.from({ length: n / text.length }, () => text)))]
  const rate = (sections: readonly Section[]) => ask('alpha omega', sections)
  await assertLinear('one long piece', rate, one, 400_000)
  await assertLinear('many pieces', rate, many, 400_000)
})
