// What differs between two versions of one document, told by blocks. Where blocks begin and end is for the function
// that is passed in; this room knows no Markdown.
import { assert } from '../../base/assert.ts'
import { type Match, matchSequences } from './sequences.ts'
import { similarity, type Words, wordsOf } from './similarity.ts'

/** A piece of a document: UTF-16 offsets into it, `end` exclusive. */
export type Block = {
  readonly key: string
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The pieces of a document, in order and without gaps: joined they are the document. */
export type SplitBlocks = (markdown: string) => readonly Block[]

/**
 * One step of the way from one document to the other. `moved` has the same text elsewhere. `modified` is the block that
 * became another one; `isMoved` when it also stands elsewhere.
 */
export type BlockChange =
  | { readonly kind: 'equal'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'moved'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'modified'; readonly before: Block; readonly after: Block; readonly isMoved: boolean }
  | { readonly kind: 'inserted'; readonly after: Block }
  | { readonly kind: 'removed'; readonly before: Block }

// Blocks that share less are told as one removed and one inserted.
const MODIFIED_SIMILARITY_MIN = 0.4
const MOVED_AND_MODIFIED_SIMILARITY_MIN = 0.6
const SAME_TYPE_BONUS = 0.05
// Comparing two blocks costs microseconds; where a document has more candidates, blocks are paired by position.
const COMPARISONS_MAX = 20_000
const HUNK_COMPARISONS_MAX = 4_000

type Piece = { readonly block: Block; readonly text: string; words: Words | undefined }

/**
 * In the order of `after`, a removed block where it stood: the texts of `after` joined are that document, and every
 * block of either side occurs once.
 */
export function diffDocuments(before: string, after: string, blocks: SplitBlocks): BlockChange[] {
  const a = piecesOf(before, blocks)
  const b = piecesOf(after, blocks)
  const equal = matchSequences(
    a.map(({ text }) => text),
    b.map(({ text }) => text),
  )
  const pairs = new Pairs(a, b)
  for (const [i, j] of equal) pairs.add(i, j, 'equal')
  pairMoved(a, b, pairs)
  const budget = { comparisons: COMPARISONS_MAX }
  for (const hunk of hunksOf(equal, a.length, b.length)) pairModified(hunk, pairs, budget)
  pairMovedAndModified(pairs, budget)
  return pairs.toChanges()
}

function piecesOf(markdown: string, blocks: SplitBlocks): Piece[] {
  let end = 0
  const pieces = blocks(markdown).map(block => {
    assert(block.start === end && block.end >= end, 'blocks follow each other without gaps')
    end = block.end
    return { block, text: markdown.slice(block.start, block.end), words: undefined }
  })
  assert(end === markdown.length, 'blocks reach to the end of their document')
  return pieces
}

type PairKind = 'equal' | 'moved' | 'modified' | 'moved and modified'

/** Which block became which. What keeps its order is the thread along which the changes are told. */
class Pairs {
  readonly a: readonly Piece[]
  readonly b: readonly Piece[]
  readonly #ofA: (number | undefined)[]
  readonly #ofB: (number | undefined)[]
  readonly #kinds = new Map<number, PairKind>()

  constructor(a: readonly Piece[], b: readonly Piece[]) {
    this.a = a
    this.b = b
    this.#ofA = new Array(a.length).fill(undefined)
    this.#ofB = new Array(b.length).fill(undefined)
  }

  add(i: number, j: number, kind: PairKind): void {
    this.#ofA[i] = j
    this.#ofB[j] = i
    this.#kinds.set(j, kind)
  }

  freeOfA(start = 0, end = this.a.length): number[] {
    return range(start, end).filter(i => this.#ofA[i] === undefined)
  }

  freeOfB(start = 0, end = this.b.length): number[] {
    return range(start, end).filter(j => this.#ofB[j] === undefined)
  }

  score(i: number, j: number): number {
    const a = this.a[i] as Piece
    const b = this.b[j] as Piece
    a.words ??= wordsOf(a.text)
    b.words ??= wordsOf(b.text)
    const score = similarity(a.words, b.words)
    return score > 0 && a.block.type === b.block.type ? score + SAME_TYPE_BONUS : score
  }

  toChanges(): BlockChange[] {
    const changes: BlockChange[] = []
    let i = 0
    const tellRemoved = (end: number): void => {
      for (; i < end; i++)
        if (this.#ofA[i] === undefined) changes.push({ kind: 'removed', before: (this.a[i] as Piece).block })
    }
    this.b.forEach(({ block: after }, j) => {
      const partner = this.#ofB[j]
      const kind = this.#kinds.get(j)
      if (partner === undefined || kind === undefined) {
        changes.push({ kind: 'inserted', after })
        return
      }
      const before = (this.a[partner] as Piece).block
      if (kind === 'equal' || kind === 'modified') tellRemoved(partner)
      if (kind === 'equal' || kind === 'moved') changes.push({ kind, before, after })
      else changes.push({ kind: 'modified', before, after, isMoved: kind === 'moved and modified' })
    })
    tellRemoved(this.a.length)
    return changes
  }
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, i) => start + i)

type Hunk = { readonly a: readonly [number, number]; readonly b: readonly [number, number] }

/** The stretches between blocks that stayed. */
function hunksOf(equal: readonly Match[], lengthA: number, lengthB: number): Hunk[] {
  const hunks: Hunk[] = []
  let i = 0
  let j = 0
  for (const [endA, endB] of [...equal, [lengthA, lengthB] as const]) {
    if (endA > i && endB > j) hunks.push({ a: [i, endA], b: [j, endB] })
    i = endA + 1
    j = endB + 1
  }
  return hunks
}

/** Pairs blocks of equal text that stand elsewhere; empty lines and the like do not move. */
function pairMoved(a: readonly Piece[], b: readonly Piece[], pairs: Pairs): void {
  const places = new Map<string, number[]>()
  for (const i of pairs.freeOfA().reverse()) {
    const { text } = a[i] as Piece
    const known = places.get(text)
    if (known === undefined) places.set(text, [i])
    else known.push(i)
  }
  for (const j of pairs.freeOfB()) {
    const { text } = b[j] as Piece
    const i = text.trim() === '' ? undefined : places.get(text)?.pop()
    if (i !== undefined) pairs.add(i, j, 'moved')
  }
}

type Budget = { comparisons: number }

/** Within a hunk: the pairs, in order on both sides, that are most alike altogether. */
function pairModified(hunk: Hunk, pairs: Pairs, budget: Budget): void {
  const a = pairs.freeOfA(...hunk.a)
  const b = pairs.freeOfB(...hunk.b)
  const comparisons = a.length * b.length
  const found =
    comparisons <= Math.min(HUNK_COMPARISONS_MAX, budget.comparisons)
      ? alignBySimilarity(a, b, pairs)
      : pairByPosition(a, b, pairs, budget)
  budget.comparisons -= Math.min(comparisons, HUNK_COMPARISONS_MAX, budget.comparisons)
  for (const [i, j] of found) pairs.add(i, j, 'modified')
}

function pairByPosition(a: readonly number[], b: readonly number[], pairs: Pairs, budget: Budget): Match[] {
  const length = Math.min(a.length, b.length, budget.comparisons)
  return range(0, length)
    .map(k => [a[k] as number, b[k] as number] as const)
    .filter(([i, j]) => pairs.score(i, j) >= MODIFIED_SIMILARITY_MIN)
}

function alignBySimilarity(a: readonly number[], b: readonly number[], pairs: Pairs): Match[] {
  const width = b.length + 1
  // best[i * width + j]: the highest sum of scores among the blocks from i and from j on.
  const best = new Float64Array((a.length + 1) * width)
  const scores = new Float64Array(a.length * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const score = pairs.score(a[i] as number, b[j] as number)
      const paired = score < MODIFIED_SIMILARITY_MIN ? 0 : score + (best[(i + 1) * width + j + 1] as number)
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
  const a = pairs.freeOfA()
  const b = pairs.freeOfB()
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
