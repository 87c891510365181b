// Three-way merge of two versions of a document: over its blocks, which have an identity (what became which is for
// block-diff.ts to say), then over the lines of a block that both changed. So a section that one side moved takes along
// what the other changed in it, and paragraphs beside each other do not meet.

import type { SplitBlocks } from './block-diff.ts'
import type { Block } from './block-pairs.ts'
import { FRONTMATTER, type Piece, Pieces } from './document-pieces.ts'
import { type Budget, inHalves, newDocumentBudget } from './merge-budget.ts'
import { type Merged, mergeLists } from './merge-lists.ts'
import { type MergedLines, mergeLines, splitLines } from './merge-text.ts'
import type { Budget as Cells } from './sequences.ts'

/** Three versions of one document. */
export type Versions = { readonly base: string; readonly ours: string; readonly theirs: string }

export type BlockConflict = {
  /** The key of the block in the base; of frontmatter that both sides brought, the smaller of its keys. */
  readonly block: string
  /** Its texts without the blank lines around it; null where it does not stand. */
  readonly base: string | null
  readonly ours: string | null
  readonly theirs: string | null
}

/** The text of the block that shall stand, null for none; undefined leaves ours there, and the conflict stands. */
export type SettleBlock = (conflict: BlockConflict) => string | null | undefined

/**
 * The merged document. What both added at one place stands there both, in an order that does not depend on the side,
 * and once where it is the same. Blocks keep the bytes between them; where two come together that stood apart on every
 * side, a blank line parts them.
 */
export function mergeDocuments(
  versions: Versions,
  split: SplitBlocks,
  settle: SettleBlock,
  budget: Budget = newDocumentBudget(),
): string {
  // Changes that a line parts which both kept say the same by lines as by blocks, and nothing has to be parsed for it.
  // Not so lines that both took away: one of the two may have put them elsewhere, and then they are a block that moved.
  const parts = mergeParts(versions, budget)
  if (parts.every(({ kind }) => kind === 'merged')) return textOfParts(parts) as string
  const blocks = splitOnce(split)
  const base = new Pieces('b', versions.base, blocks)
  const [ours, theirs] = inHalves(budget, (half, other) => [
    Pieces.of('o', versions.ours, base, blocks, half),
    Pieces.of('t', versions.theirs, base, blocks, other),
  ])
  const texts = new Map<string, string>()
  const isNewOnBoth = !base.has(FRONTMATTER) && ours.has(FRONTMATTER) && theirs.has(FRONTMATTER)
  for (const id of isNewOnBoth ? [FRONTMATTER, ...base.ids] : base.ids) {
    const text = mergeBlock(base, ours, theirs, id, settle, budget)
    if (text !== null) texts.set(id, text)
  }
  const rankOf = (id: string): string => {
    const piece = (ours.piece(id) ?? theirs.piece(id) ?? base.piece(id)) as Piece
    // Frontmatter is none unless it comes first.
    return (id === FRONTMATTER ? '0' : '1') + (texts.get(id) ?? piece.bare)
  }
  const order = mergeLists({
    base: base.ids,
    ours: ours.ids,
    theirs: theirs.ids,
    isKept: id => texts.has(id) || (!base.has(id) && !(id === FRONTMATTER && isNewOnBoth)),
    rankOf,
    budget,
  })
  return join(order, texts, { base, ours, theirs }, endOfLine(versions))
}

/** The blocks of each text, asked for once. */
function splitOnce(split: SplitBlocks): SplitBlocks {
  const known = new Map<string, readonly Block[]>()
  return text => {
    const found = known.get(text) ?? split(text)
    known.set(text, found)
    return found
  }
}

