// One line of Markdown before its escapes: what it says, and which of its characters are words and which are markup.
import type { Mark } from '../document/document.ts'
import { flanksOf } from '../syntax/syntax.ts'

/** What a character of a line is. Words are escaped where they would be read as markup; the rest is written as is. */
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

export type Token =
  | { readonly type: 'text'; readonly kind: Kind; readonly value: string }
  | { readonly type: 'open' | 'close'; readonly mark: EmphasisMark; readonly pair: number }

/** The text of a line and the kind of each of its UTF-16 code units. */
export type LineText = { readonly text: string; readonly kinds: Uint8Array }

const DELIMITERS = { bold: '**', italic: '_', strikethrough: '~~' } as const
const TAGS = { bold: 'strong', italic: 'em', strikethrough: 'del' } as const

export const isEmphasis = (mark: Mark): mark is Mark & { type: EmphasisMark } => mark.type in DELIMITERS

/**
 * Puts the tokens of a line together. Emphasis is written with delimiters where they would be read as such between
 * the characters around them, and as HTML elsewhere: in `<strong>Note:</strong>now` asterisks would stay asterisks.
 */
export function joinTokens(tokens: readonly Token[]): LineText {
  const delimiters = chooseDelimiters(tokens)
  const pieces: string[] = []
  const kinds: Kind[] = []
  const lengths: number[] = []
  for (const token of tokens) {
    const delimiter = token.type === 'text' ? undefined : delimiters.get(token.pair)
    const value =
      token.type === 'text'
        ? token.value
        : (delimiter ?? `<${token.type === 'close' ? '/' : ''}${TAGS[token.mark]}>`)
    pieces.push(value)
    lengths.push(value.length)
    kinds.push(token.type === 'text' ? token.kind : delimiter === undefined ? KIND.markup : KIND.delimiter)
  }
  const text = pieces.join('')
  const all = new Uint8Array(text.length)
  let at = 0
  for (const [index, length] of lengths.entries()) {
    all.fill(kinds[index]!, at, at + length)
    at += length
  }
  return { text, kinds: all }
}

/** The delimiter of each pair that can have one. */
function chooseDelimiters(tokens: readonly Token[]): Map<number, string> {
  const opened = new Map<number, number>()
  const chosen = new Map<number, string>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open') opened.set(token.pair, index)
    if (token.type !== 'close') continue
    const start = opened.get(token.pair)!
    const delimiter = DELIMITERS[token.mark]
    if (isRead(tokens, start, index, delimiter[0]!)) chosen.set(token.pair, delimiter)
    // `_` cannot stand within a word, `*` can; beside a `**` it would become part of it.
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
  flanksOf(char, lastPoint(tokens[start - 1]), firstPoint(tokens[start + 1])).canOpen &&
  flanksOf(char, lastPoint(tokens[end - 1]), firstPoint(tokens[end + 1])).canClose

// Whether it will be a delimiter or a tag, it is punctuation.
const ANY_DELIMITER = '*'

const firstPoint = (token: Token | undefined): string | undefined =>
  token === undefined
    ? undefined
    : token.type === 'text'
      ? String.fromCodePoint(token.value.codePointAt(0)!)
      : ANY_DELIMITER

const lastPoint = (token: Token | undefined): string | undefined =>
  token === undefined
    ? undefined
    : token.type === 'text'
      ? ([...token.value.slice(-2)].at(-1) as string)
      : ANY_DELIMITER
