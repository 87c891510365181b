// What differs between two versions of one document, told by blocks. Where blocks begin and end is for the function
// that is passed in; this module knows no Markdown.
import { assert } from '../../base/assert.ts'
import {
  type Block,
  type BlockChange,
  Pairs,
  type Piece,
  range,
  type Stretch,
  whole,
  withoutMargins,
} from './block-pairs.ts'
import { type Budget as Cells, type Match, matchSequences, newBudget } from './sequences.ts'
import { ALIKE_MIN } from './similarity.ts'

export type { Block, BlockChange } from './block-pairs.ts'

/** The pieces of a document, in order and without gaps: joined they are the document. */
export type SplitBlocks = (markdown: string) => readonly Block[]

const MOVED_AND_MODIFIED_SIMILARITY_MIN = 0.6
// Comparing two blocks costs microseconds; where a document has more candidates, blocks are paired by position.
const COMPARISONS_MAX = 20_000
const STRETCH_COMPARISONS_MAX = 4_000
// No document that people write has so many blocks; those that do are told by what they begin and end with.
const BLOCKS_MAX = 200_000

/** What one answer may cost altogether. */
export type Budget = Cells & { comparisons: number }
export const newDiffBudget = (): Budget => ({ ...newBudget(), comparisons: COMPARISONS_MAX })

/**
 * In the order of `after`, a removed block where it stood: the texts of `after` joined are that document, and every
 * block of either side occurs once.
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
  // Gaps are alike everywhere, so they are no landmarks: they are paired last, between the blocks that they part.
  pairAlong(pairs, whole(a, b), budget, ({ bare }) => bare !== '')
  const stretches = pairs.stretches()
  pairMoved(pairs)
  for (const stretch of stretches) pairModified(pairs, stretch, budget)
  pairMovedAndModified(pairs, budget)
  for (const stretch of pairs.stretches()) pairAlong(pairs, stretch, budget, ({ bare }) => bare === '')
  return pairs.toChanges()
}

function piecesOf(markdown: string, blocks: SplitBlocks): Piece[] {
  let end = 0
  const pieces = blocks(markdown).map(block => {
    assert(block.start === end && block.end >= end, 'blocks follow each other without gaps')
    end = block.end
    const text = markdown.slice(block.start, block.end)
    return { block, text, bare: withoutMargins(text), words: undefined }
  })
  assert(end === markdown.length, 'blocks reach to the end of their document')
  return pieces
}

/** Pairs the pieces of one sort that are alike and in order. */
function pairAlong(
  pairs: Pairs,
  stretch: Stretch,
  budget: Budget,
  isOfSort: (piece: Piece) => boolean,
): void {
  const a = range(...stretch.a).filter(i => isOfSort(pairs.a[i] as Piece))
  const b = range(...stretch.b).filter(j => isOfSort(pairs.b[j] as Piece))
  const matches = matchSequences(
    a.map(i => textOf(pairs.a[i] as Piece)),
    b.map(j => textOf(pairs.b[j] as Piece)),
    budget,
  )
  for (const [i, j] of matches) pairs.add(a[i] as number, b[j] as number, 'equal')
}

/** Pairs what both documents begin and end with. */
function pairEnds(pairs: Pairs): void {
  const { a, b } = pairs
  const isSame = (i: number, j: number): boolean => textOf(a[i] as Piece) === textOf(b[j] as Piece)
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && isSame(start, start)) {
    pairs.add(start, start, 'equal')
    start++
  }
  for (let left = 1; left <= shorter - start && isSame(a.length - left, b.length - left); left++) {
    pairs.add(a.length - left, b.length - left, 'equal')
  }
}

const textOf = ({ text, bare }: Piece): string => (bare === '' ? text : bare)

/** Pairs blocks of equal text that stand elsewhere. */
function pairMoved(pairs: Pairs): void {
  const free = pairs.free(whole(pairs.a, pairs.b))
  const places = new Map<string, number[]>()
  for (const i of free.a.reverse()) {
    const { bare } = pairs.a[i] as Piece
    const known = places.get(bare)
    if (known === undefined) places.set(bare, [i])
    else known.push(i)
  }
  for (const j of free.b) {
    const i = places.get((pairs.b[j] as Piece).bare)?.pop()
    if (i !== undefined) pairs.add(i, j, 'moved')
  }
}

/** Within a stretch: the pairs, in order on both sides, that are most alike altogether. */
function pairModified(pairs: Pairs, stretch: Stretch, budget: Budget): void {
  const { a, b } = pairs.free(stretch)
  const comparisons = a.length * b.length
  const found =
    comparisons <= Math.min(STRETCH_COMPARISONS_MAX, budget.comparisons)
      ? alignBySimilarity(a, b, pairs)
      : pairByPosition(a, b, pairs, budget)
  budget.comparisons -= Math.min(comparisons, STRETCH_COMPARISONS_MAX, budget.comparisons)
  for (const [i, j] of found) pairs.add(i, j, 'modified')
}

function pairByPosition(a: readonly number[], b: readonly number[], pairs: Pairs, budget: Budget): Match[] {
  const length = Math.min(a.length, b.length, budget.comparisons)
  return range(0, length)
    .map(k => [a[k] as number, b[k] as number] as const)
    .filter(([i, j]) => pairs.score(i, j) >= ALIKE_MIN)
}

function alignBySimilarity(a: readonly number[], b: readonly number[], pairs: Pairs): Match[] {
  const width = b.length + 1
  // best[i * width + j]: the highest sum of scores among the blocks from i and from j on.
  const best = new Float64Array((a.length + 1) * width)
  const scores = new Float64Array(a.length * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const score = pairs.score(a[i] as number, b[j] as number)
      const paired = score < ALIKE_MIN ? 0 : score + (best[(i + 1) * width + j + 1] as number)
      scores[i * width + j] = score
      best[i * width + j] = Math.max(
        paired,
        best[(i + 1) * width + j] as number,
        best[i * width + j + 1] as number,
      )
    }
  }
  const found: Match[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const sum = best[i * width + j] as number
    if (sum === best[(i + 1) * width + j]) i++
    else if (sum === best[i * width + j + 1]) j++
    else found.push([a[i++] as number, b[j++] as number])
  }
  return found
}

/** What is left, wherever it stands: the most alike first. */
function pairMovedAndModified(pairs: Pairs, budget: Budget): void {
  const { a, b } = pairs.free(whole(pairs.a, pairs.b))
  if (a.length * b.length > budget.comparisons) return
  const candidates = a.flatMap(i => b.map(j => ({ i, j, score: pairs.score(i, j) })))
  const alike = candidates.filter(({ score }) => score >= MOVED_AND_MODIFIED_SIMILARITY_MIN)
  alike.sort((x, y) => y.score - x.score || x.i - y.i || x.j - y.j)
  const used = { a: new Set<number>(), b: new Set<number>() }
  for (const { i, j } of alike) {
    if (used.a.has(i) || used.b.has(j)) continue
    used.a.add(i)
    used.b.add(j)
    pairs.add(i, j, 'moved and modified')
  }
}
