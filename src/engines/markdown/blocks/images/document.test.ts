import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toDocument } from '../../document/document.ts'

const typesOf = (source: string): string[] =>
  toDocument(source, {
    resolve: destination => ({ kind: 'file', file: destination }),
  }).document.nodes.map(({ type, nodes = [] }) => `${type} ${nodes.length}`)

test('a picture that its editor can open again is a drawing only where it stands alone, as it is', () => {
  const drawing = '<img src="a.svg" class="gitbook-drawing">'
  assert.deepEqual(typesOf(drawing), ['drawing 0'])
  assert.deepEqual(typesOf(`${drawing} ${drawing}`), ['images 2'])
  assert.deepEqual(typesOf(`<div align="center">${drawing}</div>`), ['images 1'])
  assert.deepEqual(typesOf(`<figure>${drawing}<figcaption>Words</figcaption></figure>`), ['images 1'])
  assert.deepEqual(typesOf('<img src="a.svg" class="gitbook-drawing" title="Words">'), ['images 1'])
})
