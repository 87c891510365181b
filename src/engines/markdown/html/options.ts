// The options of the HTML renderer, and its result.
import type { Block, Position, Root } from '../syntax/syntax.ts'
import type { ShowParts } from './api-parts.ts'
import type { Highlight } from './highlight.ts'

/** Where in the page the address is; a resolver may answer differently for a page reference and a plain link. */
export type LinkKind = 'link' | 'content-ref' | 'card' | 'button' | 'mention' | 'file' | 'embed' | 'openapi'

/** Where an address in the content leads. The renderer escapes every text and checks every `href`. */
export interface LinkTarget {
  readonly href: string
  /** Leads out of this server: gets `rel="noopener noreferrer"`. */
  readonly isExternal: boolean
  /** Leads nowhere: the words are shown without a link. */
  readonly isBroken: boolean
  /** Leads to a page that does not have the place that its anchor names. */
  readonly lacksPlace?: boolean
  /** Shown as a tooltip. */
  readonly title?: string
  /** Name of the target, for references that show it: a page's title, a file's name. */
  readonly label?: string
  readonly description?: string
  /** Emoji (characters or hex code points) or icon name of the target. */
  readonly emoji?: string
  readonly icon?: string
  /** The page and the space that it leads to, for programs that show pages in a place of their own. */
  readonly page?: string
  readonly space?: string
  /** A person, who is mentioned: has no address, and is shown by the label, else by the words there. */
  readonly user?: string
}

export interface ImageSource {
  readonly src: string
  /** Pixels of the picture, so that the page does not jump while it loads. */
  readonly width?: number
  readonly height?: number
}

/** Content in a file of its own. Its addresses are relative to that file, hence its own resolvers. */
export interface Reusable {
  readonly root: Root
  readonly resolveLink?: HtmlOptions['resolveLink']
  readonly resolveImage?: HtmlOptions['resolveImage']
  readonly resolveSearch?: HtmlOptions['resolveSearch']
  readonly source?: HtmlOptions['source']
}

export interface HtmlOptions {
  resolveLink(destination: string, kind: LinkKind): LinkTarget
  /** Where a search for these words leads; without it, buttons that ask or search are shown as their words. */
  resolveSearch?(query: string): LinkTarget | undefined
  /** Undefined shows the alternative text in the picture's place. */
  resolveImage(destination: string): ImageSource | undefined
  readonly highlight?: Highlight
  /** Called once with all parts of API descriptions that the page names. Without it, nothing is shown of them. */
  readonly showParts?: ShowParts
  /** What the addresses are written in, for `showParts`. */
  readonly source?: string
  /** Leaves out the page's first `#` heading if it says the same: the reader shows the title itself. */
  readonly pageTitle?: string
  reusable?(destination: string): Reusable | undefined
  /**
   * Put before every id of the page, and in links within it, so that one document can hold several pages; `resolveLink`
   * returns `##<id>` for a place elsewhere in that document.
   */
  readonly idPrefix?: string
  /** Pictures load with the page, not when they come into view: a printed page is not scrolled. */
  readonly loadsAtOnce?: boolean
  /** What identifies a block of `root`, for `data-block` of what is shown of it. */
  blockKey?(block: Block): string | undefined
  /** Values of `{% vars.name %}` and of `<code class="expression">space.vars.name</code>`. */
  readonly variables?: Readonly<Record<string, string | number | boolean>>
}

export interface HtmlOutlineEntry {
  /** Id of the heading in `html`, and the anchor of its search section. */
  readonly id: string
  readonly text: string
  /** The heading's depth in Markdown, 1 to 3. */
  readonly level: number
}

/** Something that a writer may want to know; the page is shown nevertheless. */
export interface HtmlProblem {
  readonly code:
    | 'broken_link'
    | 'missing_place'
    | 'refused_link'
    | 'missing_image'
    | 'missing_content'
    | 'missing_specification'
    | 'nested_content'
    | 'unknown_tag'
    | 'unreadable_formula'
    | 'too_long'
  readonly message: string
  /** The address, the name or the formula that it is about; empty for the page. */
  readonly about: string
  /** In the page's source; absent in other texts that the page shows. */
  readonly position?: Position
}

export interface RenderedHtml {
  readonly html: string
  readonly outline: readonly HtmlOutlineEntry[]
  /** The first of them, in the order in which they were met. */
  readonly problems: readonly HtmlProblem[]
  /** How many more the page's own source has. */
  readonly moreProblems: number
  /** False if code was shown plain because colouring was not ready in time: worth showing once, not caching. */
  readonly isComplete: boolean
}
