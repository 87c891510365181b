// A document drawn for a reader of a test: one line a block, indented by nesting, with its data and its words.
import type {
  Block,
  Fragment,
  Inline,
  JSONDocument,
  Mark,
  Node,
  Text,
} from '../../../src/engines/markdown/document/document.ts'

/** Keys and `meta` are left out; empty data too. */
export const sketch = (document: JSONDocument): string =>
  document.nodes.map(node => drawBlock(node, '')).join('\n')

function drawBlock(node: Block, indent: string): string {
  const head = `${indent}${node.type}${drawData(node.data)}`
  const inside = (node.nodes ?? []) as Node[]
  const isLine = inside.length > 0 && inside.every(one => one.object !== 'block')
  const lines = [isLine ? `${head} ${inside.map(one => drawInline(one as Text | Inline)).join(' ')}` : head]
  if (!isLine) for (const one of inside) lines.push(drawBlock(one as Block, `${indent}  `))
  for (const one of node.fragments ?? []) lines.push(drawFragment(one, `${indent}  `))
  return lines.join('\n')
}

const drawFragment = (fragment: Fragment, indent: string): string =>
  [`${indent}#${fragment.fragment}`, ...fragment.nodes.map(node => drawBlock(node, `${indent}  `))].join('\n')

function drawInline(node: Text | Inline): string {
  if (node.object === 'text') {
    return node.leaves
      .map(leaf => `${leaf.marks.map(drawMark).join('')}${JSON.stringify(leaf.text)}`)
      .join(' ')
  }
  const inside = (node.nodes ?? []) as (Text | Inline)[]
  const words = inside.length === 0 ? '' : ` ${inside.map(drawInline).join(' ')}`
  const notes = (node.fragments ?? []).flatMap(one =>
    one.nodes.map(block => ` | ${drawBlock(block, '').trim()}`),
  )
  return `<${node.type}${drawData(node.data)}${words}${notes.join('')}>`
}

const drawMark = (mark: Mark): string =>
  mark.type === 'color' ? `color(${mark.data.text},${mark.data.background}):` : `${mark.type}:`

const drawData = (data: object | undefined): string =>
  data === undefined || Object.keys(data).length === 0 ? '' : ` ${JSON.stringify(data)}`
