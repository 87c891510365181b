// The result of a highlighter: lines of runs, each with the kind of its token. Kinds become classes from this list, so
// colours come from the stylesheet and no inline style is needed.

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

/** One entry per line, without line ends; the lines joined by `\n` are the code. */
export type HighlightedCode = readonly (readonly Token[])[]

export interface CodeBlock {
  readonly code: string
  /** As the author wrote it, in lower case; '' if none was given. */
  readonly language: string
}

export interface Highlighted {
  /** One entry per block; undefined is shown plain. */
  readonly codes: readonly (HighlightedCode | undefined)[]
  /** False when some block was not ready in time: rendering the page again later shows more. */
  readonly isComplete: boolean
}

/** All code of a page at once, so that one deadline covers it. */
export type Highlight = (blocks: readonly CodeBlock[]) => Promise<Highlighted>
