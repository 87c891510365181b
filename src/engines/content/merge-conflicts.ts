// Conflicts of a merge, and how they are settled. A conflict is a value: it says where both sides meant something else
// and what, and a resolution names it by the same address.
import type { Key } from './records.ts'

export type Side = 'base' | 'ours' | 'theirs'

/** Where a conflict stands: a record, a field of it, a block of its document. */
export type ConflictAddress = {
  readonly key: Key
  /** Of a record; members of `layout` and `variables` by a dot; `existence` of a page, file or reusable content. */
  readonly field?: string
  /** The key that the block has in the base: unique in the document. */
  readonly block?: string
}

export type ConflictKind =
  /** Both changed one field to something else. */
  | 'field'
  /** Both changed one block of a document in lines that meet, or one changed it and the other removed it. */
  | 'block'
  /** One deleted what the other changed, or put something below. */
  | 'deleted'
  /** Pages would stand below each other. */
  | 'cycle'
  /** Two pages beside each other claim one slug. */
  | 'slug'
  /** The tree would be invalid for another reason: too deep, too many pages. */
  | 'tree'

export type Conflict = ConflictAddress & {
  readonly kind: ConflictKind
  /** Values of the field or texts of the block; null where nothing stands. */
  readonly base: unknown
  readonly ours: unknown
  readonly theirs: unknown
  /** Other pages that it is about: those below a deleted one, those of a cycle, the sibling with the slug. */
  readonly pages?: readonly string[]
}

export type Take = Side | { readonly markdown: string } | { readonly value: unknown }
export type Resolution = ConflictAddress & { readonly take: Take }

/** A resolution that settled nothing. */
export type UnusedResolution = Resolution & {
  /** `absent`: there is no such conflict. `unfit`: it cannot be settled like this. */
  readonly reason: 'absent' | 'unfit'
}

export const isSide = (take: Take): take is Side => typeof take === 'string'

// What of a page has a say in what the tree can be; titles and texts have none.
const TREE_FIELDS: ReadonlySet<string | undefined> = new Set(['existence', 'parent', 'slug', 'type'])

const isAboutTree = ({ key, kind, field }: Conflict): boolean =>
  kind === 'tree' || (key.startsWith('page/') && kind !== 'block' && TREE_FIELDS.has(field))

const addressOf = ({ key, field, block }: ConflictAddress): string => JSON.stringify([key, field, block])

/** What a merge asks at every conflict, and what is left of both in the end. */
export class Settlement {
  readonly #resolutions = new Map<string, Resolution>()
  readonly #doubles: Resolution[] = []
  readonly #used = new Set<string>()
  readonly #unfit = new Set<string>()
  readonly #conflicts = new Map<string, Conflict>()
  #isHushed = false

  constructor(resolutions: readonly Resolution[]) {
    for (const resolution of resolutions) {
      const address = addressOf(resolution)
      if (this.#resolutions.has(address)) this.#doubles.push(resolution)
      else this.#resolutions.set(address, resolution)
    }
  }

  /** What is to be taken; undefined when nobody said, and then the conflict stands. */
  take(conflict: Conflict): Take | undefined {
    const address = addressOf(conflict)
    const resolution = this.#resolutions.get(address)
    this.#used.add(address)
    if (resolution === undefined || this.#unfit.has(address)) {
      if (!this.#isHushed) this.#conflicts.set(address, conflict)
      return undefined
    }
    return resolution.take
  }

  /** The conflict cannot be settled in the way that was taken: it stands. */
  refuse(conflict: Conflict): void {
    const address = addressOf(conflict)
    if (this.#resolutions.has(address)) this.#unfit.add(address)
    this.#conflicts.set(address, conflict)
  }

  /**
   * From here on conflicts are told no more unless somebody settles them: they follow from what is not settled yet, and
   * may be none once it is.
   */
  hush(): void {
    this.#isHushed = true
  }

  /** Whether the tree is settled but for slugs, of which each can be settled by itself. */
  get isTreeSettledButForSlugs(): boolean {
    return [...this.#conflicts.values()].every(conflict => conflict.kind === 'slug' || !isAboutTree(conflict))
  }

  get isTreeSettled(): boolean {
    return ![...this.#conflicts.values()].some(isAboutTree)
  }

  /** By key, then field, then block: an order that depends on the three revisions alone. */
  get conflicts(): Conflict[] {
    return [...this.#conflicts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, conflict]) => conflict)
  }

  get unused(): UnusedResolution[] {
    const absent = [...this.#resolutions].filter(([address]) => !this.#used.has(address))
    const unfit = [...this.#resolutions].filter(([address]) => this.#unfit.has(address))
    return [
      ...[...absent.map(([, resolution]) => resolution), ...this.#doubles].map(resolution => ({
        ...resolution,
        reason: 'absent' as const,
      })),
      ...unfit.map(([, resolution]) => ({ ...resolution, reason: 'unfit' as const })),
    ]
  }
}
