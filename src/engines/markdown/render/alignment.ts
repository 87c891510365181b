// The elements that two sequences share, in order: Myers' greedy search for the fewest differences, cut into stretches
// so that it stays linear however different they are.

/** Elements `a … a + length` of one sequence are the elements `b … b + length` of the other. */
export type Run = { readonly a: number; readonly b: number; readonly length: number }

/**
 * How many differences are searched at once. After that many, the path that got furthest is kept and the search starts
 * again at its end: n elements take at most 2 × 256 × n steps.
 */
const DIFFERENCES_MAX = 256

/** The runs that two sequences share, in ascending order; none is empty, and no two touch in both. */
export function align(a: readonly unknown[], b: readonly unknown[]): Run[] {
  const runs: Run[] = []
  const add = (run: Run): void => {
    const last = runs.at(-1)
    if (last !== undefined && last.a + last.length === run.a && last.b + last.length === run.b)
      runs[runs.length - 1] = { ...last, length: last.length + run.length }
    else if (run.length > 0) runs.push(run)
  }
  let end = 0
  while (end < a.length && end < b.length && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const ends = [a.length - end, b.length - end] as const
  let from: readonly [number, number] = [0, 0]
  while (from[0] < ends[0] && from[1] < ends[1]) {
    const { path, to } = stretch(a, b, from, ends)
    for (const run of path) add(run)
    from = to
  }
  add({ a: ends[0], b: ends[1], length: end })
  return runs
}

type Point = readonly [a: number, b: number]

/** The shared runs from one place on, as far as a bounded number of differences leads. */
function stretch(
  a: readonly unknown[],
  b: readonly unknown[],
  from: Point,
  [endA, endB]: Point,
): { path: Run[]; to: Point } {
  /** For each number of differences, how far in `a` each diagonal got, the lowest diagonal first. */
  const reached: Int32Array[] = []
  let last = new Int32Array()
  for (let differences = 0; differences <= DIFFERENCES_MAX; differences++) {
    const before = reached[differences - 1]
    const here = new Int32Array(2 * differences + 1).fill(-1)
    reached.push(here)
    last = here
    for (let index = 0; index < here.length; index++) {
      const start = entry(before, index, differences, from)
      const diagonal = index - differences
      let x = start
      let y = x - from[0] - diagonal + from[1]
      if (x < 0 || x > endA || y < 0 || y > endB) continue
      while (x < endA && y < endB && a[x] === b[y]) {
        x++
        y++
      }
      here[index] = x
      if (x === endA && y === endB) return { path: walkBack(reached, index, from), to: [x, y] }
    }
  }
  let best = 0
  let furthest = -1
  for (const [index, end] of last.entries()) {
    const progress = end < 0 ? -1 : 2 * end - index
    if (progress <= furthest) continue
    best = index
    furthest = progress
  }
  const x = last[best] ?? endA
  const to: Point = [x, x - from[0] - (best - DIFFERENCES_MAX) + from[1]]
  return { path: walkBack(reached, best, from), to }
}

/** Where a diagonal begins with one more difference: after an element of `a`, or one of `b`, that is left out. */
function entry(before: Int32Array | undefined, index: number, differences: number, from: Point): number {
  if (before === undefined || differences === 0) return from[0]
  const left = before[index - 2] ?? -1
  const above = before[index] ?? -1
  return left >= above ? (left < 0 ? -1 : left + 1) : above
}

function walkBack(reached: readonly Int32Array[], at: number, from: Point): Run[] {
  const path: Run[] = []
  let index = at
  for (const [differences, here] of [...reached.entries()].reverse()) {
    const x = here[index] ?? -1
    const before = reached[differences - 1]
    const start = entry(before, index, differences, from)
    const offset = from[1] - from[0] - (index - differences)
    if (x > start) path.push({ a: start, b: start + offset, length: x - start })
    if (before === undefined) break
    // Leaving out an element of `a` comes from the diagonal below, two places earlier in the wider row.
    const left = before[index - 2] ?? -1
    const above = before[index] ?? -1
    index = left >= above ? index - 2 : index
  }
  return path.reverse()
}