/** The text of a block, without the white space around it; null for one that goes. */
function mergeBlock(
  base: Pieces,
  ours: Pieces,
  theirs: Pieces,
  id: string,
  settle: SettleBlock,
  budget: Budget,
): string | null {
  const b = base.piece(id)?.bare ?? null
  const o = ours.piece(id)?.bare ?? null
  const t = theirs.piece(id)?.bare ?? null
  if (o === t || t === b) return o
  if (o === b) return t
  const isEverywhere = b !== null && o !== null && t !== null
  const lines = isEverywhere ? mergeTexts({ base: b, ours: o, theirs: t }, budget) : undefined
  if (lines !== undefined) return lines
  const block = base.keyOf(id) ?? ([ours.keyOf(id), theirs.keyOf(id)].sort()[0] as string)
  const settled = settle({ block, base: b, ours: o, theirs: t })
  return settled === undefined ? o : settled === '' ? null : settled
}

/** The merged lines, or undefined when both changed lines that meet. */
export const mergeTexts = (versions: Versions, budget?: Cells): string | undefined =>
  textOfParts(mergeParts(versions, budget))

const mergeParts = ({ base, ours, theirs }: Versions, budget?: Cells): MergedLines[] =>
  mergeLines(splitLines(base), splitLines(ours), splitLines(theirs), budget)

function textOfParts(parts: readonly MergedLines[]): string | undefined {
  const lines = parts.map(part => (part.kind === 'conflict' ? undefined : part.lines.join('')))
  return lines.includes(undefined) ? undefined : lines.join('')
}

type Sources = { readonly base: Pieces; readonly ours: Pieces; readonly theirs: Pieces }

function join(
  order: readonly Merged[],
  texts: ReadonlyMap<string, string>,
  sources: Sources,
  end: string,
): string {
  const parts: string[] = []
  for (const [i, { id, twin = id }] of order.entries()) {
    const margins = marginsOf(sources, id, twin)
    const bare = texts.get(id) ?? ((sources.ours.piece(id) ?? sources.theirs.piece(id)) as Piece).bare
    const next = order[i + 1]
    if (next === undefined) {
      parts.push(margins.before, bare, endOf(sources))
      break
    }
    parts.push(margins.before, bare, margins.after)
    if (isParted(sources, { id, twin }, next, margins.after)) continue
    const gap = margins.after + marginsOf(sources, next.id, next.twin ?? next.id).before
    parts.push(end.repeat(Math.max(0, 2 - countLineEnds(gap))))
  }
  return parts.join('')
}

/** Whether the two stand behind each other on a side that parts them by the same white space. */
function isParted(
  { base, ours, theirs }: Sources,
  { id, twin = id }: Merged,
  { id: next, twin: nextTwin = next }: Merged,
  after: string,
): boolean {
  return [base, ours, theirs].some(pieces =>
    [id, twin].some(
      one =>
        pieces.piece(one)?.after === after &&
        [next, nextTwin].some(follower => pieces.nextOf(one) === follower),
    ),
  )
}

function marginsOf({ base, ours, theirs }: Sources, id: string, twin: string) {
  const b = base.piece(id)
  const o = ours.piece(id) ?? ours.piece(twin)
  const t = theirs.piece(twin) ?? theirs.piece(id)
  return {
    before: mergeMargin(b?.before, o?.before, t?.before),
    after: mergeMargin(b?.after, o?.after, t?.after),
  }
}

/** How the document ends, whatever stands last in it now: what parted a block from the next is no end. */
const endOf = ({ base, ours, theirs }: Sources): string =>
  mergeMargin(base.lastMargin, ours.lastMargin, theirs.lastMargin)

/** White space never conflicts: of two changes the longer one stands. */
function mergeMargin(base: string | undefined, ours: string | undefined, theirs: string | undefined): string {
  if (ours === undefined || theirs === undefined) return ours ?? theirs ?? base ?? ''
  if (ours === theirs || theirs === base) return ours
  if (ours === base) return theirs
  if (ours.length !== theirs.length) return ours.length > theirs.length ? ours : theirs
  return ours > theirs ? ours : theirs
}

function countLineEnds(text: string): number {
  let count = 0
  for (const sign of text) if (sign === '\n') count++
  return count
}

const endOfLine = (versions: Versions): string =>
  Object.values(versions).every(text => text === '' || text.includes('\r\n')) ? '\r\n' : '\n'
