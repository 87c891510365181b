// The index of a space: an immutable list of segments. A page that changed is removed from its segment and added to a
// later one.
import type { Language } from './language.ts'
import type { Segment } from './segment.ts'

export type SearchIndex = {
  readonly language: Language
  readonly parts: readonly {
    readonly segment: Segment
    /** Slots of removed pages. */
    readonly gone: ReadonlySet<number>
  }[]
  readonly bytes: number
  /** The number of pages that can be found. */
  readonly pages: number
}
