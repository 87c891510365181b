// The difference between two versions of a document, block by block. The caller passes the function that splits a
// document into blocks; this module does not depend on Markdown.
import { assert } from '../../base/assert.ts'
import { float64At } from '../../base/typed-arrays.ts'
import {
  type Block,
  type BlockChange,
  type ComparedBlock,
  Pairs,
  type Stretch,
  whole,
  withoutMargins,
} from './block-pairs.ts'
import { type Budget as Cells, matchSequences, newBudget } from './sequences.ts'
import { ALIKE_MIN } from './similarity.ts'

export type { Block, BlockChange } from './block-pairs.ts'

/** Splits a document into pieces, in order and without gaps: joined, they are the document. */
export type SplitBlocks = (markdown: string) => readonly Block[]

const MOVED_AND_MODIFIED_SIMILARITY_MIN = 0.6
// Comparing two blocks takes microseconds. With more candidates, blocks are paired by position.
const COMPARISONS_MAX = 20_000
const STRETCH_COMPARISONS_MAX = 4_000
// More blocks than people write in a document. Above it, only the common beginning and end are paired.
const BLOCKS_MAX = 200_000

/** The cost limit of one comparison. */
export type Budget = Cells & { comparisons: number }
export const newDiffBudget = (): Budget => ({ ...newBudget(), comparisons: COMPARISONS_MAX })

/**
 * The changes in the order of `after`, with each removed block where it was. Every block of either side occurs once, so
 * the texts of `after` joined are that document.
 */
export function diffDocuments(
  before: string,
  after: string,
  blocks: SplitBlocks,
  budget: Budget = newDiffBudget(),
): BlockChange[] {
  const a = piecesOf(before, blocks)
  const b = piecesOf(after, blocks)
  const pairs = new Pairs(a, b)
  if (a.length + b.length > BLOCKS_MAX) {
    pairEnds(pairs)
    return pairs.toChanges()
  }
  // Gaps all look alike, so they are paired last, between the blocks that they separate.
  pairAlong(pairs, whole(a, b), budget, ({ bare }) => bare !== '')
  const stretches = pairs.stretches()
  pairMoved(pairs)
  for (const stretch of stretches) pairModified(pairs, stretch, budget)
  pairMovedAndModified(pairs, budget)
  for (const stretch of pairs.stretches()) pairAlong(pairs, stretch, budget, ({ bare }) => bare === '')
  return pairs.toChanges()
}

function piecesOf(markdown: string, blocks: SplitBlocks): ComparedBlock[] {
  let end = 0
  const pieces = blocks(markdown).map((block, at) => {
    assert(block.start === end && block.end >= end, 'blocks follow each other without gaps')
    end = block.end
    const text = markdown.slice(block.start, block.end)
    return { at, block, text, bare: withoutMargins(text), words: undefined }
  })
  assert(end === markdown.length, 'blocks reach to the end of their document')
  return pieces
}

/** Pairs equal pieces that are in order, among those that `isOfSort` selects. */
function pairAlong(
  pairs: Pairs,
  stretch: Stretch,
  budget: Budget,
  isOfSort: (piece: ComparedBlock) => boolean,
): void {
  const a = pairs.a.slice(...stretch.a).filter(isOfSort)
  const b = pairs.b.slice(...stretch.b).filter(isOfSort)
  for (const [i, j] of matchSequences(a.map(textOf), b.map(textOf), budget)) {
    const [before, after] = [a[i], b[j]]
    if (before !== undefined && after !== undefined) pairs.add(before, after, 'equal')
  }
}

/** Pairs the common beginning and end of both documents. */
function pairEnds(pairs: Pairs): void {
  const { a, b } = pairs
  const start = pairWhileEqual(pairs, a, b)
  pairWhileEqual(pairs, a.slice(start).reverse(), b.slice(start).reverse())
}

/** Returns how many pieces were paired. */
function pairWhileEqual(pairs: Pairs, a: readonly ComparedBlock[], b: readonly ComparedBlock[]): number {
  for (const [at, before] of a.entries()) {
    const after = b[at]
    if (after === undefined || textOf(before) !== textOf(after)) return at
    pairs.add(before, after, 'equal')
  }
  return a.length
}

