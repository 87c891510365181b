// One line of Markdown before its escapes: what it says, and which of its characters are words and which are markup.
import type { Mark } from '../document/document.ts'
import { flanksOf, pointAt, pointBefore } from '../syntax/syntax.ts'

/** The kind of a character. Words are escaped where they would be read as markup; the rest is written as is. */
export const KIND = {
  markup: 0,
  words: 1,
  /** Words of which only the plain text is read (a label, an expression): no emojis and variables are found in them. */
  label: 2,
  /** The `*`, `_` and `~` of emphasis. */
  delimiter: 3,
  linkStart: 4,
  linkEnd: 5,
  lineEnd: 6,
} as const
export type Kind = (typeof KIND)[keyof typeof KIND]

export type EmphasisMark = 'bold' | 'italic' | 'strikethrough'

/** A part of a line, and what its characters are. */
export type Segment = readonly [kind: Kind, value: string]

export type Token =
  | { readonly type: 'text'; readonly kind: Kind; readonly value: string }
  | { readonly type: 'open' | 'close'; readonly mark: EmphasisMark; readonly pair: number }

/** The text of a line and the kind of each of its UTF-16 code units. */
export type LineText = { readonly text: string; readonly kinds: Uint8Array }

const DELIMITERS = { bold: '**', italic: '_', strikethrough: '~~' } as const
const TAGS = { bold: 'strong', italic: 'em', strikethrough: 'del' } as const

export const isEmphasis = (mark: Mark): mark is Mark & { type: EmphasisMark } => mark.type in DELIMITERS

/**
 * Joins the tokens of a line. Emphasis is written with delimiters if the characters around them let them be read as
 * such, and as HTML otherwise: in `<strong>Note:</strong>now` asterisks would stay asterisks.
 */
export function joinTokens(tokens: readonly Token[]): LineText {
  const delimiters = chooseDelimiters(tokens)
  const written = tokens.map((token): Segment => {
    if (token.type === 'text') return [token.kind, token.value]
    const delimiter = delimiters.get(token.pair)
    if (delimiter !== undefined) return [KIND.delimiter, delimiter]
    return [KIND.markup, `<${token.type === 'close' ? '/' : ''}${TAGS[token.mark]}>`]
  })
  const text = written.map(([, value]) => value).join('')
  const kinds = new Uint8Array(text.length)
  let at = 0
  for (const [kind, { length }] of written) {
    kinds.fill(kind, at, at + length)
    at += length
  }
  return { text, kinds }
}

/** The delimiter of each pair that can have one. */
function chooseDelimiters(tokens: readonly Token[]): Map<number, string> {
  const opened = new Map<number, number>()
  const chosen = new Map<number, string>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open') opened.set(token.pair, index)
    const start = token.type === 'close' ? opened.get(token.pair) : undefined
    if (token.type !== 'close' || start === undefined) continue
    const delimiter = DELIMITERS[token.mark]
    if (isRead(tokens, start, index, delimiter.charAt(0))) chosen.set(token.pair, delimiter)
    // `_` cannot be inside a word, `*` can; beside a `**`, a `*` would become part of it.
    else if (
      token.mark === 'italic' &&
      [start - 1, start + 1, index - 1, index + 1].every(
        at => tokens[at]?.type !== 'open' && tokens[at]?.type !== 'close',
      ) &&
      isRead(tokens, start, index, '*')
    )
      chosen.set(token.pair, '*')
  }
  return chosen
}

const isRead = (tokens: readonly Token[], start: number, end: number, char: string): boolean =>
  flanksOf(char, pointOf(tokens[start - 1], 'end'), pointOf(tokens[start + 1], 'start')).canOpen &&
  flanksOf(char, pointOf(tokens[end - 1], 'end'), pointOf(tokens[end + 1], 'start')).canClose

/** The character at the edge of a token. Emphasis is punctuation, whether it will be a delimiter or a tag. */
function pointOf(token: Token | undefined, edge: 'start' | 'end'): string | undefined {
  if (token?.type !== 'text') return token && '*'
  return edge === 'start' ? pointAt(token.value, 0) : pointBefore(token.value, token.value.length)
}
