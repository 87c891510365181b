// A page of values already in memory, under the same rules as a page of rows (platform/db/page.ts).
import { assert, assertDefined } from '../base/assert.ts'
import type { Json } from '../base/canonical.ts'
import { type CursorKey, decodeCursor, encodeCursor } from '../base/cursor.ts'
import { LIMIT_ITEMS_DEFAULT } from '../base/list-limits.ts'

/**
 * `values` in order; `keyOf` answers the sort key, so that a list keeps its place when values come and go between two
 * calls. Cost: one binary search.
 */
export function pageOfValues<T>(
  values: readonly T[],
  query: {
    question: Json
    keyOf: (value: T) => readonly string[]
    page?: string | undefined
    limit?: number | undefined
  },
): { items: T[]; count: number; next?: string } {
  const limit = query.limit ?? LIMIT_ITEMS_DEFAULT
  const start =
    query.page === undefined ? 0 : firstAfter(values, query.keyOf, decodeCursor(query.question, query.page))
  const items = values.slice(start, start + limit)
  const last = items.at(-1)
  const isLastPage = limit === 0 || start + limit >= values.length
  if (isLastPage) return { items, count: values.length }
  assert(last !== undefined, 'a page that is not the last has a last item')
  return { items, count: values.length, next: encodeCursor(query.question, query.keyOf(last)) }
}

function firstAfter<T>(
  values: readonly T[],
  keyOf: (value: T) => readonly string[],
  after: readonly CursorKey[],
): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    const value = assertDefined(values[middle], 'the middle is within the list')
    if (isAfter(keyOf(value), after)) high = middle
    else low = middle + 1
  }
  return low
}

function isAfter(key: readonly string[], after: readonly CursorKey[]): boolean {
  for (const [index, part] of key.entries()) {
    const other = String(after[index] ?? '')
    if (part !== other) return part > other
  }
  return false
}
