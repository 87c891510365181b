// Whether both sides inserted nearly the same text at one place, so that keeping both would repeat it.
import { FRONTMATTER, type Pieces } from './document-pieces.ts'
import type { Budget } from './merge-budget.ts'
import type { Ids } from './merge-gaps.ts'
import { matchSequences } from './sequences.ts'
import { ALIKE_MIN, blockSimilarity, type Words, wordsOf } from './similarity.ts'
import type { Versions } from './versions.ts'

export class Insertions {
  readonly #pieces: Versions<Pieces>
  readonly #budget: Budget
  readonly #words = new Map<string, Words>()

  constructor(pieces: Versions<Pieces>, budget: Budget) {
    this.#pieces = pieces
    this.#budget = budget
  }

  /** Whether they are similar but not equal. One may contain the other. */
  areAlike(ours: Ids, theirs: Ids): boolean {
    if (ours.length === 0 || theirs.length === 0) return false
    const a = ours.map(id => this.#pieces.ours.get(id).bare)
    const b = theirs.map(id => this.#pieces.theirs.get(id).bare)
    const shorter = Math.min(a.length, b.length)
    let start = 0
    while (start < shorter && a[start] === b[start]) start++
    let end = 0
    while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
    const restA = ours.slice(start, a.length - end)
    const restB = theirs.slice(start, b.length - end)
    if (restA.length === 0 || restB.length === 0) return false
    const [textsA, textsB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
    const common = matchSequences(textsA, textsB, this.#budget).length
    if (common > 0) return common < restA.length && common < restB.length
    if (restA.includes(FRONTMATTER) && restB.includes(FRONTMATTER)) return true
    const comparisons = restA.length * restB.length
    // Too much to compare counts as similar.
    if (comparisons > this.#budget.comparisons) return true
    this.#budget.comparisons -= comparisons
    return restA.some(x => restB.some(y => this.#alikeness(x, y) >= ALIKE_MIN))
  }

  #alikeness(ours: string, theirs: string): number {
    const [a, b] = [this.#pieces.ours.get(ours), this.#pieces.theirs.get(theirs)]
    return blockSimilarity(
      { words: this.#wordsOf(a.bare), type: a.type },
      { words: this.#wordsOf(b.bare), type: b.type },
    )
  }

  #wordsOf(text: string): Words {
    const known = this.#words.get(text) ?? wordsOf(text)
    this.#words.set(text, known)
    return known
  }
}
