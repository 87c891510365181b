// Lists in HTML.
import type { Element } from '../syntax/syntax.ts'

/** The number that an `<ol>` begins with, read as browsers do (HTML, "rules for parsing integers"): 1 if it says none. */
export function firstNumberOf({ attributes: { start = '' } }: Element): number {
  const first = Number.parseInt(start, 10)
  return Number.isSafeInteger(first) ? first : 1
}
