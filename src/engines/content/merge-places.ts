// Where a merge puts what a side inserted. It belongs into the section in which its author wrote it, beside a neighbour
// that it had there: the other side may have removed or moved these, or text that occurs many times may have been taken
// for another. Such a place is no place, and everything that the insertion belongs to is one conflict.
import { FRONTMATTER, type Pieces } from './document-pieces.ts'
import { findAmbiguous } from './merge-ambiguity.ts'
import { SIDES, type SideName } from './merge-gaps.ts'
import { Outline, type Placed, type Stray } from './outline.ts'
import type { Versions } from './versions.ts'

/**
 * What has no place, and what is ambiguous wherever it is put. `placedBy` has the order in terms of one side: the blocks
 * of that side where two are one.
 */
export function findStrays(
  versions: Versions<Pieces>,
  placedBy: (side: SideName) => Placed,
): { readonly strays: readonly Stray[]; readonly ambiguous: readonly Stray[] } {
  const placed = { ours: placedBy('ours'), theirs: placedBy('theirs') }
  const ours = new Places(versions, 'ours', placed.ours)
  const theirs = new Places(versions, 'theirs', placed.theirs)
  return {
    strays: [...ours.strays(theirs), ...theirs.strays(ours), ...findCaptured(versions, placed)],
    ambiguous: findAmbiguous(versions, placed),
  }
}

/** Blocks of the base that are below a heading below which neither side has them. */
function findCaptured(versions: Versions<Pieces>, placed: { readonly [S in SideName]: Placed }): Stray[] {
  const { base } = versions
  const sides = SIDES.map(side => ({
    written: new Outline(versions[side].ids, base, id => versions[side].get(id).level),
    result: new Outline(placed[side].order, base, levelsOf(versions, side)),
    open: placed[side].open,
  }))
  return base.ids.flatMap(id => {
    if (sides.some(({ written, open }) => !written.has(id) || open.has(id))) return []
    // In terms of one side, an equal block that it inserted may stand for the one that the other moved.
    const found = sides.filter(({ result }) => result.has(id))
    if (found.length === 0) return []
    if (found.some(({ written, result }) => written.parentOf(id) === result.parentOf(id))) return []
    const headings = found.flatMap(({ written, result }) => [written.parentOf(id), result.parentOf(id)])
    return [[id, ...headings.filter(one => one !== undefined)]]
  })
}

/** The level that a heading has in the result: the changed one. */
function levelsOf(versions: Versions<Pieces>, side: SideName): (id: string) => number | undefined {
  const { base, [side]: own } = versions
  const other = versions[side === 'ours' ? 'theirs' : 'ours']
  return id => {
    const [before, level] = [base.piece(id)?.level, own.piece(id)?.level]
    return !own.has(id) || (level === before && other.has(id)) ? (other.piece(id)?.level ?? before) : level
  }
}

/** The insertions of one side, as their author has them and in the result. */
class Places {
  readonly #base: Pieces
  readonly #open: ReadonlySet<string>
  readonly #twins: ReadonlyMap<string, string>
  readonly #written: Outline
  readonly #result: Outline

  constructor(versions: Versions<Pieces>, side: SideName, { order, open, twins }: Placed) {
    const { base, [side]: own } = versions
    this.#base = base
    this.#open = open
    this.#twins = twins
    this.#written = new Outline(own.ids, base, id => own.get(id).level)
    this.#result = new Outline(order, base, levelsOf(versions, side))
  }

  strays(other: Places): Stray[] {
    // What both wrote is in its section if it is in that of one of them: the other side then changed the heading as well.
    const isInSection = (id: string): boolean => {
      const twin = this.#twins.get(id)
      return this.#isInSection(id) || (twin !== undefined && other.#isInSection(twin))
    }
    return this.#runs().flatMap(run => {
      if (run.every(isInSection) && this.#isTogether(run) && this.#isBeside(run)) return []
      return [this.#belongings(run)]
    })
  }

