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

/** All code of a page at once, so that one deadline covers it; undefined where there is nothing to show. */
export type Highlight = (blocks: readonly CodeBlock[]) => Promise<readonly (HighlightedCode | undefined)[]>
