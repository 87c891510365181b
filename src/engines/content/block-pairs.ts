// Pairs of blocks of two documents, and the changes that they amount to. block-diff.ts finds the pairs.
import { blockSimilarity, type Words, wordsOf } from './similarity.ts'

/** A piece of a document: UTF-16 offsets into it, `end` exclusive. */
export type Block = {
  readonly key: string
  readonly type: string
  /** The level of a heading, 1 for the highest. Its section ends before the next heading of that level or higher. */
  readonly level?: number
  readonly start: number
  readonly end: number
}

/**
 * The change of one block. `equal` has the same text, `moved` has it elsewhere; blank lines before a block and white
 * space after it do not count, not even in its key. `modified` has different text, and `isMoved` if it is elsewhere.
 */
export type BlockChange =
  | { readonly kind: 'equal'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'moved'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'modified'; readonly before: Block; readonly after: Block; readonly isMoved: boolean }
  | { readonly kind: 'inserted'; readonly after: Block }
  | { readonly kind: 'removed'; readonly before: Block }

export type ComparedBlock = {
  /** Its position in the document, from 0. */
  readonly at: number
  readonly block: Block
  readonly text: string
  /** The text without margins, by which blocks are compared; empty for a gap. */
  readonly bare: string
  /** The number of its section; sections with the same headings have the same number in both documents. */
  section: number
  /** The number of the heading directly above it, by its text. */
  heading: number
  words: Words | undefined
}

const isSpace = (sign: string | undefined): boolean =>
  sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r'

/** The range of a text without leading blank lines and trailing white space; empty for a gap. */
export function bareRange(text: string): { start: number; end: number } {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1])) end--
  let start = 0
  for (let at = 0; at < end && isSpace(text[at]); at++) if (text[at] === '\n') start = at + 1
  return { start, end }
}

/** The text without leading blank lines and trailing white space; empty for a gap. */
export function withoutMargins(text: string): string {
  const { start, end } = bareRange(text)
  return text.slice(start, end)
}

type PairKind = 'equal' | 'moved' | 'modified' | 'moved and modified'

/** The pairs of blocks found so far. Those that keep their order separate the stretches between them. */
export class Pairs {
  readonly a: readonly ComparedBlock[]
  readonly b: readonly ComparedBlock[]
  readonly #pairedA = new Set<ComparedBlock>()
  readonly #ofB = new Map<ComparedBlock, { readonly before: ComparedBlock; readonly kind: PairKind }>()

  constructor(a: readonly ComparedBlock[], b: readonly ComparedBlock[]) {
    this.a = a
    this.b = b
  }

  add(before: ComparedBlock, after: ComparedBlock, kind: PairKind): void {
    this.#pairedA.add(before)
    this.#ofB.set(after, { before, kind })
  }

  isFree(before: ComparedBlock, after: ComparedBlock): boolean {
    return !this.#pairedA.has(before) && !this.#ofB.has(after)
  }

  /** The pieces without a partner that have a key. */
  unpaired(
    stretch: Stretch,
    keyOf: (piece: ComparedBlock) => string | undefined,
    name: 'a' | 'b',
  ): { readonly pieces: ComparedBlock[]; readonly keys: string[] } {
    const isPaired = (piece: ComparedBlock): boolean =>
      name === 'a' ? this.#pairedA.has(piece) : this.#ofB.has(piece)
    const pieces: ComparedBlock[] = []
    const keys: string[] = []
    for (const piece of this[name].slice(...stretch[name])) {
      const key = isPaired(piece) ? undefined : keyOf(piece)
      if (key === undefined) continue
      pieces.push(piece)
      keys.push(key)
    }
    return { pieces, keys }
  }

  /** The block before or after a block, across gaps. */
  beside(name: 'a' | 'b', { at }: ComparedBlock, step: 1 | -1): ComparedBlock | undefined {
    for (let next = at + step; ; next += step) {
      const piece = this[name][next]
      if (piece === undefined || piece.bare !== '') return piece
    }
  }

