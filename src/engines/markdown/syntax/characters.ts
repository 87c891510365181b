// The characters that decide how Markdown is read: white space, punctuation, and those that no page can hold.

const LINE_END = /\r\n?/g
/** Masks of tags are made of them while a page is parsed (masking.ts); readers of a page never see them. */
const UNREADABLE = /[\x00-\x08\x0e-\x1f]/g
const ROOMS = /[\x0b\x0c]/g

/** Text as a page can hold it: only line feeds end lines; no control characters, no lone surrogates. */
export const readable = (value: string): string =>
  value.toWellFormed().replace(LINE_END, '\n').replace(ROOMS, ' ').replace(UNREADABLE, '')

/** The same in one line, for attributes and for tags, which end with their line. */
export const inOneLine = (value: string): string => readable(value).replace(/(?<!\s)\s*\n\s*/g, ' ')

/** How the lines of a text end; a text of one line has line feeds. */
export function lineEndOf(source: string): '\r\n' | '\n' {
  const feed = source.indexOf('\n')
  return feed > 0 && source[feed - 1] === '\r' ? '\r\n' : '\n'
}

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/
/** Whether a backslash escapes it. */
export const isEscapable = (char: string | undefined): boolean =>
  char !== undefined && ASCII_PUNCTUATION.test(char)

const PUNCTUATION = /[\p{P}\p{S}]/u
const SPACE = /\s/

/** The code point that ends before `at`; undefined at the beginning of the text. */
export function pointBefore(text: string, at: number): string | undefined {
  if (at <= 0) return undefined
  const isPair = /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, at - 2), at))
  return text.slice(isPair ? at - 2 : at - 1, at)
}

/** The code point that begins at `at`; undefined at the end of the text. */
export function pointAt(text: string, at: number): string | undefined {
  const point = text.codePointAt(at)
  return point === undefined ? undefined : String.fromCodePoint(point)
}

type Flanks = { readonly canOpen: boolean; readonly canClose: boolean }

/**
 * Whether a run of `*`, `_` or `~` between two code points can open or close emphasis (CommonMark 0.31, 6.2); undefined
 * is the beginning or the end of the text, which counts as white space.
 */
export function flanksOf(char: string, before: string | undefined, after: string | undefined): Flanks {
  const spaceBefore = before === undefined || SPACE.test(before)
  const spaceAfter = after === undefined || SPACE.test(after)
  const signBefore = before !== undefined && PUNCTUATION.test(before)
  const signAfter = after !== undefined && PUNCTUATION.test(after)
  const isLeft = !spaceAfter && (!signAfter || spaceBefore || signBefore)
  const isRight = !spaceBefore && (!signBefore || spaceAfter || signAfter)
  if (char !== '_') return { canOpen: isLeft, canClose: isRight }
  return { canOpen: isLeft && (!isRight || signBefore), canClose: isRight && (!isLeft || signAfter) }
}

/** The same for parsers that take an `_` or a `~` beside asterisks for a letter, as ours does. */
export function looseFlanksOf(char: string, before: string | undefined, after: string | undefined): Flanks {
  const { canOpen, canClose } = flanksOf(char, before, after)
  if (char !== '*') return { canOpen, canClose }
  return {
    canOpen: canOpen || after === '_' || after === '~',
    canClose: canClose || before === '_' || before === '~',
  }
}
