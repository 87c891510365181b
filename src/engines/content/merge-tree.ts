// Merged pages that do not make a valid tree: pages below each other, a link with pages below it, a tree that is too
// deep, two siblings with one slug. `checkEdits` finds them; each becomes a conflict, and what theirs did is undone
// until the tree is valid.
import type { Draft } from './draft.ts'
import type { Conflict, Settlement } from './merge-conflicts.ts'
import { isSide, type Side } from './merge-conflicts.ts'
import type { Overrides, PageMerge } from './merge-pages.ts'
import { SlugSettling } from './merge-slugs.ts'
import { type PageRecord, pageKey } from './records.ts'
import type { TreeProblem } from './tree-check.ts'
import { mapVersions } from './versions.ts'

// A round settles all problems of a kind; real trees take two or three. A tree that is invalid after this many is taken
// from one side as a whole.
export const ROUNDS_MAX = 64

// Places are settled before slugs: a page that moves back needs no other slug.
const PLACE_KINDS = ['cycle', 'shape', 'too_deep'] as const
type PlaceKind = (typeof PLACE_KINDS)[number]

const KINDS: { readonly [K in TreeProblem['kind']]?: PlaceKind | 'slug' } = {
  cycle: 'cycle',
  children_forbidden: 'shape',
  group_nested: 'shape',
  slug_invalid: 'shape',
  too_deep: 'too_deep',
  slug_taken: 'slug',
}

/** The problems of one kind for the next round; undefined if one of them cannot be settled. */
export type ProblemGroup = { readonly kind: PlaceKind | 'slug'; readonly problems: readonly TreeProblem[] }

export function findProblemGroup(problems: readonly TreeProblem[]): ProblemGroup | undefined {
  if (problems.some(({ kind }) => KINDS[kind] === undefined)) return undefined
  const kind = PLACE_KINDS.find(one => problems.some(problem => KINDS[problem.kind] === one)) ?? 'slug'
  return { kind, problems: problems.filter(problem => KINDS[problem.kind] === kind) }
}

/** Settles problems of one kind that do not depend on each other; returns false if it changed nothing. */
export async function settleProblems(
  { kind, problems }: ProblemGroup,
  draft: Draft,
  merge: PageMerge,
  overrides: Overrides,
  settlement: Settlement,
): Promise<boolean> {
  if (kind === 'slug') return new SlugSettling(draft, merge, overrides, settlement).settle(problems)
  const settling = new PlaceSettling(draft, merge, overrides, settlement)
  const pages = problems.flatMap(problem => ('page' in problem ? problem.page : []))
  if (kind === 'too_deep') return settling.depths(pages)
  let isSettled = false
  for (const page of new Set(pages)) {
    const isDone = kind === 'cycle' ? await settling.cycle(page) : await settling.shape(page)
    isSettled ||= isDone
  }
  return isSettled
}

class PlaceSettling {
  readonly #draft: Draft
  readonly #merge: PageMerge
  readonly #overrides: Overrides
  readonly #settlement: Settlement

  constructor(draft: Draft, merge: PageMerge, overrides: Overrides, settlement: Settlement) {
    this.#draft = draft
    this.#merge = merge
    this.#overrides = overrides
    this.#settlement = settlement
  }

