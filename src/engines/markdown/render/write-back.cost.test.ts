// What it costs to write back an edit in a page made to be slow.
import { describe, it } from 'node:test'
import { assertLinear, type Shape } from '../../../../test/support/growth.ts'
import { type Block, type JSONDocument, type Leaf, type Node, toDocument } from '../document/document.ts'
import { renderOver } from './render-over.ts'

/** Every leaf of a document. */
function* leavesIn(nodes: readonly Node[]): Generator<Leaf> {
  for (const node of nodes) {
    if (node.object === 'text') yield* node.leaves
    else {
      yield* leavesIn(node.nodes ?? [])
      for (const one of node.fragments ?? []) yield* leavesIn(one.nodes)
    }
  }
}

const EDITS: { readonly [name: string]: (document: JSONDocument) => void } = {
  'one word': ({ nodes }) => {
    const [leaf] = leavesIn(nodes)
    leaf!.text = `new ${leaf!.text}`
  },
  'every word': ({ nodes }) => {
    let count = 0
    for (const leaf of leavesIn(nodes)) leaf.text = `new${count++} ${leaf.text}`
  },
  'the order of what is inside': ({ nodes }) => {
    for (const node of nodes as { nodes?: Block[] }[]) node.nodes?.reverse()
  },
}

const repeat =
  (piece: string): Shape =>
  length =>
    piece.repeat(length / piece.length)

const SHAPES: { readonly [name: string]: Shape } = {
  'a long list': repeat('*   a&#x20;\n'),
  'a long list of different words': length =>
    Array.from({ length: length / 8 }, (_, index) => `1. w${index}\n`).join(''),
  'a long table': length => `|a|b|\n|-|-|\n${repeat('|c  |&lt;|\n')(length)}`,
  'a table in HTML': length => `<table><tr><th>a</th></tr>${repeat('<tr>\n<td>b</td></tr>')(length)}</table>`,
  'a long line': repeat('a __b__&nbsp;'),
  'many hints': repeat("{% hint style='info' %}\na\n{% endhint %}\n\n"),
  'many notes': length =>
    Array.from({ length: length / 24 }, (_, index) => `w[^${index}]\n\n[^${index}]:  n${index}\n\n`).join(''),
  'signs that are escaped': repeat('\\*a\\_'),
  'lists in lists': length =>
    Array.from({ length: Math.sqrt(length) }, (_, depth) => `${'  '.repeat(depth)}- a&#x20;\n`).join(''),
  // Longer notes make a document that is not in proportion to the page: it has a copy of the note for each item.
  'many items with one note': length => `${repeat('- a[^1]\n')(length)}\n[^1]: b c\n`,
  'code of many lines': length => `~~~\n${repeat('a\n\n')(length)}~~~\n`,
}

const LENGTH_MAX = 30_000

describe('writing back costs in proportion to the page', () => {
  for (const [shape, make] of Object.entries(SHAPES))
    for (const [name, edit] of Object.entries(EDITS))
      it(`${name} changed in ${shape}`, () =>
        assertLinear(`${name} in ${shape}`, source => writeBack(source, edit), make, LENGTH_MAX))
})

function writeBack(source: string, edit: (document: JSONDocument) => void): void {
  const { document } = toDocument(source)
  edit(document)
  renderOver(source, document, {})
}
