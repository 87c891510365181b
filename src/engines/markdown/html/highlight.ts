// What a highlighter hands over: lines of runs, each with the kind of its token. Kinds become classes from this
// list, so colours are the stylesheet's and no inline style is needed.

export const TOKEN_KINDS = [
  'plain',
  'comment',
  'keyword',
  'string',
  'number',
  'constant',
  'function',
  'type',
  'property',
  'variable',
  'tag',
  'attribute',
  'operator',
  'punctuation',
  'heading',
  'link',
  'inserted',
  'deleted',
] as const

export type TokenKind = (typeof TOKEN_KINDS)[number]

/** A run of code of one kind. */
export type Token = readonly [text: string, kind: TokenKind]

/** One entry a line, without line ends; the runs joined by `\n` give the code back. */
export type HighlightedCode = readonly (readonly Token[])[]

export interface CodeBlock {
  readonly code: string
  /** As the author wrote it, in lower case; '' when none was given. */
  readonly language: string
}

export interface Highlighted {
  /** One entry a block; undefined is shown plain. */
  readonly codes: readonly (HighlightedCode | undefined)[]
  /** False when some block was not ready in time: rendering the page again later shows more. */
  readonly isComplete: boolean
}

/** All code of a page at once, so that one deadline covers it. */
export type Highlight = (blocks: readonly CodeBlock[]) => Promise<Highlighted>
