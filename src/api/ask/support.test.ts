import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { skipCorpus } from '../../../test/support/corpus.ts'
import { FALSIFIED, type Falsify } from '../../../test/support/falsified.ts'
import { assertLinear } from '../../../test/support/growth.ts'
import { ENGLISH, GERMAN } from '../../../test/support/paraphrases.ts'
import { proseOf } from '../../../test/support/prose.ts'
import { readEvidence } from '../../engines/answers/evidence.ts'
import { supports } from '../../engines/answers/support.ts'
import { sentencesOf } from '../../engines/markdown/excerpt/excerpt.ts'
import { analyse, synonymsOf } from './analyse.ts'

const READING = { analyse, synonymsOf, sentencesOf, termsIn: () => [] }

type Passage = { readonly text: string; readonly language: string | null }
const read = ({ text, language }: Passage) =>
  readEvidence({ title: '', heading: '', text, language }, READING)
const says = (evidence: ReturnType<typeof read>, sentence: string) => supports(evidence, sentence, READING)

const SAMPLES: readonly Passage[] = [
  ...ENGLISH.map(({ text }) => ({ text, language: 'en' })),
  ...GERMAN.map(({ text }) => ({ text, language: 'de' })),
]
const PASSAGES: readonly Passage[] =
  skipCorpus === false
    ? [...SAMPLES, ...proseOf('beefree-sdk-docs', 'en'), ...proseOf('dify-docs-zh', 'zh')]
    : SAMPLES

/** Each sentence that claims something, with its passage read. */
const sentences = PASSAGES.flatMap(passage => {
  const evidence = read(passage)
  return sentencesOf(passage.text).map(({ start, end }) => ({
    evidence,
    language: passage.language,
    sentence: passage.text.slice(start, end),
  }))
})

const share = (part: number, all: number): number => (all === 0 ? 0 : part / all)
const report = (t: TestContext, name: string, part: number, all: number, missed: readonly string[]): void => {
  t.diagnostic(`${name}: ${part} of ${all}`)
  for (const one of missed.slice(0, SHOWN_MAX)) t.diagnostic(`  ${one}`)
}
const SHOWN_MAX = 12

test('another unit, an opposite word and a false clause are left out; the true sentence is kept', () => {
  for (const [truth, lie] of [
    ['The desk is open for 6 hours on Mondays.', 'The desk is open for 6 minutes on Mondays.'],
    ['Guests may read public spaces and nothing else.', 'Guests may read private spaces and nothing else.'],
    [
      'A new key is shown once on the page of your account, right after it was made.',
      'A new key is shown once on the page of your account, right after it was made, and printed in logs.',
    ],
    ['The server replaces the client.', 'The client replaces the server.'],
    ['The server replaces the client.', 'The server is replaced by the client.'],
    ['Jobs are retried, but they are not logged.', 'Jobs are not retried, but they are logged.'],
    ['Guests may read pages. Members may delete spaces.', 'Guests may read pages and delete spaces.'],
  ] as const) {
    const evidence = read({ text: truth, language: 'en' })
    assert.ok(!says(evidence, lie), lie)
    for (const { start, end } of sentencesOf(truth)) assert.ok(says(evidence, truth.slice(start, end)), truth)
  }
})

test('what is turned on is not turned off, whatever the verb', () => {
  for (const [language, truth, paraphrase, lie] of [
    [
      'en',
      'Deliveries that fail for three days are turned off automatically.',
      'Deliveries that fail for three days are automatically turned off.',
      'Deliveries that fail for three days are turned on automatically.',
    ],
    [
      'en',
      'Members switch it on in the settings of the space.',
      'In the settings of the space, members switch it on.',
      'Members switch it off in the settings of the space.',
    ],
    [
      'en',
      'Everybody is signed out after a new password.',
      'After a new password, everybody is signed out.',
      'Everybody is signed in after a new password.',
    ],
    [
      'de',
      'Der Versand schaltet sich nachts aus.',
      'Nachts schaltet sich der Versand aus.',
      'Der Versand schaltet sich nachts ein.',
    ],
  ] as const) {
    const evidence = read({ text: truth, language })
    assert.deepEqual([says(evidence, paraphrase), says(evidence, lie)], [true, false], lie)
  }
})

test('a clause is denied as often as the passage denies it', () => {
  for (const [truth, lie] of [
    [
      'A page without a title is shown in the table of contents.',
      'A page without a title is not shown in the table of contents.',
    ],
    [
      'Changes that are not merged are listed on the page of the space.',
      'Changes that are not merged are not listed on the page of the space.',
    ],
  ] as const) {
    const evidence = read({ text: truth, language: 'en' })
    assert.deepEqual([says(evidence, truth), says(evidence, lie)], [true, false], lie)
  }
})

