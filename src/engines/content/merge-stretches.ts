// Stretches of three versions of a document that have the same blocks of the base: whatever a side moved, it moved within
// the stretch. So a side can be taken in a stretch as a whole, and nothing else changes.
import type { Pieces } from './document-pieces.ts'
import type { Versions } from './versions.ts'

const NAMES = ['base', 'ours', 'theirs'] as const
const STRETCHES_MAX = 32

/** The ids of a stretch, in each version in their order. */
export type Members = Versions<readonly string[]>

/** The smallest stretches that have these blocks, a list for each; undefined for too many. Those that overlap are one. */
export function findStretches(
  versions: Versions<Pieces>,
  lists: readonly (readonly string[])[],
): Members[] | undefined {
  if (lists.length > STRETCHES_MAX) return undefined
  const stretches: Stretch[] = []
  for (const ids of lists) {
    const stretch = new Stretch(versions)
    stretch.include(ids)
    for (let other = take(stretches, stretch); other !== undefined; other = take(stretches, stretch))
      stretch.include(other.blocks)
    stretches.push(stretch)
  }
  return stretches.map(stretch => stretch.members())
}

function take(stretches: Stretch[], stretch: Stretch): Stretch | undefined {
  const at = stretches.findIndex(other => other.overlaps(stretch))
  return at === -1 ? undefined : stretches.splice(at, 1)[0]
}

class Stretch {
  readonly #versions: Versions<Pieces>
  readonly #ranges = {
    base: { from: Number.POSITIVE_INFINITY, to: 0 },
    ours: { from: Number.POSITIVE_INFINITY, to: 0 },
    theirs: { from: Number.POSITIVE_INFINITY, to: 0 },
  }

  constructor(versions: Versions<Pieces>) {
    this.#versions = versions
  }

  /** Adds blocks, what is between them, and so on in the other versions. */
  include(ids: Iterable<string>): void {
    const waiting = [...ids]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
      for (const name of NAMES) if (this.#versions[name].has(id)) waiting.push(...this.#extend(name, id))
  }

  /** Extends the range of a version to a block; returns the others that are now within it. */
  #extend(name: keyof Versions, id: string): string[] {
    const { ids, positionOf } = this.#versions[name]
    const at = positionOf(id)
    const { from, to } = this.#ranges[name]
    if (at >= from && at < to) return []
    this.#ranges[name] = { from: Math.min(from, at), to: Math.max(to, at + 1) }
    if (from >= to) return []
    return at < from ? ids.slice(at + 1, from) : ids.slice(to, at)
  }

  get blocks(): Set<string> {
    return new Set(Object.values(this.members()).flat())
  }

  members(): Members {
    const of = (name: keyof Versions): string[] =>
      this.#versions[name].ids.slice(this.#ranges[name].from, this.#ranges[name].to)
    return { base: of('base'), ours: of('ours'), theirs: of('theirs') }
  }

  overlaps(other: Stretch): boolean {
    return NAMES.some(name => {
      const [one, two] = [this.#ranges[name], other.#ranges[name]]
      return one.from < two.to && two.from < one.to
    })
  }
}
