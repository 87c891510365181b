import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear, type Shape } from '../../../test/support/growth.ts'
import { diffWords, type WordRun } from './word-diff.ts'

const words = fc
  .array(fc.constantFrom('the', 'page', ' ', ' ', ', ', '.', '\n', '页', '面', 'é', '🚀', '`x`'), {
    maxLength: 40,
  })
  .map(parts => parts.join(''))

const side = (runs: readonly WordRun[], kind: WordRun['kind']): string =>
  runs
    .filter(run => run.kind === kind || run.kind === 'equal')
    .map(({ text }) => text)
    .join('')

test('the runs hold both texts, whole and in order', () => {
  fc.assert(
    fc.property(words, words, (before, after) => {
      const runs = diffWords(before, after)
      assert.equal(side(runs, 'removed'), before)
      assert.equal(side(runs, 'inserted'), after)
    }),
    { numRuns: 300 },
  )
})

test('a text without a difference is one equal run', () => {
  fc.assert(
    fc.property(words, text => {
      assert.deepEqual(diffWords(text, text), text === '' ? [] : [{ kind: 'equal', text }])
    }),
  )
})

test('adjacent runs differ in kind, and none is empty', () => {
  fc.assert(
    fc.property(words, words, (before, after) => {
      const runs = diffWords(before, after)
      for (const [at, run] of runs.entries()) {
        assert.notEqual(run.text, '')
        assert.notEqual(run.kind, runs[at + 1]?.kind)
      }
    }),
  )
})

const marked = (before: string, after: string): string =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === 'equal' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('')

test('single words are compared in every script', () => {
  assert.equal(
    marked('We call it twice a day.', 'We call it once a day.'),
    'We call it [-twice-]{+once+} a day.',
  )
  assert.equal(marked('配置代理服务器', '配置邮件服务器'), '配置[-代理-]{+邮件+}服务器')
  assert.equal(marked('one two', 'one big two'), 'one {+big +}two')
})

test('words beside each other that all changed are one change', () => {
  assert.equal(marked('a red big fox ran', 'a blue tiny fox ran'), 'a [-red big-]{+blue tiny+} fox ran')
})

test('a text of any length is answered in proportion to it', async () => {
  const long = 'word '.repeat(200_000)
  assert.equal(diffWords(long, `${long}x`).length, 2)
  const different = (stem: string, length: number) =>
    Array.from({ length }, (_, at) => `${stem}${at}`).join(' ')
  const both: Shape<[string, string]> = length => [different('a', length), different('b', length)]
  await assertLinear('diffWords', ([a, b]) => diffWords(a, b), both, 65_536)
})
