// What differs between two versions of one document, told by blocks. Where blocks begin and end is for the function
// that is passed in; this room knows no Markdown.
import { assert } from '../../base/assert.ts'
import { type Budget as Cells, type Match, matchSequences, newBudget } from './sequences.ts'
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
 * One step of the way from one document to the other. `equal` has the same text, `moved` has it elsewhere; blank lines
 * before a block and white space after it are no difference, as they are none to its key. `modified` is the block that became another one; `isMoved` when it also stands elsewhere.
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
const STRETCH_COMPARISONS_MAX = 4_000
// No document that people write has so many blocks; those that do are told by what they begin and end with.
const BLOCKS_MAX = 200_000

/** What one answer may cost altogether. */
type Budget = Cells & { comparisons: number }

type Piece = {
  readonly block: Block
  readonly text: string
  /** The text without blank lines before it and white space after it; empty for gaps. */
  readonly bare: string
  words: Words | undefined
}

/**
 * In the order of `after`, a removed block where it stood: the texts of `after` joined are that document, and every
 * block of either side occurs once.
 */
export function diffDocuments(before: string, after: string, blocks: SplitBlocks): BlockChange[] {
  const a = piecesOf(before, blocks)
  const b = piecesOf(after, blocks)
  const pairs = new Pairs(a, b)
  if (a.length + b.length > BLOCKS_MAX) {
    pairEnds(pairs)
    return pairs.toChanges()
  }
  // Gaps are alike everywhere, so they are no landmarks: they are paired last, between the blocks that they part.
  const budget = { ...newBudget(), comparisons: COMPARISONS_MAX }
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

const isSpace = (sign: string | undefined): boolean =>
  sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r'

function withoutMargins(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1])) end--
  let start = 0
  for (let at = 0; at < end && isSpace(text[at]); at++) if (text[at] === '\n') start = at + 1
  return text.slice(start, end)
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

  /** Blocks, not gaps, that have no partner yet. */
  free({ a, b }: Stretch): { a: number[]; b: number[] } {
    return {
      a: range(...a).filter(i => this.#ofA[i] === undefined && this.a[i]?.bare !== ''),
      b: range(...b).filter(j => this.#ofB[j] === undefined && this.b[j]?.bare !== ''),
    }
  }

  /** What stands between the pairs that keep their order. */
  stretches(): Stretch[] {
    const stretches: Stretch[] = []
    let i = 0
    let j = 0
    const endAt = (endA: number, endB: number): void => {
      if (endA > i && endB > j) stretches.push({ a: [i, endA], b: [j, endB] })
      i = endA + 1
      j = endB + 1
    }
    this.#ofB.forEach((partner, at) => {
      if (partner !== undefined && this.#keepsOrder(at)) endAt(partner, at)
    })
    endAt(this.a.length, this.b.length)
    return stretches
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
    const goals = this.#goals()
    let i = 0
    const tellRemoved = (end: number): void => {
      for (; i < end; i++)
        if (this.#ofA[i] === undefined) changes.push({ kind: 'removed', before: (this.a[i] as Piece).block })
    }
    this.b.forEach(({ block: after }, j) => {
      tellRemoved(goals[j] as number)
      const partner = this.#ofB[j]
      const kind = this.#kinds.get(j)
      if (partner === undefined || kind === undefined) {
        changes.push({ kind: 'inserted', after })
        return
      }
      const before = (this.a[partner] as Piece).block
      if (kind === 'equal' || kind === 'moved') changes.push({ kind, before, after })
      else changes.push({ kind: 'modified', before, after, isMoved: kind === 'moved and modified' })
    })
    tellRemoved(this.a.length)
    return changes
  }

  /** For every block of `b`, up to where the removed ones are told before it: the next pair that keeps its order. */
  #goals(): number[] {
    const goals = new Array<number>(this.b.length)
    let goal = this.a.length
    for (let j = this.b.length - 1; j >= 0; j--) {
      if (this.#keepsOrder(j)) goal = this.#ofB[j] as number
      goals[j] = goal
    }
    return goals
  }

  #keepsOrder(j: number): boolean {
    const kind = this.#kinds.get(j)
    return kind === 'equal' || kind === 'modified'
  }
}

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, i) => start + i)

/** A part of both documents: from the first piece on, to before the second. */
type Stretch = { readonly a: readonly [number, number]; readonly b: readonly [number, number] }

const whole = (a: readonly Piece[], b: readonly Piece[]): Stretch => ({ a: [0, a.length], b: [0, b.length] })

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
