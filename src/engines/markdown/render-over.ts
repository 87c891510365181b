// A document written over the text that it came from: what did not change keeps its bytes.
import type { JSONDocument } from './document/model.ts'
import { type DocumentOptions, toDocument } from './document.ts'
import { renderBlocks } from './render/blocks.ts'
import { contentOf, matchBlocks } from './render/matching.ts'
import { type KnownNote, type Previous, readPrevious } from './render/previous.ts'
import { definitionsOf, Rendering, type WriteReference } from './render/rendering.ts'
import { joinUnits } from './render/seams.ts'
import { planSteps, type Step, type Steps, withoutOpenPieces } from './render/steps.ts'
import { layUnits, type Written } from './render/units.ts'

type Options = { readonly write?: WriteReference } & DocumentOptions

/**
 * The Markdown of `document`, keeping the bytes of `previous` wherever a top-level block is unchanged: an edit touches
 * only its block's bytes. Frontmatter, a first heading that is the page's title, comments and definitions of links stay
 * as they were; a note stays as long as something refers to it. Should a block not be read in its new place as it was in
 * the old one, such blocks are written anew, and if that is not enough the page below its frontmatter and title.
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
  const units = layUnits(before, steps, written)
  const last = units.at(-1)
  const ending = last?.to === before.pieces.length - 1 ? (last.gap ?? '') : before.lineEnd
  const text = before.bom + joinUnits(units, before.lineEnd) + (last === undefined ? '' : ending)
  return isRead(text, before, document, steps, written, options) ? text : undefined
}

/**
 * Whether a piece says the same between any others: an element or a fence that is not closed goes on behind it, and the
 * first heading may be the title.
 */
function isClosed({ pieces, nodes, lineEnd }: Previous, piece: number, options: Options): boolean {
  const { text, first, count } = pieces[piece]!
  const around = ['x', '', text, '', 'x'].join(lineEnd)
  const read = toDocument(around, readingOf(options, options.title)).document.nodes
  return (
    read.length === count + 2 &&
    read.slice(1, -1).every((node, nth) => contentOf(node) === contentOf(nodes[first + nth]!))
  )
}

/** How a page is read, or a part of it, which has no title. */
const readingOf = ({ resolve }: Options, title?: string): DocumentOptions => ({
  ...(resolve === undefined ? {} : { resolve }),
  ...(title === undefined ? {} : { title }),
})

/** Writes what is new. A note that changed keeps its name, where nothing needs what it said before. */
function writeSteps({ steps }: Steps, before: Previous, document: JSONDocument, { write }: Options): Written {
  const kept = new Set<string>()
  for (const step of steps)
    if (step.type === 'kept') for (const note of before.pieces[step.piece]!.refersTo) kept.add(note)
  const render = (notes: readonly KnownNote[], spareNames: readonly KnownNote[]): Written => {
    const { bullet, definesLinks: hasLabels, notes: takenNames } = before
    const means = { write, blocks: renderBlocks, bullet, hasLabels, notes, spareNames, takenNames }
    const rendering = new Rendering(means)
    const used = new Set(kept)
    const parts = steps.map((step: Step) => {
      rendering.used = new Set()
      const nodes = step.type === 'kept' ? [] : step.nodes.map(index => document.nodes[index]!)
      const lines = renderBlocks(nodes, rendering)
      for (const note of rendering.used) used.add(note.identifier)
      return { lines, uses: rendering.used }
    })
    return { parts, added: rendering.added, used }
  }
  const first = render(before.notes, [])
  const isUsed = (note: KnownNote) => first.used.has(note.identifier)
  const spare = before.notes.filter(note => !isUsed(note))
  if (spare.length === 0 || first.added.length === 0) return first
  return render(before.notes.filter(isUsed), spare)
}

/** Whether a text is read as the blocks that it was made of. */
function isRead(
  text: string,
  { pieces, nodes, lineEnd }: Previous,
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
    const { lines, uses } = parts[index]!
    // Below another block, because frontmatter is read at the beginning of a page alone.
    const part = ['x', '', ...lines, '', ...definitionsOf(uses)].join(lineEnd)
    const read = toDocument(part, readingOf(options)).document.nodes.slice(1)
    for (const node of read) expected.push(contentOf(node))
  }
  for (const node of document.nodes.slice(unusedFrom)) expected.push(contentOf(node))
  const read = toDocument(text, readingOf(options, options.title)).document.nodes
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
