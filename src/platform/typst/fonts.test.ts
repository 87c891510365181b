import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../test/support/process.ts'
import { fontsFor } from './fonts.ts'
import { readOwnFonts } from './own-fonts.ts'
import { placeOfPackaged } from './packaged.ts'

const namesOf = (scripts: readonly string[], language: string | null) => fontsFor(scripts, language).text

test('a document has the fonts of its scripts, and those of its language first', () => {
  assert.deepEqual(namesOf([], null), ['Noto Sans', 'DejaVu Sans'])
  assert.deepEqual(namesOf(['Arabic', 'Hebrew', 'Emoji'], 'ar'), [
    'Noto Sans',
    'Noto Naskh Arabic',
    'Noto Sans Hebrew',
    'Noto Emoji',
    'DejaVu Sans',
  ])
  const [japanese, chinese] = ['Noto Sans Japanese', 'Noto Sans S Chinese']
  assert.deepEqual(namesOf(['Han', 'Hiragana'], null).slice(1, -1), [japanese, chinese])
  assert.deepEqual(namesOf(['Han', 'Hiragana'], 'zh-CN').slice(1, -1), [chinese, japanese])
  assert.deepEqual(namesOf(['Han'], 'ja').slice(1, -1), [japanese, chinese])
  assert.deepEqual(namesOf(['Han', 'Hangul'], 'ko').slice(1, -1), ['Noto Sans Korean', chinese])
})

test('scripts that no font is for are named', () => {
  assert.deepEqual(fontsFor(['Thai', 'Han', 'Tibetan'], null).missing, ['Thai', 'Tibetan'])
})

test('the files of all fonts are there', () => {
  const scripts = ['Han', 'Hiragana', 'Hangul', 'Arabic', 'Hebrew', 'Emoji']
  const { files } = fontsFor(scripts, null)
  assert.ok(files.length > 15)
  assert.deepEqual(
    files.filter(file => !existsSync(placeOfPackaged(file))),
    [],
  )
})

test('of a folder of an operator, the fonts are read in the order of their names', async () => {
  const folder = temporaryFolder()
  for (const name of ['b.OTF', 'a.ttf', 'notes.txt', 'c.woff2']) writeFileSync(join(folder, name), name)
  const fonts = await readOwnFonts(folder)
  assert.deepEqual(
    fonts.map(bytes => Buffer.from(bytes).toString()),
    ['a.ttf', 'b.OTF'],
  )
})
