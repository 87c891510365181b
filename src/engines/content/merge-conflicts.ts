// Conflicts of a merge and their resolution. A conflict is a value: it has an address and the three versions, and a
// resolution refers to it by the same address.
import type { Key } from './records.ts'

export type Side = 'base' | 'ours' | 'theirs'

/** The place of a conflict: a record, a field of it, a block of its document. */
export type ConflictAddress = {
  readonly key: Key
  /** A field of the record, a member such as `layout.x`, or `existence` of a page, file or reusable content. */
  readonly field?: string
  /** The key that the block has in the base: unique in the document. */
  readonly block?: string
}

export type ConflictKind =
  /** Both changed a field differently. */
  | 'field'
  /** Both changed adjacent lines of a block, or one changed it and the other removed it. */
  | 'block'
  /** One deleted a record that the other changed or put pages below. */
  | 'deleted'
  /** Pages would be below each other. */
  | 'cycle'
  /** Two siblings claim the same slug. */
  | 'slug'
  /** The tree would be invalid for another reason: too deep, too many pages. */
  | 'tree'

export type Conflict = ConflictAddress & {
  readonly kind: ConflictKind
  /** Values of the field or texts of the block; null for none. */
  readonly base: unknown
  readonly ours: unknown
  readonly theirs: unknown
  /** Other pages involved: those below a deleted one, those of a cycle, the sibling with the slug. */
  readonly pages?: readonly string[]
}

export type BlockConflict = {
  /** The key of its first block in the base; for insertions of both sides, that of the block before it and a `+`. */
  readonly block: string
  /** The blocks of each version without the blank lines around them; null for none. */
  readonly base: string | null
  readonly ours: string | null
  readonly theirs: string | null
}

/** The text for a conflict, null for none; undefined leaves ours, and the conflict remains. */
export type SettleBlock = (conflict: BlockConflict) => string | null | undefined

export type Take = Side | { readonly markdown: string } | { readonly value: unknown }
export type Resolution = ConflictAddress & { readonly take: Take }

/** A resolution without effect. */
export type UnusedResolution = Resolution & {
  /** `absent`: there is no such conflict. `unfit`: it cannot be settled like this. */
  readonly reason: 'absent' | 'unfit'
}

export const isSide = (take: Take): take is Side => typeof take === 'string'

// The fields of a page that affect the tree; titles and texts do not.
const TREE_FIELDS: ReadonlySet<string | undefined> = new Set(['existence', 'parent', 'slug', 'type'])

const isAboutTree = ({ key, kind, field }: Conflict): boolean =>
  kind === 'tree' || (key.startsWith('page/') && kind !== 'block' && TREE_FIELDS.has(field))

const addressOf = ({ key, field, block }: ConflictAddress): string => JSON.stringify([key, field, block])

/** The resolutions of a merge, the conflicts that remain, and the resolutions that were not used. */
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

  /** The resolution of a conflict. Without one the conflict is recorded and the result is undefined. */
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

  /** Records a conflict that its resolution cannot settle. */
  refuse(conflict: Conflict): void {
    const address = addressOf(conflict)
    if (this.#resolutions.has(address)) this.#unfit.add(address)
    this.#conflicts.set(address, conflict)
  }

  /**
   * Stops recording conflicts, except those whose resolution is refused: the others follow from conflicts that are not
   * settled yet, and may disappear with them.
   */
  hush(): void {
    this.#isHushed = true
  }

  /** Whether only conflicts of slugs are left in the tree; each of them can be settled by itself. */
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
