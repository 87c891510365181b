// The outline of a document, a version or the result of a merge: its blocks in their order, the headings above each, and
// what is beside it.
import { FRONTMATTER, type Pieces } from './document-pieces.ts'
import { findParents } from './sections.ts'

/** An insertion that has no place in the result, and the blocks that tell where it belongs. */
export type Stray = readonly string[]

/**
 * A merged order of blocks; what is in `open` is in a conflict. `twins` are the insertions that both sides made, each with
 * the id that it has on the other side.
 */
export type Placed = {
  readonly order: readonly string[]
  readonly open: ReadonlySet<string>
  readonly twins: ReadonlyMap<string, string>
}

export class Outline {
  readonly ids: readonly string[]
  readonly #positions: ReadonlyMap<string, number>
  readonly #parents: readonly number[]
  readonly #before: readonly (string | undefined)[]
  readonly #after: readonly (string | undefined)[]

  constructor(ids: readonly string[], base: Pieces, levelOf: (id: string) => number | undefined) {
    this.ids = ids
    const isOfBase = (id: string): boolean => base.has(id) && id !== FRONTMATTER
    this.#before = passed(ids, isOfBase)
    this.#after = passed(ids.toReversed(), isOfBase).reverse()
    this.#positions = new Map(ids.map((id, at) => [id, at]))
    this.#parents = findParents(ids.map(levelOf))
  }

  has(id: string): boolean {
    return this.#positions.has(id)
  }

  parentOf(id: string): string | undefined {
    return this.ids[this.#parents[this.#positions.get(id) ?? -1] ?? -1]
  }

  /** The headings above a block, the nearest first. */
  *above(id: string): Generator<string> {
    for (let one = this.parentOf(id); one !== undefined; one = this.parentOf(one)) yield one
  }

  beside(id: string, step: 1 | -1): string | undefined {
    return this.ids[(this.#positions.get(id) ?? Number.NaN) + step]
  }

  /** The nearest block of the base before a block. */
  baseBefore(id: string): string | undefined {
    return this.#before[this.#positions.get(id) ?? -1]
  }

  /** The nearest block of the base after a block. */
  baseAfter(id: string): string | undefined {
    return this.#after[this.#positions.get(id) ?? -1]
  }
}

/** For each of the ids, the last one before it that matches. */
function passed(ids: readonly string[], isMatch: (id: string) => boolean): (string | undefined)[] {
  let last: string | undefined
  return ids.map(id => {
    const before = last
    if (isMatch(id)) last = id
    return before
  })
}
