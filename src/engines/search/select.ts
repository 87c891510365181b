// The first of many, without sorting all of them.

/** Of the numbers below `count` those that come first in an order, at most `wanted`, in that order. */
export function selectFirst(
  count: number,
  wanted: number,
  order: (one: number, other: number) => number,
): number[] {
  // A heap whose top is the last of those that are kept.
  const heap: number[] = []
  for (let item = 0; item < count; item++) {
    if (heap.length < wanted) {
      heap.push(item)
      rise(heap, heap.length - 1, order)
    } else if (wanted > 0 && order(item, heap[0]!) < 0) {
      heap[0] = item
      sink(heap, order)
    }
  }
  return heap.sort(order)
}

function rise(heap: number[], from: number, order: (one: number, other: number) => number): void {
  for (let at = from; at > 0; ) {
    const above = (at - 1) >> 1
    if (order(heap[at]!, heap[above]!) <= 0) return
    swap(heap, at, above)
    at = above
  }
}

function sink(heap: number[], order: (one: number, other: number) => number): void {
  for (let at = 0; ; ) {
    let last = at
    for (const below of [2 * at + 1, 2 * at + 2])
      if (below < heap.length && order(heap[below]!, heap[last]!) > 0) last = below
    if (last === at) return
    swap(heap, at, last)
    at = last
  }
}

function swap(heap: number[], one: number, other: number): void {
  const kept = heap[one]!
  heap[one] = heap[other]!
  heap[other] = kept
}
