// Which items may stay in place when a list is reordered.

type Link<T> = { readonly item: T; readonly value: number; readonly previous: Link<T> | undefined }

/** A longest subsequence whose values strictly ascend, in O(n log n) (patience sorting). */
export function longestAscending<T>(items: readonly T[], rankOf: (item: T) => number): T[] {
  // For each length, the smallest value at which a run of that length ends.
  const ends: Link<T>[] = []
  for (const item of items) {
    const value = rankOf(item)
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((ends[middle]?.value ?? Number.POSITIVE_INFINITY) < value) low = middle + 1
      else high = middle
    }
    ends[low] = { item, value, previous: ends[low - 1] }
  }
  const run: T[] = []
  for (let link = ends.at(-1); link !== undefined; link = link.previous) run.push(link.item)
  return run.reverse()
}
