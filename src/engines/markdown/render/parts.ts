// A block that holds others, written over its text part by part: what did not change in it keeps its bytes, wherever it
// goes, and the rest is written by itself.
import { type Block, blocksIn } from '../document/document.ts'
import { isNamed, type Node, type Position } from '../syntax/syntax.ts'
import { type Content, contentIn, insideOf, readInnerText } from './inner-text.ts'
import { writeItems } from './items.ts'
import { contentOf, matchBlocks } from './matching.ts'
import { joinTexts } from './page-joining.ts'
import { orderTexts, type WrittenPage } from './page-order.ts'
import type { PartWriter } from './part-writer.ts'
import { footnotesDefinedIn, referencesIn } from './previous.ts'
import { readPart } from './previous-part.ts'
import { definitionOf } from './rendering.ts'
import { planSteps, type Step } from './steps.ts'

/**
 * The text of a node, which `own` was made from, as `is`; undefined if more changed than what it holds, or if that
 * cannot be taken apart.
 */
export function writeInside(writer: PartWriter, node: Node, own: Block, is: Block): string | undefined {
  if (frameOf(own) !== frameOf(is)) return undefined
  if (own.type === 'table') return writeCells(writer, node, own, is)
  const inside = insideOf(node, own)
  if (inside === undefined) return undefined
  const { nodes, holds } = inside
  return holds === undefined
    ? writeItems(writer, node, nodes, own, is)
    : writeContent(writer, node, { nodes, holds }, heldBy(own), heldBy(is))
}

const BODY = 'expandable-body'

/** What a block says without the blocks that it holds. */
const frameOf = ({ nodes: _, fragments = [], ...block }: Block): string =>
  contentOf({
    ...block,
    fragments: block.type === 'table' ? [] : fragments.filter(one => one.type !== BODY),
  } as Block)

const heldBy = (block: Block): readonly Block[] =>
  block.type === 'expandable'
    ? (block.fragments ?? []).flatMap(one => (one.type === BODY ? one.nodes : []))
    : blocksIn(block)

/** The blocks in a node are written like those of a page. */
function writeContent(
  writer: PartWriter,
  holder: Node,
  { nodes, holds }: Content,
  own: readonly Block[],
  is: readonly Block[],
): string | undefined {
  const { source, definitions, lineEnd } = writer.before
  const inner = readInnerText(source, holder, nodes)
  if (inner === undefined) return undefined
  const { refersTo, links } = referencesIn(nodes)
  const defined = footnotesDefinedIn(inner.text)
  const below = [
    ...writer
      .footnotesOf(refersTo)
      .filter(one => !defined.has(one.identifier))
      .map(one => definitionOf(one).join(lineEnd)),
    ...[...links].flatMap(link => definitions.get(link) ?? []),
  ]
  if (!writer.mayParse(below.reduce((sum, one) => sum + one.length, inner.text.length))) return undefined
  const before = readPart(writer.before, inner.text, below, own, holds, writer.options)
  if (before === undefined) return undefined
  const steps = planSteps(before, is, matchBlocks(before, is))
  const texts = writeAlone(writer.inside(before), steps.steps)
  const written = { texts, added: new Map(), used: new Set<string>(), unwritten: [] }
  const text = joinTexts(orderTexts(before, steps, written), lineEnd)
  const { start, end } = holder.position
  return text === ''
    ? undefined
    : source.slice(start, inner.start) + inner.write(text) + source.slice(inner.end, end)
}

const writeAlone = (writer: PartWriter, steps: readonly Step[]): WrittenPage['texts'] =>
  steps.map(step => {
    const { type, piece } = step
    if (type === 'kept') return { piece, text: piece.text, says: piece.says, isKept: true }
    return { piece, ...writer.writeStep(step), isKept: false }
  })

/** Cells of Markdown between blank lines are written one by one. */
function writeCells(writer: PartWriter, node: Node, own: Block, is: Block): string | undefined {
  const { source, cells } = writer.before
  const edits: (Position & { readonly text: string })[] = []
  for (const [at, slot] of (own.fragments ?? []).entries()) {
    const now = is.fragments?.[at]
    if (now?.fragment !== slot.fragment) return undefined
    if (areSame(slot.nodes, now.nodes)) continue
    const cell = cells.get(slot)
    if (cell === undefined || !(isNamed(cell, 'td') || isNamed(cell, 'th'))) return undefined
    const text = writeContent(writer, cell, contentIn(cell.children, 'cell'), slot.nodes, now.nodes)
    if (text === undefined) return undefined
    edits.push({ ...cell.position, text })
  }
  const { start, end } = node.position
  let text = ''
  let done = start
  for (const edit of edits.sort((one, other) => one.start - other.start)) {
    text += source.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return text + source.slice(done, end)
}

const areSame = (one: readonly Block[], other: readonly Block[]): boolean =>
  one.length === other.length && one.every((node, at) => contentOf(node) === contentOf(other[at] ?? node))
