// A document written over the text that it came from: what did not change keeps its bytes.
import { type JSONDocument, toDocument } from '../document/document.ts'
import { renderBlocks } from './blocks.ts'
import { contentOf, matchBlocks } from './matching.ts'
import { joinTexts } from './page-joining.ts'
import { orderTexts, type Written } from './page-order.ts'
import { type Previous, readPrevious } from './previous.ts'
import { definitionsOf, Rendering } from './rendering.ts'
import { planSteps, type Steps, withoutOpenPieces } from './steps.ts'
import { type Options, readingOf, writeSteps } from './writing.ts'

/**
 * The Markdown of `document`, keeping the bytes of `previous` wherever they say what did not change: blocks that are
 * unchanged, and within a changed one all but the words and signs that are different (carry.ts). Frontmatter, a first
 * heading that is the page's title, comments and definitions of links stay as they were; a note stays as long as something
 * refers to it. What would then not be read as the document is written anew: first the block, then every block that is
 * not closed, at last the page below its frontmatter and title.
 */
export function renderOver(previous: string, document: JSONDocument, options: Options): string {
  const before = readPrevious(previous, options)
  const matches = matchBlocks(before.nodes, document.nodes)
  const isSame =
    matches.length === before.nodes.length &&
    matches.every((match, index) => match?.isSame && match.was === index)
  if (isSame) return previous
  const steps = planSteps(before, matches)
  const closed = () => withoutOpenPieces(steps, piece => isClosed(before, piece, options))
  return (
    attempt(before, document, steps, options) ??
    attempt(before, document, closed(), options) ??
    writeAnew(before, document, options)
  )
}

/** The page in these steps; undefined where it is not read as what it was made of. */
function attempt(
  before: Previous,
  document: JSONDocument,
  steps: Steps,
  options: Options,
): string | undefined {
  const written = writeSteps(steps, before, document, options)
  const texts = orderTexts(before, steps, written)
  const last = texts.at(-1)
  const ending = last?.to === before.pieces.length - 1 ? (last.gap ?? '') : before.lineEnd
  const text = before.bom + joinTexts(texts, before.lineEnd) + (last === undefined ? '' : ending)
  return isRead(text, before, document, steps, written, options) ? text : undefined
}

/**
 * Whether a piece says the same between any others: an element or a fence that is not closed goes on behind it, and the
 * first heading may be the title.
 */
function isClosed({ pieces, nodes, lineEnd }: Previous, piece: number, options: Options): boolean {
  const { text, first, count } = pieces[piece]!
  const around = ['x', '', text, '', 'x'].join(lineEnd)
  const read = toDocument(around, readingOf(options)).document.nodes
  return (
    read.length === count + 2 &&
    read.slice(1, -1).every((node, nth) => contentOf(node) === contentOf(nodes[first + nth]!))
  )
}

/** Whether a text is read as the blocks that it was made of. */
function isRead(
  text: string,
  { pieces, nodes }: Previous,
  document: JSONDocument,
  { steps, unusedFrom }: Steps,
  { parts }: Written,
  options: Options,
): boolean {
  const expected: string[] = []
  for (const [index, step] of steps.entries()) {
    if (step.type === 'kept') {
      const { first, count } = pieces[step.piece]!
      for (const node of nodes.slice(first, first + count)) expected.push(contentOf(node))
      continue
    }
    for (const one of parts[index]!.says) expected.push(one)
  }
  for (const node of document.nodes.slice(unusedFrom)) expected.push(contentOf(node))
  const read = toDocument(text, readingOf(options)).document.nodes
  return read.length === expected.length && read.every((one, index) => contentOf(one) === expected[index])
}

/** The page below its frontmatter and title, with nothing else kept. */
function writeAnew({ pieces, bom, lineEnd }: Previous, document: JSONDocument, { write }: Options): string {
  const rendering = new Rendering({ write, blocks: renderBlocks })
  const lines = renderBlocks(document.nodes, rendering)
  const head = pieces.filter(piece => piece.kind === 'head').map(piece => piece.text)
  const parts = [...head, lines.join(lineEnd), definitionsOf(rendering.added).join(lineEnd)]
  const text = parts.filter(part => part !== '').join(lineEnd + lineEnd)
  return text === '' ? bom : bom + text + lineEnd
}