  /** Whether a block directly below one heading is paired with one directly below the other, or neither has any. */
  hasCommonSection(before: ComparedBlock, after: ComparedBlock): boolean {
    const below = (name: 'a' | 'b', heading: ComparedBlock): ComparedBlock[] => {
      const blocks: ComparedBlock[] = []
      let next = this.beside(name, heading, 1)
      for (; next !== undefined && next.block.level === undefined; next = this.beside(name, next, 1))
        blocks.push(next)
      // Without text of its own a section begins with the next heading.
      return blocks.length > 0 || next === undefined ? blocks : [next]
    }
    const [inA, inB] = [new Set(below('a', before)), below('b', after)]
    if (inA.size === 0 || inB.length === 0) return inA.size === inB.length
    return inB.some(piece => {
      const partner = this.#ofB.get(piece)?.before
      return partner !== undefined && inA.has(partner)
    })
  }

  /** Blocks, not gaps, without a partner. */
  free({ a, b }: Stretch): { a: ComparedBlock[]; b: ComparedBlock[] } {
    return {
      a: this.a.slice(...a).filter(piece => piece.bare !== '' && !this.#pairedA.has(piece)),
      b: this.b.slice(...b).filter(piece => piece.bare !== '' && !this.#ofB.has(piece)),
    }
  }

  /** The stretches between the pairs that keep their order. */
  stretches(): Stretch[] {
    const stretches: Stretch[] = []
    let i = 0
    let j = 0
    const endAt = (endA: number, endB: number): void => {
      if (endA > i && endB > j) stretches.push({ a: [i, endA], b: [j, endB] })
      i = endA + 1
      j = endB + 1
    }
    for (const piece of this.b) {
      const partner = this.#partnerInOrder(piece)
      if (partner !== undefined) endAt(partner.at, piece.at)
    }
    endAt(this.a.length, this.b.length)
    return stretches
  }

  score(a: ComparedBlock, b: ComparedBlock): number {
    a.words ??= wordsOf(a.text)
    b.words ??= wordsOf(b.text)
    return blockSimilarity({ words: a.words, type: a.block.type }, { words: b.words, type: b.block.type })
  }

  /** Removed blocks come before the stretch of the other document in which they were. */
  toChanges(): BlockChange[] {
    const changes: BlockChange[] = []
    let removed = 0
    let waiting: ComparedBlock[] = []
    const endStretch = (end: number): void => {
      for (const piece of this.a.slice(removed, end))
        if (!this.#pairedA.has(piece)) changes.push({ kind: 'removed', before: piece.block })
      for (const piece of waiting) changes.push(this.#changeOf(piece))
      removed = Math.max(removed, end)
      waiting = []
    }
    for (const piece of this.b) {
      waiting.push(piece)
      const partner = this.#partnerInOrder(piece)
      if (partner !== undefined) endStretch(partner.at)
    }
    endStretch(this.a.length)
    return changes
  }

  #changeOf(piece: ComparedBlock): BlockChange {
    const pair = this.#ofB.get(piece)
    const after = piece.block
    if (pair === undefined) return { kind: 'inserted', after }
    const { kind } = pair
    const before = pair.before.block
    if (kind === 'equal' || kind === 'moved') return { kind, before, after }
    return { kind: 'modified', before, after, isMoved: kind === 'moved and modified' }
  }

  #partnerInOrder(piece: ComparedBlock): ComparedBlock | undefined {
    const pair = this.#ofB.get(piece)
    return pair?.kind === 'equal' || pair?.kind === 'modified' ? pair.before : undefined
  }
}

/** A part of both documents: from the first piece up to, but not including, the second. */
export type Stretch = { readonly a: readonly [number, number]; readonly b: readonly [number, number] }

export const whole = (a: readonly ComparedBlock[], b: readonly ComparedBlock[]): Stretch => ({
  a: [0, a.length],
  b: [0, b.length],
})
