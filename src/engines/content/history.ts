// Where two histories meet. Revisions name their parents; what is asked for them is passed in, so a walk costs one
// question a generation, or fewer when the answers tell of more than was asked.

/**
 * The parents of these revisions, first parent first; a revision without any has an empty list, one that is not there
 * is absent. An answer may tell of other revisions as well: they are not asked for again.
 */
export type ParentsOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>

export const WALK_REVISIONS_MAX = 10_000
// How much further to look when several common ancestors were met, to find out whether one is below another.
const SETTLE_REVISIONS_MAX = 1_000

class Walk {
  readonly #parentsOf: ParentsOf
  readonly #known = new Map<string, readonly string[]>()

  constructor(parentsOf: ParentsOf) {
    this.#parentsOf = parentsOf
  }

  async parentsOf(ids: readonly string[]): Promise<Map<string, readonly string[]>> {
    const unknown = ids.filter(id => !this.#known.has(id))
    if (unknown.length > 0) {
      for (const [id, parents] of await this.#parentsOf(unknown)) this.#known.set(id, parents)
    }
    return new Map(ids.map(id => [id, this.#known.get(id) ?? []]))
  }
}

/** A revision and its ancestors, nearest generation first, each once; at most `max` of them. */
export async function* ancestors(
  parentsOf: ParentsOf,
  start: string,
  max = WALK_REVISIONS_MAX,
): AsyncGenerator<string> {
  const walk = new Walk(parentsOf)
  const seen = new Set([start])
  let generation = [start]
  for (let told = 0; generation.length > 0; ) {
    for (const id of generation) {
      if (told++ === max) return
      yield id
    }
    const parents = await walk.parentsOf(generation)
    generation = [...parents.values()].flat().filter(id => !seen.has(id) && seen.add(id) !== undefined)
  }
}

export type MergeBase =
  | { readonly kind: 'found'; readonly base: string }
  /** The histories have no revision in common. */
  | { readonly kind: 'none' }
  /** They do not meet within the revisions that may be walked. */
  | { readonly kind: 'too_far' }

const OURS = 1
const THEIRS = 2
const COMMON = OURS | THEIRS

/**
 * The best common ancestor of two revisions: one that no other common ancestor has among its own ancestors. Of several
 * such, the one that is nearest to either, then the smallest id. Either revision may itself be the base.
 */
export async function mergeBase(
  parentsOf: ParentsOf,
  ours: string,
  theirs: string,
  max = WALK_REVISIONS_MAX,
): Promise<MergeBase> {
  if (ours === theirs) return { kind: 'found', base: ours }
  const meeting = new Meeting(new Walk(parentsOf))
  meeting.start(ours, OURS)
  meeting.start(theirs, THEIRS)
  // Below a common revision everything is common, so only what one side alone has reached can lead to a better one.
  while (meeting.hasWaiting(id => !meeting.isCommon(id))) {
    if (meeting.size > max) return { kind: 'too_far' }
    await meeting.step(id => !meeting.isCommon(id))
  }
  // Several were met: one of them may be an ancestor of another, by a way that was not walked yet.
  const settled = meeting.size + SETTLE_REVISIONS_MAX
  while (meeting.best().length > 1 && meeting.hasWaiting(() => true) && meeting.size <= settled) {
    await meeting.step(() => true)
  }
  const [base] = meeting.best()
  return base === undefined ? { kind: 'none' } : { kind: 'found', base }
}

/** Two walks up that paint what they reach, in generations. */
class Meeting {
  readonly #walk: Walk
  readonly #paint = new Map<string, number>()
  /** Reached from a common revision: common too, and never the best. */
  readonly #below = new Set<string>()
  readonly #distance = new Map<string, number>()
  readonly #parents = new Map<string, readonly string[]>()
  #waiting: string[] = []

  constructor(walk: Walk) {
    this.#walk = walk
  }

  get size(): number {
    return this.#paint.size
  }

  isCommon(id: string): boolean {
    return this.#paint.get(id) === COMMON
  }

  hasWaiting(test: (id: string) => boolean): boolean {
    return this.#waiting.some(test)
  }

  start(id: string, side: number): void {
    this.#paint.set(id, side)
    this.#distance.set(id, 0)
    this.#waiting.push(id)
  }

  /** Walks one generation up from those that wait and pass the test. */
  async step(test: (id: string) => boolean): Promise<void> {
    const generation = this.#waiting.filter(test)
    this.#waiting = this.#waiting.filter(id => !test(id))
    const found = await this.#walk.parentsOf(generation)
    for (const [id, parents] of found) {
      this.#parents.set(id, parents)
      this.#spread(id)
    }
  }

  /** Passes paint on to the ancestors that are known, as far as it is news to them. */
  #spread(from: string): void {
    const changed = [from]
    for (let id = changed.pop(); id !== undefined; id = changed.pop()) {
      const paint = this.#paint.get(id) as number
      for (const parent of this.#parents.get(id) ?? []) {
        const before = this.#paint.get(parent)
        if (before === undefined) {
          this.#waiting.push(parent)
          this.#distance.set(parent, (this.#distance.get(id) as number) + 1)
        }
        const isBelow = paint === COMMON && !this.#below.has(parent)
        if (isBelow) this.#below.add(parent)
        const after = (before ?? 0) | paint
        if (after === before && !isBelow) continue
        this.#paint.set(parent, after)
        changed.push(parent)
      }
    }
  }

  /** The common revisions that are not known to be below another one, the best first. */
  best(): string[] {
    const found = [...this.#paint.keys()].filter(id => this.isCommon(id) && !this.#below.has(id))
    const distance = (id: string): number => this.#distance.get(id) as number
    return found.sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1))
  }
}
