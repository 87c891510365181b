import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from '../../src/web/screens/search/marked-words.ts'

const marked = (text: string, query: string) =>
  partsOf(text, query)
    .filter(({ isMatch }) => isMatch)
    .map(part => part.text)

test('words are marked in any case, with any accent, and where they go on', () => {
  assert.deepEqual(marked('Cafés and a CAFE, no decaf.', 'café'), ['Cafés', 'CAFE'])
  assert.deepEqual(marked('Restore, restored, and rest.', 'restore'), ['Restore', 'restored'])
  assert.deepEqual(marked('A database of two.', 'databases'), ['database'])
  assert.deepEqual(marked('设置服务器的方法', '服务器'), ['服务器'])
})

test('signs and words that are not asked for are not marked, and the parts are the whole text', () => {
  assert.deepEqual(marked('a (b) [c]', '( [ *'), [])
  assert.deepEqual(marked('', 'a'), [])
  const text = 'Fire the <b>kiln</b>, twice.'
  assert.equal(
    partsOf(text, 'kiln twice')
      .map(part => part.text)
      .join(''),
    text,
  )
  for (const { at, text: part } of partsOf(text, 'kiln twice')) assert.ok(text.startsWith(part, at))
})
