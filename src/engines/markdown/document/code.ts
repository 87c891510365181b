// Code blocks: fences, and the HTML form in which GitBook writes code that has marked lines or notes.
import { childrenOf, type Element, hasClass, isNamed, type Node, plainLine } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import {
  type BlockData,
  type BlockOf,
  block,
  fragment,
  type Inline,
  inline,
  type Text,
  text,
} from './model.ts'

/** A code block, one node a line. */
export const codeBlock = (value: string, data: BlockData<'code'>): BlockOf<'code'> =>
  block('code', data, {
    nodes: value.split(/\r\n?|\n/).map(line => block('code-line', {}, { nodes: [text(line)] })),
  })

type Lines = { nodes: (Text | Inline)[]; isHighlighted: boolean }[]

/**
 * `<pre class="language-js" data-title="a.js"><code>…</code></pre>`: what is `<strong>` makes its lines highlighted,
 * `<a data-footnote-ref>` carries a note, `<code class="expression">` is a variable, everything else is text.
 */
export function readPre(node: Element, conversion: Conversion): BlockOf<'code'> {
  const lines: Lines = [{ nodes: [], isHighlighted: false }]
  writeCode(node.children, lines, false, conversion)
  const last = lines.at(-1)!
  if (lines.length > 1 && last.nodes.length === 0) lines.pop()
  const nodes = lines.map(line =>
    block('code-line', line.isHighlighted ? { highlighted: true } : {}, {
      nodes: line.nodes.length === 0 ? [text('')] : line.nodes,
    }),
  )
  return block('code', preData(node), { nodes })
}

function preData({ attributes, children }: Element): BlockData<'code'> {
  const data: BlockData<'code'> = {}
  const inner = children.find(child => child.type === 'element' && child.name === 'code')
  const classes = `${attributes.class ?? ''} ${inner?.type === 'element' ? (inner.attributes.class ?? '') : ''}`
  const syntax = /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1]
  if (syntax !== undefined) data.syntax = syntax
  const title = attributes['data-title']
  if (title !== undefined && title !== '') data.title = title
  const overflow = attributes['data-overflow']
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow
  if (isOn(attributes['data-line-numbers'])) data.lineNumbers = true
  if (isOn(attributes['data-full-width'])) data.fullWidth = true
  if (isOn(attributes['data-expandable'])) data.expandable = true
  const count = Number(attributes['data-collapsed-line-count'])
  if (Number.isSafeInteger(count) && count >= 1) data.collapsedLineCount = count
  return data
}

const isOn = (value: string | undefined): boolean => value !== undefined && value !== 'false'

function writeCode(
  nodes: readonly Node[],
  lines: Lines,
  isHighlighted: boolean,
  conversion: Conversion,
): void {
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code' || node.type === 'html') {
      writeLines(node.value, lines, isHighlighted)
    } else if (node.type === 'element' && node.name === 'br') {
      writeLines('\n', lines, isHighlighted)
    } else if (node.type === 'element' && Object.hasOwn(node.attributes, 'data-footnote-ref')) {
      writeNote(node, lines, isHighlighted, conversion)
    } else if (isNamed(node, 'code') && hasClass(node, 'expression')) {
      writeExpression(plainLine(node.children), lines, isHighlighted)
    } else {
      const isStrong = node.type === 'element' && node.name === 'strong'
      writeCode(childrenOf(node), lines, isHighlighted || isStrong, conversion)
    }
  }
}

function writeLines(value: string, lines: Lines, isHighlighted: boolean): void {
  const [first = '', ...rest] = value.split(/\r\n?|\n/)
  writeInLine(first, lines, isHighlighted)
  for (const line of rest) {
    lines.push({ nodes: [], isHighlighted: false })
    writeInLine(line, lines, isHighlighted)
  }
}

function writeInLine(value: string, lines: Lines, isHighlighted: boolean): void {
  if (value === '') return
  const line = lines.at(-1)!
  if (isHighlighted) line.isHighlighted = true
  const last = line.nodes.at(-1)
  if (last?.object === 'text') last.leaves[0]!.text += value
  else line.nodes.push(text(value))
}

function writeExpression(expression: string, lines: Lines, isHighlighted: boolean): void {
  const line = lines.at(-1)!
  if (isHighlighted) line.isHighlighted = true
  line.nodes.push(inline('expression', { expression }))
}

function writeNote(node: Element, lines: Lines, isHighlighted: boolean, conversion: Conversion): void {
  const body = conversion.note((node.attributes.href ?? '').replace(/^#(?:user-content-)?fn-?/, ''))
  const inner: Lines = [{ nodes: [], isHighlighted }]
  writeCode(node.children, inner, isHighlighted, conversion)
  for (const [index, { nodes }] of inner.entries()) {
    if (index > 0) lines.push({ nodes: [], isHighlighted: false })
    const words = nodes.flatMap(one => (one.object === 'text' ? one.leaves : []))
    if (index === 0 && body !== undefined && words.length > 0) {
      const fragments = [fragment('annotation-body', body, 'annotation-body')]
      lines
        .at(-1)!
        .nodes.push(inline('annotation', {}, { nodes: [{ object: 'text', leaves: words }], fragments }))
    } else for (const leaf of words) writeInLine(leaf.text, lines, isHighlighted)
  }
}
