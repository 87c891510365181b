// Parts of an API description that a page names, and how they are shown.

/** A part of an API description, as a page names it. */
export type ApiPart = {
  readonly kind: 'operation' | 'webhook' | 'schemas'
  /** The slug of a specification, if the page names one. */
  readonly spec: string
  /** The address of a file, if the page names one, and the file that it is written in: '' is the page. */
  readonly src: string
  readonly from: string
  /** In lower case. */
  readonly method: string
  /** A path, or the name of a webhook. */
  readonly path: string
  /** Of schemas. */
  readonly names: readonly string[]
  /** Whether folded parts start open. */
  readonly isExpanded: boolean
  /** Whether schemas are a list of names that open. */
  readonly isGrouped: boolean
  /** Whether the page already has its title and description. */
  readonly isHeadless: boolean
  /** The level of a heading here, 2 to 6. */
  readonly level: number
}

/** Markup that is safe as it is, Markdown that is not, or why there is neither. */
export type ShownPart =
  | { readonly html: string }
  | { readonly markdown: string }
  | { readonly missing: 'description' | 'part' | 'too much' | 'nothing' }

/** One answer for each. */
export type ShowParts = (parts: readonly ApiPart[]) => Promise<readonly ShownPart[]>

/** Where a part is to be shown; if there is nothing to show, `fill` says why in its place. */
export type PartHole = { fill(shown: ShownPart): void }
