// Code blocks: fences, and the HTML form in which GitBook writes code that has marked lines or footnotes.
import { assertDefined } from '../../../base/assert.ts'
import { defined } from '../../../base/objects.ts'
import { dataAttributes, readAttributes, TAG_ATTRIBUTES } from '../attributes/attributes.ts'
import {
  childrenOf,
  type Element,
  footnoteOf,
  hasClass,
  isFootnoteElement,
  isNamed,
  type Node,
  plainLine,
} from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { annotation } from './line.ts'
import { type BlockData, type BlockOf, block, type Inline, inline, type Text, text } from './model.ts'

const LINE_END = /\r\n?|\n/

/** A code block, one node per line. */
export const codeBlock = (value: string, data: BlockData<'code'>): BlockOf<'code'> =>
  block('code', data, {
    nodes: value.split(LINE_END).map(line => block('code-line', {}, { nodes: [text(line)] })),
  })

/**
 * `<pre class="language-js" data-title="a.js"><code>…</code></pre>`: `<strong>` highlights the lines that it touches,
 * `<a data-footnote-ref>` carries a footnote, `<code class="expression">` is a variable, everything else is text.
 */
export function readPre(node: Element, conversion: Conversion): BlockOf<'code'> {
  const { all } = new CodeLines(conversion).write(node.children, false)
  if (all.length > 1 && all.at(-1)?.nodes.length === 0) all.pop()
  const nodes = all.map(line =>
    block('code-line', line.isHighlighted ? { highlighted: true } : {}, {
      nodes: line.nodes.length === 0 ? [text('')] : line.nodes,
    }),
  )
  return block('code', preData(node), { nodes })
}

function preData(node: Element): BlockData<'code'> {
  const { attributes, children } = node
  const inner = children.find(child => isNamed(child, 'code'))
  const classes = `${attributes.class ?? ''} ${inner?.attributes.class ?? ''}`
  return defined({
    syntax: /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1],
    ...readAttributes(dataAttributes(node), TAG_ATTRIBUTES.code),
  })
}

/** The lines of code while they are read. */
class CodeLines {
  readonly all: { nodes: (Text | Inline)[]; isHighlighted: boolean }[] = [{ nodes: [], isHighlighted: false }]
  readonly #conversion: Conversion

  constructor(conversion: Conversion) {
    this.#conversion = conversion
  }

  write(nodes: readonly Node[], isHighlighted: boolean): this {
    for (const node of nodes) {
      if (node.type === 'text' || node.type === 'inlineCode' || node.type === 'code' || node.type === 'html')
        this.#write(node.value, isHighlighted)
      else if (isNamed(node, 'br')) this.#write('\n', isHighlighted)
      else if (isFootnoteElement(node)) this.#annotate(node, isHighlighted)
      else if (isNamed(node, 'code') && hasClass(node, 'expression'))
        this.#put(inline('expression', { expression: plainLine(node.children) }), isHighlighted)
      else this.write(childrenOf(node), isHighlighted || isNamed(node, 'strong'))
    }
    return this
  }

  #write(value: string, isHighlighted: boolean): void {
    for (const [index, line] of value.split(LINE_END).entries()) {
      if (index > 0) this.#begin()
      if (line !== '') this.#put(text(line), isHighlighted)
    }
  }

  #begin(): void {
    this.all.push({ nodes: [], isHighlighted: false })
  }

  #put(node: Text | Inline, isHighlighted: boolean): void {
    const line = assertDefined(this.all.at(-1), 'there is always a line')
    line.isHighlighted ||= isHighlighted
    const last = line.nodes.at(-1)
    // A text made by `text` has one leaf.
    if (node.object === 'text' && last?.object === 'text') last.leaves[0]!.text += node.leaves[0]!.text
    else line.nodes.push(node)
  }

  /** The first line of words with a footnote carries it; the others are text. */
  #annotate(node: Element, isHighlighted: boolean): void {
    const body = this.#conversion.footnote(footnoteOf(node))
    const inner = new CodeLines(this.#conversion).write(node.children, isHighlighted)
    for (const [index, { nodes }] of inner.all.entries()) {
      if (index > 0) this.#begin()
      const leaves = nodes.flatMap(one => (one.object === 'text' ? one.leaves : []))
      if (index === 0 && body !== undefined && leaves.length > 0)
        this.#put(annotation({ object: 'text', leaves }, body), false)
      else for (const leaf of leaves) this.#put(text(leaf.text), isHighlighted)
    }
  }
}
