// The data of the pages about a change request.
import type { PreviewView, Shell, SpaceView, TreeItem } from '../layout/view.ts'

/** One thing that differs. */
export interface ChangeItem {
  readonly title: string
  /** Its path; empty if it has none. */
  readonly path: string
  /** What happened to it, in words: `Added`, `Moved`. */
  readonly kinds: readonly ChangeWord[]
  /** The item in the change request; null if it is deleted there. */
  readonly href: string | null
  /** What differs in it; null if nothing can be shown. */
  readonly differencesHref: string | null
}

export type ChangeWord =
  | 'Added'
  | 'Removed'
  | 'Edited'
  | 'Renamed'
  | 'Moved'
  | 'Reordered'
  | 'Settings changed'

/** A field with its two values in words; null for an absent value. */
export interface MetadataView {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

export interface ChangeGroup {
  readonly items: readonly ChangeItem[]
  /** How many are not shown. */
  readonly more: number
}

export interface ChangeRequestView extends Omit<PreviewView, 'differencesHref'> {
  readonly author: string
  readonly createdAt: string
  readonly mergedBy: string | null
  readonly mergedAt: string | null
  readonly isOutdated: boolean
  readonly openComments: number
  /** Slugs of private specifications that a merge by the reader would show to all readers. */
  readonly publishes: readonly string[]
  /** Sanitised markup; null if nothing was written. */
  readonly description: string | null
  /** The preview of the first page. */
  readonly previewHref: string | null
  readonly pages: ChangeGroup
  readonly files: ChangeGroup
  readonly reusables: ChangeGroup
  readonly variables: readonly MetadataView[]
  readonly moreVariables: number
}

export interface ChangeRequestPage {
  readonly shell: Shell
  readonly space: SpaceView
  readonly tree: readonly TreeItem[]
  readonly changeRequest: ChangeRequestView
}

export interface WordRunView {
  readonly kind: 'equal' | 'removed' | 'inserted'
  readonly text: string
}

/** A block of a page, or several that stayed. `html` is sanitised markup. */
export type BlockView =
  | { readonly kind: 'equal'; readonly count: number; readonly html: string }
  | { readonly kind: 'inserted' | 'removed' | 'moved'; readonly html: string }
  | { readonly kind: 'modified'; readonly isMoved: boolean; readonly runs: readonly WordRunView[] }

export interface DifferencesPage {
  readonly shell: Shell
  readonly space: SpaceView
  readonly tree: readonly TreeItem[]
  readonly changeRequest: Omit<PreviewView, 'differencesHref'>
  readonly page: {
    readonly id: string
    readonly title: string
    readonly kinds: readonly ChangeWord[]
    /** The preview; null if the page is deleted. */
    readonly href: string | null
  }
  readonly facts: readonly MetadataView[]
  readonly blocks: readonly BlockView[]
  /** How many changed blocks are not shown. */
  readonly more: number
  /** Whether the two texts are too long to compare. */
  readonly isTooMuch: boolean
}
