// The result of a highlighter: lines of runs, each with the kind of its token. Kinds become classes from this list, so
// colours come from the stylesheet and no inline style is needed. Code that describes a diagram is shown as its picture.

import type { Element } from 'hast'

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

/** Begins the class of a token (code.ts). */
const CLASS = 'tok-'

/**
 * The kind of the token that an element is. The class says it, and no value beside it: code has thousands of tokens, and
 * with a value on each the sanitiser takes twice as long.
 */
export function tokenKindOf({ properties: { className } }: Element): TokenKind | undefined {
  const name = Array.isArray(className) && className.length === 1 ? String(className[0]) : ''
  return name.startsWith(CLASS) ? (name.slice(CLASS.length) as TokenKind) : undefined
}

/** A run of code of one kind. */
export type Token = readonly [text: string, kind: TokenKind]

/** One entry per line, without line ends; the lines joined by `\n` are the code. */
export type HighlightedCode = readonly (readonly Token[])[]

export interface CodeBlock {
  readonly code: string
  /** As the author wrote it, in lower case; '' if none was given. */
  readonly language: string
}

/** The language of code that is shown as the picture that it describes. */
export const DIAGRAMS = 'mermaid'

/** The picture that a block of code describes, as SVG that loads nothing, for light and for dark pages. */
export interface Diagram {
  readonly light: string
  readonly dark: string
  /** In pixels. */
  readonly width: number
  readonly height: number
  readonly title?: string
  /** What it shows, in words. */
  readonly alt: string
}

/** What a block of code is shown as. */
export type ShownCode = HighlightedCode | Diagram

export const isDiagram = (shown: ShownCode): shown is Diagram => !Array.isArray(shown)

export interface Highlighted {
  /** One entry per block; undefined is shown plain. */
  readonly codes: readonly (ShownCode | undefined)[]
  /** False when some block was not ready in time: rendering the page again later shows more. */
  readonly isComplete: boolean
}

/** All code of a page at once, so that one deadline covers it. */
export type Highlight = (blocks: readonly CodeBlock[]) => Promise<Highlighted>

/** Draws the diagrams, and leaves all other code plain. */
export const withoutColours =
  (highlight: Highlight): Highlight =>
  blocks =>
    highlight(blocks.map(block => (block.language === DIAGRAMS ? block : { ...block, language: '' })))
