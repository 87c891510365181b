/**
 * The option of an LRUCache that keeps so many entries and takes memory for those it has. With `max` it takes memory for
 * all of them when it is made, and `clear()` goes over all of it.
 */
export const entries = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
