// The order and nesting of pages as a repository states them, before any page has an id. Two sources make one: a
// SUMMARY.md (summary-outline.ts) or the folders themselves.
import type { Reference } from '../engines/content/records.ts'
import type { SummaryLines } from '../engines/markdown/page/page.ts'

/** Where a link page leads; pages and files by their path from the project root, since nothing has an id yet. */
export type LinkTarget =
  | Extract<Reference, { kind: 'url' }>
  | { readonly kind: 'page'; readonly file: string; readonly anchor?: string }
  | { readonly kind: 'file'; readonly file: string }

/** Pages that an OpenAPI specification of the organization is shown on. `props` say how. */
export type ComputedSource = {
  readonly type: 'builtin:openapi'
  readonly props: { readonly [name: string]: unknown }
  readonly dependencies: {
    readonly spec: { readonly ref: { readonly kind: 'openapi'; readonly spec: string } }
  }
}

/** Where SUMMARY.md writes it; absent for what it does not write. */
type WithSummaryLines = { readonly lines?: SummaryLines }

export type OutlineEntry = WithSummaryLines &
  (
    | {
        readonly kind: 'group'
        readonly title: string
        /** What the group is called in addresses. */
        readonly slug: string
        readonly children: readonly OutlineEntry[]
      }
    | {
        readonly kind: 'page'
        /** As in SUMMARY.md; undefined if missing or empty. */
        readonly title: string | undefined
        /** What the navigation calls it, where SUMMARY.md says so. */
        readonly linkTitle?: string | undefined
        /** From the project root; undefined for an entry that names no file. It need not exist. */
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
        /** Pages that are made of something else. */
        readonly kind: 'computed'
        readonly title: string
        readonly source: ComputedSource
      }
  )

/** An entry at its place: parents come before their children, siblings in order. */
export type OutlineNode = {
  readonly entry: OutlineEntry
  /** The index of the node above, or null at the top. */
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
