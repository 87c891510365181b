// A document written over the text that it came from: what did not change keeps its bytes.
import { type JSONDocument, toDocument } from '../document/document.ts'
import { renderBlocks } from './blocks.ts'
import { contentOf, matchBlocks } from './matching.ts'
import { joinTexts } from './page-joining.ts'
import { orderTexts, type WrittenPage } from './page-order.ts'
import { type Piece, type Previous, readPrevious } from './previous.ts'
import { definitionsOf, Rendering } from './rendering.ts'
import { planSteps, type Steps, withoutOpenPieces } from './steps.ts'
import { isSame, type Options, readingOf, writeSteps } from './writing.ts'

/**
 * The Markdown of `document`, keeping the bytes of `previous` for everything that did not change: unchanged blocks, and
 * in a changed block all but the words and characters that differ (carry.ts). Frontmatter, a first heading that is the
 * page's title, comments and definitions of links stay as they were; a footnote stays as long as something refers to
 * it. What would then not be read as the document is rewritten: first the block, then every block that is not closed,
 * finally the page below its frontmatter and title.
 */
export function renderOver(previous: string, document: JSONDocument, options: Options): string {
  const before = readPrevious(previous, options)
  const matches = matchBlocks(before, document.nodes)
  const isUnchanged =
    matches.length === before.nodes.length &&
    matches.every((match, index) => match?.isSame && match.was === index)
  if (isUnchanged) return previous
  const steps = planSteps(before, document.nodes, matches)
  const attempt = (some: Steps): string | undefined => {
    const written = writeSteps(some, before, options)
    const text = joinPage(before, some, written)
    return isRead(text, some, written, options) ? text : undefined
  }
  return (
    attempt(steps) ??
    attempt(withoutOpenPieces(steps, piece => isClosed(piece, before.lineEnd, options))) ??
    writeAnew(before, document, options)
  )
}

function joinPage(before: Previous, steps: Steps, written: WrittenPage): string {
  const texts = orderTexts(before, steps, written)
  const last = texts.at(-1)?.piece
  const ending = last?.index === before.pieces.length - 1 ? last.gap : before.lineEnd
  return before.bom + joinTexts(texts, before.lineEnd) + (texts.length === 0 ? '' : ending)
}

/**
 * Whether a piece says the same between any others: an unclosed element or fence continues after it, and the first
 * heading may be the title.
 */
function isClosed({ text, says }: Piece, lineEnd: string, options: Options): boolean {
  const around = ['x', '', text, '', 'x'].join(lineEnd)
  const read = toDocument(around, readingOf(options)).document.nodes.map(contentOf)
  return isSame(read.slice(1, -1), says)
}

/** Whether a text is read as the blocks that it was made from. */
function isRead(text: string, { unused }: Steps, { texts }: WrittenPage, options: Options): boolean {
  const expected = [...texts.flatMap(one => one.says), ...unused.map(contentOf)]
  const read = toDocument(text, readingOf(options)).document.nodes
  return read.length === expected.length && isSame(read.map(contentOf), expected)
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
