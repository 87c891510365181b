// Documents edited anywhere, however deep, and written over the text they came from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { documents } from '../../../../test/support/markdown/documents.ts'
import { write } from '../../../../test/support/markdown/paths.ts'
import { resolve } from '../../../../test/support/markdown/references.ts'
import { tried } from '../../../../test/support/property-runs.ts'
import { checkDocument } from '../document/check.ts'
import {
  type Block,
  block,
  type JSONDocument,
  type Leaf,
  type Node,
  paragraph,
  text,
  toDocument,
} from '../document/document.ts'
import { contentOf } from './matching.ts'
import { renderDocument } from './render-document.ts'
import { renderOver } from './render-over.ts'

const options = { resolve, write }

/** Pages in a spelling that is not the renderer's. */
const respelled = (markdown: string, way: number): string => {
  const ways: ((line: string) => string)[] = [
    line => line.replace(/^( *)\* /, '$1-   ').replace(/^ {2}(?=\S)/, '    '),
    line => line.replace(/^( *)\d+\. /, '$11. '),
    line => line.replace(/^([^`~]*[a-z])$/, '$1&#x20;'),
    line => line.replace(/\\$/, '<br>'),
    line => line.replace(/(?<!\*)\*\*(?!\*)/g, '__'),
    line => line.replace(/ \| /g, '   |'),
  ]
  return markdown
    .split('\n')
    .map(ways[way % ways.length]!)
    .join('\n')
}

const source = fc.tuple(documents, fc.nat(10), fc.boolean()).map(([document, way, isWindows]) => {
  const written = respelled(renderDocument(document, { write }), way)
  return isWindows ? written.replaceAll('\n', '\r\n') : written
})

type Edit = { readonly kind: 'word' | 'remove' | 'repeat' | 'insert' | 'bold'; readonly at: number }
const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'word' as const,
      'remove' as const,
      'repeat' as const,
      'insert' as const,
      'bold' as const,
    ),
    at: fc.nat(1000),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Every list of blocks in a document, and every leaf. */
function placesIn(document: JSONDocument): { lists: Node[][]; leaves: Leaf[] } {
  const lists: Node[][] = [document.nodes]
  const leaves: Leaf[] = []
  const visit = (node: Node): void => {
    if (node.object === 'text') leaves.push(...node.leaves)
    else {
      const inside = (node.nodes ?? []) as Node[]
      if (inside.some(one => one.object === 'block')) lists.push(inside)
      for (const one of inside) visit(one)
      for (const { nodes } of node.fragments ?? []) for (const one of nodes) visit(one)
    }
  }
  for (const node of document.nodes) visit(node)
  return { lists, leaves }
}

function edited(document: JSONDocument, all: readonly Edit[]): JSONDocument {
  let result = document
  for (const edit of all) {
    const next = structuredClone(result)
    editOnce(next, edit)
    // What the model does not hold was no edit.
    if (checkDocument(next).length === 0) result = next
  }
  return result
}

function editOnce(document: JSONDocument, { kind, at }: Edit): void {
  const { lists, leaves } = placesIn(document)
  const list = lists[at % lists.length]!
  const leaf = leaves[at % Math.max(1, leaves.length)]
  const place = at % Math.max(1, list.length)
  if (kind === 'remove') list.splice(place, 1)
  else if (kind === 'insert') list.splice(place, 0, fresh(list[place]))
  else if (kind === 'repeat' && list[place] !== undefined)
    list.splice(place, 0, { ...structuredClone(list[place]), key: undefined } as never)
  else if (kind === 'word' && leaf !== undefined)
    leaf.text = `${leaf.text.slice(0, at % 7)}a_b *c ${leaf.text.slice(at % 5)}`
  else if (kind === 'bold' && leaf !== undefined) leaf.marks = [{ object: 'mark', type: 'bold' }]
}

const fresh = (beside: Node | undefined): Block =>
  beside?.object === 'block' && beside.type === 'list-item'
    ? block('list-item', {}, { nodes: [paragraph([text('new')])] })
    : paragraph([text('new')])

test('a document that was edited anywhere is read from the page as from a page of its own', () => {
  fc.assert(
    fc.property(source, edits, (page, all) => {
      const document = edited(toDocument(page, options).document, all)
      const over = renderOver(page, document, options)
      const read = toDocument(over, options).document.nodes.map(contentOf)
      // Line ends of Windows within a formula stay where they are.
      if (isDeepStrictEqual(read, document.nodes.map(contentOf))) return
      const anew = toDocument(renderDocument(document, { write }), options).document.nodes.map(contentOf)
      assert.deepEqual(read, anew, over)
    }),
    tried(25),
  )
})

test('a respelled page that nobody edited stays as it is', () => {
  fc.assert(
    fc.property(source, page => {
      assert.equal(renderOver(page, toDocument(page, options).document, options), page)
    }),
    tried(50),
  )
})
