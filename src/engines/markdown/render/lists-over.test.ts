// Lists that change keep what somebody wrote of them: indentation, signs and numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Block, block, type JSONDocument, paragraph, text, toDocument } from '../document/document.ts'
import { renderOver } from './render.ts'

const words = (value: string) => paragraph([text(value)])
const item = (value: string) => block('list-item', {}, { nodes: [words(value)] })

function edited(source: string, edit: (nodes: Block[]) => void): string {
  const document: JSONDocument = structuredClone(toDocument(source).document)
  edit(document.nodes)
  return renderOver(source, document, {})
}

const insertAt = (index: number, place: number) => (nodes: Block[]) => {
  const list = nodes[index]
  assert.ok(list?.type === 'list-ordered' || list?.type === 'list-unordered')
  list.nodes?.splice(place, 0, item('new'))
}

test('an item is inserted in a list that is indented on its page', () => {
  const source = '1. step\n  - under\n  - more\n2. next\n'
  assert.equal(edited(source, insertAt(1, 1)), '1. step\n  - under\n  - new\n  - more\n2. next\n')
})

test('an item is inserted in a list with tabs behind its signs', () => {
  assert.equal(edited('-\ta\n-\tb\n', insertAt(0, 1)), '-\ta\n-   new\n-\tb\n')
  assert.equal(edited('10.\ta\n11.\tb\n', insertAt(0, 2)), '10.\ta\n11.\tb\n12. new\n')
})

test('numbers that do not follow each other stay when an item is inserted', () => {
  const source = '1. one\n3. three\n7. seven\n'
  assert.equal(edited(source, insertAt(0, 2)), '1. one\n3. three\n4. new\n7. seven\n')
})

test('a list that is cut in two keeps its sign and the indentation of its items', () => {
  const source = '3)  a\n4)  b\n\n    ```\n    code\n    ```\n5)  c\n'
  const over = edited(source, nodes => {
    const [list] = nodes
    assert.ok(list?.type === 'list-ordered')
    const rest = (list.nodes ?? []).splice(1)
    nodes.push(words('between'), block('list-ordered', { start: 4 }, { nodes: rest }))
  })
  assert.ok(over.startsWith('3)  a\n\nbetween\n\n4)  b\n\n    ```\n    code\n    ```\n'), over)
  assert.ok(over.endsWith('5)  c\n'), over)
})
