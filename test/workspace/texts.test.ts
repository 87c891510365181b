// Texts by key: plurals, values, and what a language lacks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Texts } from '../../src/web/messages/texts.ts'

function textsIn(language: string, ...trees: object[]): Texts {
  const texts = new Texts(language)
  for (const tree of trees) texts.add(tree)
  return texts
}

test('a count chooses the plural of the language', () => {
  const texts = textsIn('pl', {
    files: { there_one: '{{count}} plik', there_few: '{{count}} pliki', there_many: '{{count}} plików' },
  })
  assert.deepEqual(
    [1, 3, 5].map(count => texts.find('files.there', { count })),
    ['1 plik', '3 pliki', '5 plików'],
  )
})

test('a text without plurals takes a count as any other value', () => {
  assert.equal(textsIn('en', { of: 'Of {{count}}' }).find('of', { count: 2 }), 'Of 2')
})

test('a value is shown as it is, in every place of its name; one that is missing is empty', () => {
  const texts = textsIn('en', { by: '{{name}}, {{name}} and {{other}}.' })
  assert.equal(texts.find('by', { name: '$& {{other}}' }), '$& {{other}}, $& {{other}} and .')
})

test('texts that are added later stand beside those of the same tree', () => {
  const texts = textsIn('en', { editor: { done: 'Done' } }, { editor: { save: 'Save' } })
  assert.deepEqual([texts.find('editor.done'), texts.find('editor.save')], ['Done', 'Save'])
  assert.equal(texts.find('editor.more'), undefined)
})
