// Siblings with equal slugs after a merge. Both stay. If each side created one of them, the later one gets a number, as
// if they had been created in sequence. Otherwise the page that theirs brought in gets its slug in ours, or a new one,
// unless a resolution says otherwise.
import type { Draft } from './draft.ts'
import type { Conflict, Settlement } from './merge-conflicts.ts'
import { isSide } from './merge-conflicts.ts'
import type { Overrides, PageMerge } from './merge-pages.ts'
import { isSlug, pageKey, SLUG_CHARACTERS_MAX } from './records.ts'
import type { TreeProblem } from './tree-check.ts'
import { mapVersions } from './versions.ts'

type SlugTaken = Extract<TreeProblem, { kind: 'slug_taken' }>
type Parent = string | null

/** One round: new slugs are unique among existing siblings and those given in this round. */
export class SlugSettling {
  readonly #draft: Draft
  readonly #merge: PageMerge
  readonly #overrides: Overrides
  readonly #settlement: Settlement
  readonly #slugs = new Map<Parent, Set<string | undefined>>()
  readonly #numbers = new Map<string, number>()

  constructor(draft: Draft, merge: PageMerge, overrides: Overrides, settlement: Settlement) {
    this.#draft = draft
    this.#merge = merge
    this.#overrides = overrides
    this.#settlement = settlement
  }

  /** Returns false if none of these problems was caused by theirs. */
  async settle(problems: readonly TreeProblem[]): Promise<boolean> {
    const taken = problems.filter(problem => problem.kind === 'slug_taken')
    for (const parent of new Set(taken.map(problem => problem.parent))) await this.#loadSlugs(parent)
    const changed = new Set<string>()
    for (const problem of taken) {
      // One of them got another slug in this round; the next round checks again.
      if (changed.has(problem.page) || changed.has(problem.sibling)) continue
      const yielding = this.#settleOne(problem)
      if (yielding !== undefined) changed.add(yielding)
    }
    return changed.size > 0
  }

  /** Returns the page that got another slug. */
  #settleOne({ page, sibling, slug, parent }: SlugTaken): string | undefined {
    const claimant = [page, sibling].find(id => this.#isTheirs(id))
    const triple = claimant === undefined ? undefined : this.#merge.pages.get(claimant)
    if (claimant === undefined || triple === undefined) return undefined
    const holder = claimant === page ? sibling : page
    if (this.#isNewOnBoth(page, sibling))
      return this.#give(this.#laterOf(page, sibling), this.#newSlug(slug, parent), parent)
    const conflict: Conflict = {
      kind: 'slug',
      key: pageKey(claimant),
      field: 'slug',
      ...mapVersions(triple, record => record?.slug ?? null),
      pages: [holder],
    }
    const take = this.#settlement.take(conflict)
    if (take !== undefined && !isSide(take)) {
      const asked = 'value' in take ? take.value : undefined
      if (isSlug(asked) && this.#isFree(asked, parent)) return this.#give(claimant, asked, parent)
      this.#settlement.refuse(conflict)
    }
    const side = take !== undefined && isSide(take) ? take : 'ours'
    const yielding = side === 'theirs' && this.#merge.pages.has(holder) ? holder : claimant
    const known = this.#merge.pages.get(yielding)?.[side]?.slug
    const isKnownFree = isSlug(known) && this.#isFree(known, parent)
    return this.#give(yielding, isKnownFree ? known : this.#newSlug(slug, parent), parent)
  }

  /** Whether each side created one of them. */
  #isNewOnBoth(page: string, sibling: string): boolean {
    const [one, other] = [this.#merge.pages.get(page), this.#merge.pages.get(sibling)]
    if (one === undefined || other === undefined || one.base !== null || other.base !== null) return false
    return (one.ours === null) !== (other.ours === null) && (one.theirs === null) !== (other.theirs === null)
  }

  /**
   * The page that was created later, if both have a time, else the one with the greater id: independent of the side.
   */
  #laterOf(page: string, sibling: string): string {
    const createdAt = (id: string): string => {
      const triple = this.#merge.pages.get(id)
      return (triple?.ours ?? triple?.theirs)?.createdAt ?? ''
    }
    const [one, other] = [createdAt(page), createdAt(sibling)]
    if (one !== '' && other !== '' && one !== other) return one > other ? page : sibling
    return page > sibling ? page : sibling
  }

  #give(id: string, slug: string, parent: Parent): string {
    this.#overrides.slugs.set(id, slug)
    this.#slugs.get(parent)?.add(slug)
    return id
  }

  #isFree(slug: string, parent: Parent): boolean {
    return this.#slugs.get(parent)?.has(slug) === false
  }

  #newSlug(slug: string, parent: Parent): string {
    const key = JSON.stringify([parent, slug])
    for (let number = this.#numbers.get(key) ?? 1; ; number++) {
      const end = `-${number}`
      const found = slug.slice(0, SLUG_CHARACTERS_MAX - end.length).replace(/[\ud800-\udbff]$/, '') + end
      if (!this.#isFree(found, parent)) continue
      this.#numbers.set(key, number + 1)
      return found
    }
  }

  async #loadSlugs(parent: Parent): Promise<void> {
    await this.#draft.loadPages([parent])
    const siblings = this.#draft.childrenOf(parent)
    await this.#draft.loadPages(siblings)
    this.#slugs.set(parent, new Set(siblings.map(id => this.#draft.page(id)?.slug)))
  }

  /** Whether theirs created the page or changed its slug or parent. */
  #isTheirs(id: string): boolean {
    const triple = this.#merge.pages.get(id)
    const page = this.#draft.page(id)
    if (triple === undefined || page === undefined) return false
    return triple.ours?.slug !== page.slug || triple.ours.parent !== page.parent
  }
}
