// The first of many items, without sorting all of them.

/** The first `wanted` items by an order, sorted. */
export function selectFirst(items: Iterable<number>, wanted: number, order: Order): number[] {
  // A heap with the last of the kept items on top.
  const heap: number[] = []
  for (const item of items) {
    const [last] = heap
    if (heap.length < wanted) insert(heap, item, order)
    else if (last !== undefined && order(item, last) < 0) replaceTop(heap, item, order)
  }
  return heap.sort(order)
}

type Order = (one: number, other: number) => number

function insert(heap: number[], item: number, order: Order): void {
  let at = heap.length
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || order(item, above) <= 0) break
    heap[at] = above
    at = parent
  }
  heap[at] = item
}

function replaceTop(heap: number[], item: number, order: Order): void {
  for (let at = 0; ; ) {
    let [next, last] = [at, item]
    for (const below of [2 * at + 1, 2 * at + 2]) {
      const other = heap[below]
      if (other !== undefined && order(other, last) > 0) [next, last] = [below, other]
    }
    heap[at] = last
    if (next === at) return
    at = next
  }
}
