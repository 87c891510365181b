// The order and nesting of pages as a repository states them, before any page has an id. It comes from a SUMMARY.md
// (summary-outline.ts) or from the folders themselves.
import type { Reference } from '../engines/content/records.ts'
import type { SummaryLines } from '../engines/markdown/page/page.ts'

/** Where a link page leads; pages and files by their path from the project root, since nothing has an id yet. */
export type LinkTarget =
  | Extract<Reference, { kind: 'url' }>
  | { readonly kind: 'page'; readonly file: string; readonly anchor?: string }
  | { readonly kind: 'file'; readonly file: string }

/** The pages that show one of the organization's OpenAPI specifications; `props` say how. */
export type ComputedSource = {
  readonly type: 'builtin:openapi'
  readonly props: { readonly [name: string]: unknown }
  readonly dependencies: {
    readonly spec: { readonly ref: { readonly kind: 'openapi'; readonly spec: string } }
  }
}

/** Its lines in SUMMARY.md; absent if it is not written there. */
type WithSummaryLines = { readonly lines?: SummaryLines }

export type OutlineEntry = WithSummaryLines &
  (
    | {
        readonly kind: 'group'
        readonly title: string
        /** The group's name in addresses. */
        readonly slug: string
        readonly children: readonly OutlineEntry[]
      }
    | {
        readonly kind: 'page'
        /** As in SUMMARY.md; undefined if missing or empty. */
        readonly title: string | undefined
        /** The title in the navigation, if SUMMARY.md gives one. */
        readonly linkTitle?: string | undefined
        /** From the project root; undefined for an entry without a file. The file need not exist. */
        readonly file: string | undefined
        readonly children: readonly OutlineEntry[]
      }
    | {
        readonly kind: 'link'
        readonly title: string
        readonly linkTitle?: string | undefined
        readonly target: LinkTarget
      }
    | {
        /** Pages that are computed from a source. */
        readonly kind: 'computed'
        readonly title: string
        readonly source: ComputedSource
      }
  )

/** An entry in its place: parents come before their children, siblings in order. */
export type OutlineNode = {
  readonly entry: OutlineEntry
  /** The index of the parent node, or null at the top. */
  readonly parent: number | null
}

/** The outline as a list, so that nothing after this needs recursion. */
export function flattenOutline(outline: readonly OutlineEntry[]): OutlineNode[] {
  const nodes: OutlineNode[] = []
  const visit = (entries: readonly OutlineEntry[], parent: number | null) => {
    for (const entry of entries) {
      const index = nodes.push({ entry, parent }) - 1
      if (entry.kind !== 'link' && entry.kind !== 'computed') visit(entry.children, index)
    }
  }
  visit(outline, null)
  return nodes
}
