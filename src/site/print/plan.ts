// The pages of a print view, in reading order.
import type { Content } from '../../engines/content/content.ts'
import type { PageRecord } from '../../engines/content/records.ts'
import { walkPages } from '../../engines/content/tree.ts'

export type PrintedPage = {
  readonly id: string
  readonly record: PageRecord
  /** 1 for the outermost pages that are printed. */
  readonly depth: number
}

/**
 * All pages of the navigation, or `page` with its subpages, or without them if `isAlone`. Hidden pages are left out
 * with everything below them, unless one is requested itself. Links to elsewhere have nothing to print.
 */
export function planPrint(content: Content, page: string | null, isAlone: boolean): PrintedPage[] {
  const printed: PrintedPage[] = []
  let start = page === null ? 1 : undefined
  let skippedDepth = Number.POSITIVE_INFINITY
  for (const { id, page: record, depth } of walkPages(content)) {
    if (start === undefined && id !== page) continue
    if (start === undefined) start = depth
    else if (page !== null && depth <= start) break
    if (depth > skippedDepth) continue
    skippedDepth = Number.POSITIVE_INFINITY
    if (record.hidden === true && id !== page) {
      skippedDepth = depth
      continue
    }
    if (record.type === 'document' || record.type === 'group')
      printed.push({ id, record, depth: depth - start + 1 })
    if (isAlone) break
  }
  return printed
}
