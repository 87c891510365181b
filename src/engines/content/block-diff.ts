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
import { findParents, SectionNumbers } from './sections.ts'
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
  numberSections(a, b)
  const pairs = new Pairs(a, b)
  if (a.length + b.length > BLOCKS_MAX) {
    pairEnds(pairs)
    return pairs.toChanges()
  }
  pairEqual(pairs, budget)
  for (const stretch of pairs.stretches()) pairModified(pairs, stretch, budget)
  pairMovedAndModified(pairs, budget)
  // Gaps all look alike, so they are paired last, between the blocks that they separate.
  for (const stretch of pairs.stretches()) pairAlong(pairs, stretch, budget, GAPS)
  return pairs.toChanges()
}

function piecesOf(markdown: string, blocks: SplitBlocks): ComparedBlock[] {
  let end = 0
  const pieces = blocks(markdown).map((block, at) => {
    assert(block.start === end && block.end >= end, 'blocks follow each other without gaps')
    end = block.end
    const text = markdown.slice(block.start, block.end)
    return { at, block, text, bare: withoutMargins(text), section: 0, heading: 0, words: undefined }
  })
  assert(end === markdown.length, 'blocks reach to the end of their document')
  return pieces
}

function numberSections(...documents: readonly ComparedBlock[][]): void {
  const numbers = new SectionNumbers()
  for (const document of documents) {
    const outline = document.map(({ bare, block }) => ({ bare, level: block.level }))
    const sections = numbers.of(outline)
    const parents = findParents(outline.map(({ level }) => level))
    for (const [at, piece] of document.entries()) {
      const parent = document[parents[at] ?? -1]
      piece.section = sections[at] ?? 0
      piece.heading = parent === undefined ? 0 : numbers.below(-1, parent.bare)
    }
  }
}

/** The pieces to pair, and the text by which they are compared; undefined for other pieces. */
type KeyOf = (piece: ComparedBlock) => string | undefined

const GAPS: KeyOf = ({ bare, text }) => (bare === '' ? text : undefined)
const TEXT: KeyOf = ({ bare }) => (bare === '' ? undefined : bare)
const IN_SECTION: KeyOf = ({ bare, section }) => (bare === '' ? undefined : `${section} ${bare}`)
const BELOW_HEADING: KeyOf = ({ bare, heading }) => (bare === '' ? undefined : `${heading} ${bare}`)

/**
 * Pairs blocks of equal text. Headings and paragraphs may occur many times, so those of the same section come first,
 * then those below the same heading. Elsewhere a block is the same only if its text occurs once, or beside such a block.
 */
function pairEqual(pairs: Pairs, budget: Budget): void {
  const { a, b } = pairs
  const isSectioned = [...a, ...b].some(({ section }) => section !== 0)
  pairAlong(pairs, whole(a, b), budget, isSectioned ? IN_SECTION : TEXT)
  pairMoved(pairs, isSectioned ? IN_SECTION : TEXT)
  if (!isSectioned) return
  for (const keyOf of [BELOW_HEADING, TEXT])
    for (const stretch of pairs.stretches()) pairAlong(pairs, stretch, budget, keyOf)
  pairMovedElsewhere(pairs)
}

/** Pairs equal pieces that are in order. */
function pairAlong(pairs: Pairs, stretch: Stretch, budget: Budget, keyOf: KeyOf): void {
  const a = pairs.unpaired(stretch, keyOf, 'a')
  const b = pairs.unpaired(stretch, keyOf, 'b')
  for (const [i, j] of matchSequences(a.keys, b.keys, budget)) {
    const [before, after] = [a.pieces[i], b.pieces[j]]
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
function pairMoved(pairs: Pairs, keyOf: KeyOf): void {
  const free = pairs.free(whole(pairs.a, pairs.b))
  const byKey = new Map<string | undefined, ComparedBlock[]>()
  for (const piece of free.a.reverse()) {
    const key = keyOf(piece)
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, [piece])
    else known.push(piece)
  }
  for (const after of free.b) {
    const before = byKey.get(keyOf(after))?.pop()
    if (before !== undefined) pairs.add(before, after, 'moved')
  }
}

/** Pairs blocks in different sections if their text occurs once in both documents, and equal blocks beside them. */
function pairMovedElsewhere(pairs: Pairs): void {
  const [inA, inB] = [onlyOnce(pairs.a), onlyOnce(pairs.b)]
  const { b } = pairs.free(whole(pairs.a, pairs.b))
  for (const after of b) {
    const before = inB.get(after.bare) === after ? inA.get(after.bare) : undefined
    if (before === undefined || !pairs.isFree(before, after)) continue
    pairs.add(before, after, 'moved')
    for (const step of [-1, 1] as const) pairBeside(pairs, before, after, step)
  }
}

function pairBeside(pairs: Pairs, before: ComparedBlock, after: ComparedBlock, step: 1 | -1): void {
  let [one, other] = [pairs.beside('a', before, step), pairs.beside('b', after, step)]
  while (one !== undefined && other !== undefined && one.bare === other.bare && pairs.isFree(one, other)) {
    pairs.add(one, other, 'moved')
    one = pairs.beside('a', one, step)
    other = pairs.beside('b', other, step)
  }
}

function onlyOnce(pieces: readonly ComparedBlock[]): Map<string, ComparedBlock | undefined> {
  const byText = new Map<string, ComparedBlock | undefined>()
  for (const piece of pieces) byText.set(piece.bare, byText.has(piece.bare) ? undefined : piece)
  return byText
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
  pairWithSections(pairs, found, 'modified')
}

/** Adds pairs of unequal blocks. Two headings are one only if something of their sections is, or both are empty. */
function pairWithSections(
  pairs: Pairs,
  found: readonly Pair[],
  kind: 'modified' | 'moved and modified',
): void {
  const isHeading = ([before, after]: Pair): boolean =>
    before.block.level !== undefined && after.block.level !== undefined
  for (const pair of found) if (!isHeading(pair)) pairs.add(...pair, kind)
  for (const pair of found.filter(isHeading).reverse())
    if (pairs.hasCommonSection(...pair)) pairs.add(...pair, kind)
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
  const found = alike.flatMap(({ before, after }): Pair[] => {
    if (used.has(before) || used.has(after)) return []
    used.add(before).add(after)
    return [[before, after]]
  })
  pairWithSections(pairs, found, 'moved and modified')
}
