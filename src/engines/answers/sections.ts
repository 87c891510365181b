// What answers are quoted from: sections that search found, in blocks and pieces.

/** The smallest thing that is quoted, such as a sentence. */
export type QuotablePiece = { readonly text: string; readonly markdown: string }

/** A block of a section as it can be quoted. `steps` and `code` are one piece. */
export type Block = {
  readonly kind: 'prose' | 'list' | 'steps' | 'code' | 'table'
  readonly head?: string
  readonly pieces: readonly QuotablePiece[]
}

/** A section that was found, best first. */
export type Section = {
  readonly title: string
  readonly heading: string
  /** The language of its space. */
  readonly language: string | null
  /** How well it matched, relative to the others. */
  readonly score: number
  readonly blocks: readonly Block[]
}