test('a name stands for nothing else, and nothing else for it, though search takes the two words for the same', () => {
  for (const [truth, paraphrase, lie] of [
    [
      'To close your account, press Delete at the end of the page.',
      'Press Delete at the end of the page to close your account.',
      'Press Remove at the end of the page to close your account.',
    ],
    [
      'Every space has a rule for its pictures under Appearance.',
      'Under Appearance, every space has a rule for its images.',
      'Under Theme, every space has a rule for its pictures.',
    ],
  ] as const) {
    const evidence = read({ text: truth, language: 'en' })
    assert.deepEqual([says(evidence, paraphrase), says(evidence, lie)], [true, false], lie)
  }
  const german = read({ text: 'Nutzer löschen den Entwurf nach einer Woche.', language: 'de' })
  assert.ok(says(german, 'Nach einer Woche löschen Benutzer den Entwurf.'), 'every noun has a capital')
})

test('two sentences are joined only where the second one speaks of the first or of its subject', () => {
  const other = 'Webhooks get every event of a space. Exports leave out private files.'
  const same = 'Webhooks get every event of a space. They leave out private files.'
  const joined = 'Webhooks get every event of a space and leave out private files.'
  assert.ok(!says(read({ text: other, language: 'en' }), joined))
  assert.ok(says(read({ text: same, language: 'en' }), joined))
})

test('a word that another sentence begins with is not said of the subject of this one', () => {
  const restored = read({
    text: 'To restore a space, open Settings and press Restore. A space stays in the trash for 7 days, then it is deleted.',
    language: 'en',
  })
  assert.ok(says(restored, 'A space stays in the trash for 7 days, then it is deleted.'))
  for (const lie of ['then it is restored', 'and is restored'])
    assert.ok(!says(restored, `A space stays in the trash for 7 days, ${lie}.`), lie)
})

test('a number is the most only where the passage says so, in whatever words', () => {
  for (const [language, truth, claim, isSaid] of [
    ['en', 'Tokens expire after 30 days.', 'Tokens expire after up to 30 days.', false],
    ['en', 'A space has at most 40 links.', 'A space has up to 40 links.', true],
    ['de', 'Ein Bereich hat 40 Freigaben.', 'Ein Bereich hat bis zu 40 Freigaben.', false],
    ['de', 'Ein Bereich hat höchstens 40 Freigaben.', 'Ein Bereich hat bis zu 40 Freigaben.', true],
  ] as const)
    assert.equal(says(read({ text: truth, language }), claim), isSaid, claim)
})

test('sentences of a passage are kept', t => {
  const lost = sentences.filter(({ evidence, sentence }) => !says(evidence, sentence))
  report(
    t,
    'true sentences lost',
    lost.length,
    sentences.length,
    lost.map(({ sentence }) => sentence),
  )
  assert.ok(share(lost.length, sentences.length) <= 0.03)
})

test('plain paraphrases are kept', t => {
  const written = [
    ...ENGLISH.map(sample => ({ ...sample, language: 'en' })),
    ...GERMAN.map(sample => ({ ...sample, language: 'de' })),
  ].flatMap(sample => sample.paraphrases.map(paraphrase => ({ sample, paraphrase })))
  const lost = written.filter(({ sample, paraphrase }) => !says(read(sample), paraphrase))
  report(
    t,
    'paraphrases lost',
    lost.length,
    written.length,
    lost.map(({ paraphrase }) => paraphrase),
  )
  assert.ok(written.length >= 60)
  assert.ok(share(lost.length, written.length) <= 0.1)
})

for (const [kind, falsify] of Object.entries(FALSIFIED) as [string, Falsify][])
  test(`false sentences are left out: ${kind}`, t => {
    const lies = sentences.flatMap(({ evidence, sentence, language }, at) => {
      const lie = falsify(sentence, language, at)
      return lie === undefined || lie === sentence ? [] : [{ evidence, lie }]
    })
    const taken = lies.filter(({ evidence, lie }) => says(evidence, lie))
    report(
      t,
      kind,
      taken.length,
      lies.length,
      taken.map(({ lie }) => lie),
    )
    assert.ok(lies.length > 0)
    assert.ok(share(taken.length, lies.length) <= 0.05)
  })

test('judging takes time in proportion to the sentence and to the passage', async () => {
  const [sample] = ENGLISH
  const evidence = read({ text: sample?.text ?? '', language: 'en' })
  const judge = (sentence: string) => says(evidence, sentence)
  await assertLinear('words', judge, size => 'delivery '.repeat(size / 9), 40_000)
  await assertLinear('clauses', judge, size => 'delivery, not '.repeat(size / 14), 40_000)
  await assertLinear('numbers', judge, size => '3 min '.repeat(size / 6), 40_000)
  await assertLinear(
    'passages',
    text => read({ text, language: 'en' }),
    size => 'A delivery is not retried, 3 times. '.repeat(size / 36),
    20_000,
  )
})