  /** Pages that were moved below each other: those that theirs moved return to their place in ours. */
  async cycle(start: string): Promise<boolean> {
    const cycle = await this.#way(start)
    const movedByTheirs = cycle.filter(id => this.#isMoved(id, 'ours')).sort()
    const movedByOurs = cycle.filter(id => this.#isMoved(id, 'theirs'))
    // A page that exists only in theirs has no other place; a page that is also in ours has.
    const first = movedByTheirs.find(id => this.#existsIn('ours', id))
    if (first === undefined || movedByOurs.length === 0) return false
    const side = this.#sideFor(this.#placeConflict('cycle', first, cycle))
    const moved = { ours: movedByTheirs, theirs: movedByOurs, base: [...movedByOurs, ...movedByTheirs] }
    this.#putBack(moved[side], side)
    return true
  }

  /**
   * A page that the merge makes invalid: a link with pages below it, a group below a page. It takes its shape from
   * ours; pages that theirs moved below it move back, and pages that theirs created there become its siblings.
   */
  async shape(page: string): Promise<boolean> {
    const triple = this.#merge.pages.get(page)
    const record = this.#draft.page(page)
    if (triple === undefined || record === undefined) return false
    const conflict: Conflict = {
      kind: 'tree',
      key: pageKey(page),
      field: 'type',
      ...mapVersions(triple, version => version?.type ?? null),
      pages: [...record.children].sort(),
    }
    const side = this.#sideFor(conflict)
    const shape = triple[side]
    this.#overrides.slugs.delete(page)
    if (shape === null || shape.type === 'group') this.#putBack([page], side)
    if (shape === null) return true
    this.#overrides.shapes.set(page, side)
    if (shape.type === 'document' || shape.type === 'group') return true
    await this.#draft.loadPages([record.parent])
    const above = record.parent === null ? undefined : this.#draft.page(record.parent)
    if (record.parent !== null && above !== undefined) this.#merge.adopt(record.parent, above)
    for (const child of record.children) {
      const known = this.#merge.pages.get(child)?.[side]
      this.#overrides.parents.set(child, known == null ? record.parent : known.parent)
    }
    return true
  }

  /** Pages that are too deep: moves and creations by theirs on the path to them are undone. */
  async depths(pages: readonly string[]): Promise<boolean> {
    const ways = await Promise.all(pages.map(page => this.#way(page)))
    const undone = ways.map(way => {
      const theirs = way.filter(id => this.#isMoved(id, 'ours'))
      return { way, id: theirs.find(one => this.#existsIn('ours', one)) ?? theirs[0] }
    })
    const ids = new Set(undone.map(({ id }) => id))
    let isSettled = false
    for (const { way, id } of undone) {
      if (id === undefined || !ids.has(id)) continue
      // If a page above moves back too, that may be enough; the next round checks.
      if (way.some((other, at) => at > way.indexOf(id) && ids.has(other))) continue
      isSettled = true
      const side = this.#sideFor(this.#placeConflict('tree', id, []))
      if (side === 'ours') this.#putBack([id], side)
      else
        this.#putBack(
          way.filter(other => this.#isMoved(other, side)),
          side,
        )
    }
    return isSettled
  }

  #placeConflict(kind: 'cycle' | 'tree', id: string, pages: readonly string[]): Conflict {
    return {
      kind,
      key: pageKey(id),
      field: 'parent',
      base: this.#parentIn('base', id),
      ours: this.#parentIn('ours', id),
      theirs: this.#parentIn('theirs', id),
      pages: pages.filter(page => page !== id),
    }
  }

  /** The side that a conflict of places takes: ours, unless it is resolved otherwise. */
  #sideFor(conflict: Conflict): Side {
    const take = this.#settlement.take(conflict) ?? 'ours'
    if (isSide(take)) return take
    this.#settlement.refuse(conflict)
    return 'ours'
  }

  /** Moves pages to their place on a side. Pages that the side lacks are deleted only if no other could move. */
  #putBack(ids: readonly string[], side: Side): void {
    const known = ids.filter(id => this.#existsIn(side, id))
    for (const id of known) this.#overrides.parents.set(id, this.#parentIn(side, id))
    if (known.length > 0) return
    for (const id of ids) if (this.#merge.pages.has(id)) this.#overrides.gone.add(id)
  }

  /** From a page up to the root, or once around a cycle. */
  async #way(start: string): Promise<string[]> {
    const way = new Set<string>()
    for (let at: string | null = start; at !== null && !way.has(at); ) {
      way.add(at)
      await this.#draft.loadPages([at])
      at = this.#draft.page(at)?.parent ?? null
    }
    return [...way]
  }

  #isMoved(id: string, than: Side): boolean {
    const triple = this.#merge.pages.get(id)
    const page: PageRecord | undefined = this.#draft.page(id)
    return triple !== undefined && page !== undefined && triple[than]?.parent !== page.parent
  }

  #existsIn(side: Side, id: string): boolean {
    return this.#merge.pages.get(id)?.[side] != null
  }

  #parentIn(side: Side, id: string): string | null {
    return this.#merge.pages.get(id)?.[side]?.parent ?? null
  }
}