  /** The insertions that are in the result without a conflict. */
  #runs(): string[][] {
    const runs: string[][] = [[]]
    for (const id of this.#written.ids) {
      if (this.#base.has(id)) runs.push([])
      else if (this.#result.has(id) && !this.#open.has(id) && id !== FRONTMATTER) runs.at(-1)?.push(id)
    }
    return runs.filter(run => run.length > 0)
  }

  #isInSection(id: string): boolean {
    const [heading, found] = [this.#written.parentOf(id), this.#result.parentOf(id)]
    if (heading !== found) return heading === undefined && found !== undefined && this.#isNewTitle(found)
    return [...this.#written.above(id)].every(one => this.#result.has(one) && !this.#isBelowNew(one))
  }

  /** Whether the other side put a heading of its own above one; a section that it moved takes along what is in it. */
  #isBelowNew(heading: string): boolean {
    const found = this.#result.parentOf(heading)
    if (found === undefined || found === this.#written.parentOf(heading)) return false
    return !this.#base.has(found) && !this.#isNewTitle(found)
  }

  /** Whether the other side put a heading above all that was there. */
  #isNewTitle(id: string): boolean {
    return !this.#base.has(id) && this.#result.baseBefore(id) === undefined
  }

  #isTogether(run: readonly string[]): boolean {
    return run.every((id, at) => {
      const before = run[at - 1]
      return before === undefined || this.#nextInBase(before) === this.#nextInBase(id)
    })
  }

  #isBeside(run: readonly string[]): boolean {
    const { before, after } = this.#neighbours(run)
    const [first = '', last = ''] = [run[0], run.at(-1)]
    if (before !== undefined && this.#result.has(before)) {
      if (after === undefined && !this.#isAtEnd(run)) return false
      const found = this.#result.baseBefore(first)
      if (found === before) return true
      const isSection = before !== this.#written.parentOf(first) && found !== undefined
      // The end of a section is beside what follows it, whatever became of its last block.
      if (isSection && after === undefined && [...this.#result.above(found)].includes(before)) return true
      return after !== undefined && this.#nextInBase(last) === after
    }
    return after === undefined ? this.#isAtEnd(run) : this.#nextInBase(last) === after
  }

  /** Whether no block of the base follows in the same section. */
  #isAtEnd(run: readonly string[]): boolean {
    const next = this.#nextInBase(run.at(-1) ?? '')
    return next === undefined || !run.some(id => this.#result.parentOf(id) === this.#result.parentOf(next))
  }

  #nextInBase(id: string): string | undefined {
    return this.#result.baseAfter(id)
  }

  /**
   * The block or the section before an insertion, or the heading of its section, and the block after it in the same
   * section.
   */
  #neighbours(run: readonly string[]): { before: string | undefined; after: string | undefined } {
    const written = this.#written
    const [first = '', last = ''] = [run[0], run.at(-1)]
    const parent = written.parentOf(first)
    let before = written.beside(first, -1)
    while (before !== undefined && before !== parent && written.parentOf(before) !== parent)
      before = written.parentOf(before)
    const after = written.beside(last, 1)
    const parents = new Set(run.map(id => written.parentOf(id)))
    return {
      before: before === FRONTMATTER ? undefined : before,
      after: after !== undefined && parents.has(written.parentOf(after)) ? after : undefined,
    }
  }

  #belongings(run: readonly string[]): string[] {
    const [first = '', last = ''] = [run[0], run.at(-1)]
    const { before, after } = this.#neighbours(run)
    const headings = run.flatMap(id => [this.#written.parentOf(id), this.#result.parentOf(id)])
    const beside = [this.#written.beside(first, -1), this.#written.beside(last, 1), before, after]
    return [...new Set([...run, ...beside, ...headings])].filter(
      id => id !== undefined && id !== FRONTMATTER,
    ) as string[]
  }
}
