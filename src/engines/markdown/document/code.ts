// Code blocks: fences, and the HTML form in which GitBook writes code that has marked lines or footnotes.
import { defined } from '../../../base/objects.ts'
import { type CodeLine, linesOfText, readPre } from '../blocks/readings.ts'
import type { Element } from '../syntax/syntax.ts'
import type { Conversion } from './conversion.ts'
import { annotation } from './line.ts'
import { type BlockData, type BlockOf, block, type Inline, inline, type Text, text } from './model.ts'

/** A code block, one node per line. */
export const codeBlock = (value: string, data: BlockData<'code'>): BlockOf<'code'> =>
  block('code', data, { nodes: linesOfText(value).map(line => lineOf(line, undefined)) })

export function codeOf(node: Element, conversion: Conversion): BlockOf<'code'> {
  const { language, look, lines } = readPre(node)
  const data = defined({ syntax: language || undefined, ...look })
  return block('code', data, { nodes: lines.map(line => lineOf(line, conversion)) })
}

function lineOf({ parts, isMarked }: CodeLine, conversion: Conversion | undefined): BlockOf<'code-line'> {
  const nodes = parts.map((part): Text | Inline => {
    if ('expression' in part) return inline('expression', { expression: part.expression })
    const body = part.footnote === undefined ? undefined : conversion?.footnote(part.footnote)
    return body === undefined ? text(part.text) : annotation(text(part.text), body)
  })
  return block('code-line', isMarked ? { highlighted: true } : {}, {
    nodes: nodes.length === 0 ? [text('')] : nodes,
  })
}
