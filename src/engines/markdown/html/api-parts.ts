// Parts of an API description that a page names, and what is shown of them.

/** A part of an API description, as a page names it. */
export type ApiPart = {
  readonly kind: 'operation' | 'webhook' | 'schemas'
  /** The slug of a specification, where one is named. */
  readonly spec: string
  /** The address of a file, where one is named, and what it is written in: '' is the page. */
  readonly src: string
  readonly from: string
  /** In lower case. */
  readonly method: string
  /** A path, or the name of a webhook. */
  readonly path: string
  /** Of schemas. */
  readonly names: readonly string[]
  /** Whether what is folded is open at first. */
  readonly isExpanded: boolean
  /** Whether the page has its title and its description already. */
  readonly isHeadless: boolean
  /** The level of a heading here, 2 to 6. */
  readonly level: number
}

/** Markup that is safe as it is, or Markdown that is not, or why there is none. */
export type ShownPart =
  | { readonly html: string }
  | { readonly markdown: string }
  | { readonly missing: 'description' | 'part' | 'too much' | 'nothing' }

/** One answer for each. */
export type ShowParts = (parts: readonly ApiPart[]) => Promise<readonly ShownPart[]>

/** Where a part is to be shown; where nothing is, `fill` says in its place why. */
export type PartHole = { fill(shown: ShownPart): void }
