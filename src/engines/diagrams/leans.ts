// Things that lean to a side: the library has no shape for them, so they go to it as another, with a width of their line
// that says how they lean.
import type { Shape } from './draft.ts'
import type { Point } from './parts.ts'

export const LEANS: Readonly<Partial<Record<Shape, string>>> = { 'lean-right': '101', 'lean-left': '102' }

/** From the corners of a thing that is narrower at its top, in the order in which the library draws them. */
const leaning =
  (isRight: boolean) =>
  ([a, b, c, d]: readonly Point[]): Point[] | undefined => {
    if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
    const inset = a[0] - d[0]
    return isRight ? [a, [c[0], b[1]], [c[0] - inset, c[1]], d] : [[d[0], a[1]], b, c, [d[0] + inset, d[1]]]
  }

/** By the width of their line: the corners of what leans, from those that the library gives it. */
export const LEAN_WIDTHS: ReadonlyMap<string, (corners: readonly Point[]) => Point[] | undefined> = new Map([
  [LEANS['lean-right'] ?? '', leaning(true)],
  [LEANS['lean-left'] ?? '', leaning(false)],
])
