// HTML of texts, as a service: its caches and threads are made once for the process (api/rendering).
import type { SpecSight } from '../access/spec-sight.ts'
import type { IdentifiedText } from '../compute/texts-html.ts'
import type { Content } from '../engines/content/content.ts'
import type { PageRecord } from '../engines/content/records.ts'
import type { ApiPart, HtmlOutlineEntry, ShownPart, ShowParts } from '../engines/markdown/html/html.ts'
import type { Highlight } from '../engines/markdown/html/values.ts'
import type { PoolCounts } from '../platform/pool/pool.ts'

export interface Rendering {
  readonly highlighter: Highlighter
  readonly apiParts: ApiParts
  readonly pages: PageRenderer
  readonly texts: TextRenderer
  /** Ends their threads. */
  close(): Promise<void>
}

/** Colours for code, and pictures of diagrams. */
export interface Highlighter {
  readonly highlight: Highlight
  /** For each pool, by the purpose of its tasks. */
  counts(): { readonly highlighting: PoolCounts; readonly drawing: PoolCounts }
  /** Ends the threads; what waits for them stays plain this time. A later call starts others. */
  close(): Promise<void>
}

export type RenderedPage = {
  readonly html: string
  readonly outline: readonly HtmlOutlineEntry[]
  /** Where its readers may send requests. */
  readonly origins?: readonly string[]
  /** False if some of it is not shown as it should be, and may be soon. */
  readonly isWhole: boolean
}

/** `root` identifies the content; `base` is the address above its pages. */
export type PagePlace = {
  readonly spaceId: string
  readonly base: string
  readonly root: string
  readonly sight: SpecSight
  /** Whether it is for the workspace: blocks carry their keys and links the ids of pages, and nothing in it runs. */
  readonly isKeyed?: boolean
}

export interface PageRenderer {
  render(at: PagePlace, content: Content, id: string, record: PageRecord): Promise<RenderedPage>
}

/** The discussion that texts are in, whose pages they name by id. */
export type PlaceOfTexts = {
  readonly space: { readonly id: string; readonly organization_id: string }
  readonly content: Content
  /** The number of the change request that the content is of. */
  readonly changeRequest: number | null
}

/** Of texts that are in no file, such as comments. */
export interface TextRenderer {
  /** In their order. Throws `unavailable` if too much else waits. */
  render(place: PlaceOfTexts, texts: readonly IdentifiedText[]): Promise<readonly string[]>
}

/** Addresses of the files that drawn parts need on a page. */
export type PartAssets = { readonly stylesheet: string; readonly tryScript: string }

/** The description that a page names, as written there. */
export type Named = Pick<ApiPart, 'spec' | 'src' | 'from'>

/** Where it is: a specification of the organization by slug or address, or a file of the content. */
type SpecLocation =
  | { readonly kind: 'spec'; readonly name: string }
  | { readonly kind: 'file'; readonly blob: string; readonly size: number }
  | undefined
export type Described = (named: Named) => SpecLocation

export type Version =
  | { readonly kind: 'spec'; readonly id: string }
  | { readonly kind: 'file'; readonly blob: string; readonly size: number }
  | undefined

export type Versions = {
  /** One for each description that was named. */
  readonly of: readonly Version[]
  /** Equal for equal versions. */
  readonly digest: string
}

export interface ApiParts {
  /** Only finds descriptions of this space's organization that `sight` reaches. */
  versionsOf(
    spaceId: string,
    sight: SpecSight,
    named: readonly Named[],
    described: Described,
  ): Promise<Versions>
  /** Draws each part, and says where its readers may send requests. Throws `unavailable` if too much else waits. */
  show(
    spaceId: string,
    parts: readonly ApiPart[],
    versions: Versions,
    options: { readonly hasScript: boolean },
  ): Promise<{ readonly shown: readonly ShownPart[]; readonly origins: readonly string[] }>
  /** Writes the newest version of each as Markdown, for the page in `file`. Throws like `show`. */
  writerFor(spaceId: string, sight: SpecSight, content: Content, file: string): ShowParts
  close(): Promise<void>
}
