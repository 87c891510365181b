// The data that the reader's templates render. The routes load it; nothing here knows a row, a permission or a URL
// scheme. Every `href` may come from content (link pages of a summary) and so may be hostile: templates pass it
// through `safeHref`.

/** The frame of every page of the reader. */
export interface Shell {
  /** From the cookie `octavo_theme`; `system` follows the device's setting. */
  readonly theme: Theme
  /** Who is reading, and the token their forms must send; null if not signed in. */
  readonly visitor: { readonly id: string; readonly name: string } | null
  readonly signInHref: string
  /** Where assets are served, from assets.ts. */
  readonly assets: AssetPaths
}

export type Theme = 'system' | 'light' | 'dark'

export interface AssetPaths {
  readonly stylesheet: string
  readonly script: string
  /** The script of pages that ask for a passkey. */
  readonly passkeys: string
  readonly icon: string
}

/** The space that the visitor reads. */
export interface SpaceView {
  readonly id: string
  readonly title: string
  readonly href: string
  /** An emoji as text (`🚀`) or its code points in hex (`1f680`). */
  readonly emoji: string | null
  /** Language of the content if known (`zh`, `pt-BR`), for fonts, hyphenation and screen readers. */
  readonly language: string | null
  /** GET target of the search form; gets `q`, and `fragment=1` from the script. */
  readonly searchAction: string
}

export interface TreeItem {
  readonly id: string
  readonly kind: 'document' | 'group' | 'link'
  readonly title: string
  /** Null for a group, and for a link whose target is missing. */
  readonly href: string | null
  readonly emoji: string | null
  readonly icon: string | null
  readonly children: readonly TreeItem[]
}

/** A link with its text. */
export interface Crumb {
  readonly title: string
  readonly href: string | null
}

export interface OutlineEntry {
  readonly id: string
  readonly text: string
  /** The heading's own level, 1 to 3. */
  readonly level: number
}

export interface CoverView {
  readonly src: string
  readonly srcDark: string | null
  /** Vertical shift of the picture, the content's `yPos`; 0 is the middle. */
  readonly yPos: number
  /** In pixels; null for the usual height. */
  readonly height: number | null
  /** `hero` spans the page; `full` spans the whole width above the columns. */
  readonly size: 'hero' | 'full'
}

/** Which parts a page shows; all of them by default. */
export interface LayoutView {
  readonly width: 'default' | 'wide'
  readonly title: boolean
  readonly description: boolean
  readonly cover: boolean
  readonly tableOfContents: boolean
  readonly outline: boolean
  readonly pagination: boolean
  readonly metadata: boolean
}

export const DEFAULT_LAYOUT: LayoutView = {
  width: 'default',
  title: true,
  description: true,
  cover: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
}

export interface PageView {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly emoji: string | null
  readonly icon: string | null
  /** Sanitised markup of the body, from engines/markdown/html/html.ts. */
  readonly html: string
  readonly outline: readonly OutlineEntry[]
  /** Ancestors, outermost first, without the page itself. */
  readonly breadcrumbs: readonly Crumb[]
  readonly previous: Crumb | null
  readonly next: Crumb | null
  readonly cover: CoverView | null
  readonly layout: LayoutView
  /** RFC 3339, UTC. */
  readonly updatedAt: string | null
  /** The page as Markdown; null if another page has that path. */
  readonly markdownHref: string | null
  /** Absolute address for search engines. */
  readonly canonicalHref: string | null
  /** Whether robots are asked to leave the page out. */
  readonly isUnlisted: boolean
}

/** Marks a page as a preview of a change request. */
export interface PreviewView {
  readonly number: number
  readonly subject: string
  readonly status: 'draft' | 'open' | 'archived' | 'merged'
  /** The change request, in the workspace. */
  readonly href: string
  /** What differs on this page, in the workspace; null if nothing does. */
  readonly differencesHref: string | null
}

/** Links on a page for members of its space. */
export interface MemberLinks {
  /** Null for those who may not propose changes. */
  readonly editHref: string | null
  readonly changeRequestsHref: string
  readonly historyHref: string
  readonly pdfPageHref: string
  readonly pdfSpaceHref: string
  readonly printPageHref: string
  readonly printSpaceHref: string
}

export interface ReaderPage {
  readonly shell: Shell
  readonly space: SpaceView
  readonly tree: readonly TreeItem[]
  readonly page: PageView
  /** Null for a published page. */
  readonly preview?: PreviewView | null
  /** Null for visitors. */
  readonly member?: MemberLinks | null
}

/** Who can read a space. */
export type Visibility = 'public' | 'unlisted' | 'share-link' | 'visitor-auth' | 'in-collection' | 'private'

/** What other sites show of a link to a page (https://ogp.me). */
export interface LinkPreview {
  /** Absolute, the canonical one of the page. */
  readonly href: string
  readonly title: string
  readonly description: string | null
  readonly siteName: string
  /** Absolute; null without one. */
  readonly image: string | null
  /** RFC 3339, UTC. */
  readonly changedAt: string | null
}

export interface SpaceCard {
  readonly title: string
  readonly href: string
  readonly emoji: string | null
  /** Shown on the card, unless it is public. */
  readonly visibility: Visibility
  readonly updatedAt: string | null
}

export interface HomePage {
  readonly shell: Shell
  readonly spaces: readonly SpaceCard[]
}

/** A run of a snippet; `isMatch` marks what the query found. */
export interface SnippetRun {
  readonly text: string
  readonly isMatch: boolean
}

export interface SearchHit {
  readonly title: readonly SnippetRun[]
  readonly href: string
  readonly emoji: string | null
  readonly icon: string | null
  readonly breadcrumbs: readonly string[]
  /** The description of the page, with the words of the query marked; empty without one. */
  readonly snippet: readonly SnippetRun[]
  readonly sections: readonly {
    readonly title: readonly SnippetRun[]
    readonly href: string
    readonly snippet: readonly SnippetRun[]
  }[]
}

export interface SearchView {
  readonly query: string
  readonly hits: readonly SearchHit[]
  /** The number of all pages found. */
  readonly count: number
  /** Words that were also searched for, in place of likely typos. */
  readonly corrections: readonly string[]
  /** GET target for the next hits. */
  readonly nextHref: string | null
}

export interface SearchPage {
  readonly shell: Shell
  readonly space: SpaceView
  readonly tree: readonly TreeItem[]
  readonly search: SearchView
}

/** A space without content. */
export interface EmptySpacePage {
  readonly shell: Shell
  readonly space: SpaceView
}

/** 404 for a page that does not exist or is hidden from the visitor; inside its space if the visitor can see that. */
export interface MissingPage {
  readonly shell: Shell
  readonly space: SpaceView | null
  readonly tree: readonly TreeItem[]
}
