// The names that a request gives to what it inserts, so that its texts can link to what has no id yet.
import { refuse } from './refuse.ts'

/** The thing that a name or a destination means. */
export type Made = { readonly kind: 'page' | 'file' | 'reusable-content'; readonly id: string }

type Named = Made & { readonly ref: string; readonly index: number; readonly field: string }

export class Refs {
  readonly #byName = new Map<string, Named>()
  readonly #byDestination = new Map<string, Made>()

  /** Throws when the name, or what texts would write for it, is another's already. */
  add(named: Named): void {
    const { ref, index, field } = named
    const destinations = destinationsOf(named)
    if (this.#byName.has(ref) || destinations.some(one => this.#byDestination.has(one)))
      throw refuse(index, field, `"${ref}" names something else in this request. Give each a ref of its own.`)
    this.#byName.set(ref, named)
    for (const destination of destinations) this.#byDestination.set(destination, named)
  }

  get named(): Iterable<Named> {
    return this.#byName.values()
  }

  find(ref: string): Made | undefined {
    return this.#byName.get(ref)
  }

  /** The thing that a destination without its anchor means: `./<ref>.md`, `./<ref>`. */
  findDestination(destination: string): Made | undefined {
    return this.#byDestination.get(destination)
  }
}

/** Files are written with their own ending or none; texts end in `.md`, and may leave it away. */
const destinationsOf = ({ kind, ref }: Named): string[] =>
  kind === 'file' ? [`./${ref}`] : [`./${ref}.md`, `./${ref}`]
