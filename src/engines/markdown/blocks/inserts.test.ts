import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockOf } from '../reading/reading.ts'
import { parseMarkdown, walk } from '../syntax/syntax.ts'
import { INSERTS } from './inserts.ts'
import { SCHEMAS } from './schemas.ts'

/** With the words that would be typed over. */
const typed = (insert: string): string =>
  insert.replace(/#\{(?:\d+(?::([^{}]*))?|([^{}]*))\}/g, (_, ...words) => words[0] ?? (words[1] || 'words'))

for (const { name, insert } of INSERTS.filter(({ name }) => name in SCHEMAS))
  test(`what is inserted for ${name} is read as it`, () => {
    const names = new Set<string>()
    walk(parseMarkdown(typed(insert)), node => {
      const block = blockOf(node)
      if (block !== undefined) names.add(block.name)
    })
    assert.ok(names.has(name), typed(insert))
  })

test('what is inserted names nothing twice and leaves places to type', () => {
  assert.equal(new Set(INSERTS.map(({ name }) => name)).size, INSERTS.length)
  for (const { name, insert } of INSERTS) assert.match(insert, /#\{/, name)
})
