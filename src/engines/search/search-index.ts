// The index of a space: a value that is made of segments. Pages that changed are gone from the segment they were in, and
// stand in a later one.
import type { Language } from './language.ts'
import type { Segment } from './segment.ts'

export type SearchIndex = {
  readonly language: Language
  readonly parts: readonly {
    readonly segment: Segment
    /** Slots of pages that are not found any more. */
    readonly gone: ReadonlySet<number>
  }[]
  readonly bytes: number
  /** Those that may be found. */
  readonly pages: number
}