const textOf = ({ text, bare }: ComparedBlock): string => (bare === '' ? text : bare)

/** Pairs blocks of equal text in different places. */
function pairMoved(pairs: Pairs): void {
  const free = pairs.free(whole(pairs.a, pairs.b))
  const byText = new Map<string, ComparedBlock[]>()
  for (const piece of free.a.reverse()) {
    const known = byText.get(piece.bare)
    if (known === undefined) byText.set(piece.bare, [piece])
    else known.push(piece)
  }
  for (const after of free.b) {
    const before = byText.get(after.bare)?.pop()
    if (before !== undefined) pairs.add(before, after, 'moved')
  }
}

type Pair = readonly [before: ComparedBlock, after: ComparedBlock]

/** Pairs blocks within a stretch, in order, for the greatest total similarity. */
function pairModified(pairs: Pairs, stretch: Stretch, budget: Budget): void {
  const { a, b } = pairs.free(stretch)
  const comparisons = a.length * b.length
  const found =
    comparisons <= Math.min(STRETCH_COMPARISONS_MAX, budget.comparisons)
      ? alignBySimilarity(a, b, pairs)
      : pairByPosition(a, b, pairs, budget)
  budget.comparisons -= Math.min(comparisons, STRETCH_COMPARISONS_MAX, budget.comparisons)
  for (const [before, after] of found) pairs.add(before, after, 'modified')
}

const pairByPosition = (
  a: readonly ComparedBlock[],
  b: readonly ComparedBlock[],
  pairs: Pairs,
  budget: Budget,
): Pair[] =>
  a.slice(0, budget.comparisons).flatMap((before, k): Pair[] => {
    const after = b[k]
    return after !== undefined && pairs.score(before, after) >= ALIKE_MIN ? [[before, after]] : []
  })

function alignBySimilarity(a: readonly ComparedBlock[], b: readonly ComparedBlock[], pairs: Pairs): Pair[] {
  const width = b.length + 1
  // best[i * width + j]: the highest sum of scores for the blocks from i and j onwards.
  const best = new Float64Array((a.length + 1) * width)
  const bestAt = (i: number, j: number): number => float64At(best, i * width + j)
  const backwards = [...b.entries()].reverse()
  for (const [i, before] of [...a.entries()].reverse()) {
    for (const [j, after] of backwards) {
      const score = pairs.score(before, after)
      const paired = score < ALIKE_MIN ? 0 : score + bestAt(i + 1, j + 1)
      best[i * width + j] = Math.max(paired, bestAt(i + 1, j), bestAt(i, j + 1))
    }
  }
  const found: Pair[] = []
  let j = 0
  for (const [i, before] of a.entries()) {
    while (j < b.length && bestAt(i, j) !== bestAt(i + 1, j) && bestAt(i, j) === bestAt(i, j + 1)) j++
    const after = b[j]
    if (after === undefined) break
    if (bestAt(i, j) === bestAt(i + 1, j)) continue
    found.push([before, after])
    j++
  }
  return found
}

/** Pairs the remaining blocks anywhere, the most similar first. */
function pairMovedAndModified(pairs: Pairs, budget: Budget): void {
  const { a, b } = pairs.free(whole(pairs.a, pairs.b))
  if (a.length * b.length > budget.comparisons) return
  const candidates = a.flatMap(before =>
    b.map(after => ({ before, after, score: pairs.score(before, after) })),
  )
  const alike = candidates.filter(({ score }) => score >= MOVED_AND_MODIFIED_SIMILARITY_MIN)
  alike.sort((x, y) => y.score - x.score || x.before.at - y.before.at || x.after.at - y.after.at)
  const used = new Set<ComparedBlock>()
  for (const { before, after } of alike) {
    if (used.has(before) || used.has(after)) continue
    used.add(before).add(after)
    pairs.add(before, after, 'moved and modified')
  }
}
