import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/growth.ts'
import { languageOf, stemsOf } from './language.ts'

const LANGUAGES = 'en de fr es it pt nl sv ru da no fi hu ro tr'.split(' ').map(languageOf)

test('the forms of a word have one stem', () => {
  assert.deepEqual(stemsOf('restored', 'en'), stemsOf('restoring', 'en'))
  assert.deepEqual(stemsOf('пользователи', 'ru'), stemsOf('пользователь', 'ru'))
})

test('a run of letters is read in proportion to its length, and has no forms where it is longer than any word', async () => {
  assert.deepEqual(stemsOf('a'.repeat(10_000), 'en'), [])
  for (const letter of ['a', 'я'])
    await assertLinear(
      letter,
      run => LANGUAGES.map(language => stemsOf(run, language)),
      length => letter.repeat(length),
      16 * 1024,
    )
})
