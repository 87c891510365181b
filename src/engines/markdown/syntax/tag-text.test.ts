import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTag } from './tag-text.ts'

test('attributes keep the order in which they are written, and the first of a name counts', () => {
  const tag = parseTag('{% @a/b z="1" a="2" z="3" on %}', 0)
  assert.deepEqual(Object.entries(tag!.attributes), [
    ['z', '1'],
    ['a', '2'],
    ['on', true],
  ])
})

test('a backslash escapes a backslash and a quote', () => {
  const tag = parseTag(String.raw`{% code title="C:\\" name="a \"b\" \c" end="x\\\"" %}`, 0)
  assert.deepEqual(tag!.attributes, { title: 'C:\\', name: 'a "b" \\c', end: 'x\\"' })
})
