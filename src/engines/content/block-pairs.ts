// Which block of one document became which of another, and how that is told. Finding the pairs is for block-diff.ts.
import { alikeness, type Words, wordsOf } from './similarity.ts'

/** A piece of a document: UTF-16 offsets into it, `end` exclusive. */
export type Block = {
  readonly key: string
  readonly type: string
  /** Of a heading: 1 for the highest. What follows, up to the next that is as high, is its section. */
  readonly level?: number
  readonly start: number
  readonly end: number
}

/**
 * One step of the way from one document to the other. `equal` has the same text, `moved` has it elsewhere; blank lines
 * before a block and white space after it are no difference, as they are none to its key. `modified` is the block
 * that became another one; `isMoved` when it also stands elsewhere.
 */
export type BlockChange =
  | { readonly kind: 'equal'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'moved'; readonly before: Block; readonly after: Block }
  | { readonly kind: 'modified'; readonly before: Block; readonly after: Block; readonly isMoved: boolean }
  | { readonly kind: 'inserted'; readonly after: Block }
  | { readonly kind: 'removed'; readonly before: Block }

export type Piece = {
  readonly block: Block
  readonly text: string
  /** The text as it is compared: without margins, empty for a gap. */
  readonly bare: string
  words: Words | undefined
}

const isSpace = (sign: string | undefined): boolean =>
  sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r'

/** The text without blank lines before it and white space after it; empty for a gap. */
export function withoutMargins(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text[end - 1])) end--
  let start = 0
  for (let at = 0; at < end && isSpace(text[at]); at++) if (text[at] === '\n') start = at + 1
  return text.slice(start, end)
}

type PairKind = 'equal' | 'moved' | 'modified' | 'moved and modified'

/** Which block became which. What keeps its order is the thread along which the changes are told. */
export class Pairs {
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
    return alikeness({ words: a.words, type: a.block.type }, { words: b.words, type: b.block.type })
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

export const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start }, (_, i) => start + i)

/** A part of both documents: from the first piece on, to before the second. */
export type Stretch = { readonly a: readonly [number, number]; readonly b: readonly [number, number] }

export const whole = (a: readonly Piece[], b: readonly Piece[]): Stretch => ({
  a: [0, a.length],
  b: [0, b.length],
})
