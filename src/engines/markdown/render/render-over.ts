// A document written over the text that it came from: what did not change keeps its bytes.
import { type Block, type JSONDocument, toDocument } from '../document/document.ts'
import { PARSED_CHARACTERS_MAX } from '../syntax/syntax.ts'
import { renderBlocks } from './blocks.ts'
import { losesWords, plainForms } from './losses.ts'
import { contentOf, type Match, matchBlocks } from './matching.ts'
import { joinTexts } from './page-joining.ts'
import { orderTexts, type Unwritten, type WrittenPage } from './page-order.ts'
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
export const renderOver = (previous: string, document: JSONDocument, options: Options): string =>
  writeOver(previous, document, options).text

/** A text, and the blocks of the document that it does not say as they are. */
export type WrittenText = { readonly text: string; readonly unwritten: readonly Unwritten[] }

/** The same, with what could not be written: no word is lost that the document has. */
export function writeOver(previous: string, document: JSONDocument, options: Options): WrittenText {
  const before = readPrevious(previous, options)
  const matches = matchBlocks(before, document.nodes)
  const isUnchanged =
    matches.length === before.nodes.length &&
    matches.every((match, index) => match?.isSame && match.was === index)
  if (isUnchanged) return { text: previous, unwritten: [] }
  const steps = planSteps(before, document.nodes, matches)
  const attempt = (some: Steps) => {
    const written = writeSteps(some, before, options)
    const text = joinPage(before, some, written)
    return { text, unwritten: written.unwritten, isExact: isRead(text, some, written, options) }
  }
  const first = attempt(steps)
  if (first.isExact) return first
  const second = attempt(withoutOpenPieces(steps, piece => isClosed(piece, before.lineEnd, options)))
  if (second.isExact) return second
  // The end of such a page is read as plain words from a place that moves with every edit.
  if (previous.length > PARSED_CHARACTERS_MAX) return first
  const anew = { text: writeAnew(before, document.nodes, options), unwritten: [] }
  const isWhole = ({ text, unwritten }: WrittenText): boolean => {
    const kept = new Set(unwritten.filter(one => one.isKept).map(one => one.block))
    const asked = document.nodes.filter(({ key }) => key === undefined || !kept.has(key))
    return !losesWords(asked, toDocument(text, readingOf(options)).document.nodes)
  }
  const whole = [anew, first, second].find(isWhole)
  return (
    whole ??
    (before.nodes.length === 0 ? plainPage(before, document, options) : kept(previous, document, matches))
  )
}

const kept = (previous: string, { nodes }: JSONDocument, matches: readonly Match[]): WrittenText => ({
  text: previous,
  unwritten: nodes.flatMap(({ key }, index) =>
    matches[index]?.isSame ? [] : [{ block: key, isKept: true }],
  ),
})

/** Without blocks to keep: the words of all blocks, in the form that holds any words. */
const plainPage = (before: Previous, { nodes }: JSONDocument, options: Options): WrittenText => ({
  text: writeAnew(
    before,
    nodes.flatMap(one => plainForms(one).at(-1) ?? []),
    options,
  ),
  unwritten: nodes.map(({ key }) => ({ block: key, isKept: false })),
})

function joinPage(before: Previous, steps: Steps, written: WrittenPage): string {
  const texts = orderTexts(before, steps, written)
  const last = texts.at(-1)?.piece
  const ending = last?.index === before.pieces.length - 1 ? last.gap : before.lineEnd
  return before.bom + before.lead + joinTexts(texts, before.lineEnd) + (texts.length === 0 ? '' : ending)
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
function writeAnew(
  { pieces, bom, lead, lineEnd }: Previous,
  nodes: readonly Block[],
  { write }: Options,
): string {
  const rendering = new Rendering({ write, blocks: renderBlocks })
  const lines = renderBlocks(nodes, rendering)
  const head = pieces.filter(piece => piece.kind === 'head').map(piece => piece.text)
  const parts = [...head, lines.join(lineEnd), definitionsOf(rendering.added).join(lineEnd)]
  const text = parts.filter(part => part !== '').join(lineEnd + lineEnd)
  return text === '' ? bom : bom + lead + text + lineEnd
}
