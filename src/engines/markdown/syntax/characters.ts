// The characters that decide how Markdown is read: white space, punctuation, and those that no page can hold.

const LINE_END = /\r\n?/g
/** Masks of tags are made of them while a page is parsed (masking.ts); readers of a page never see them. */
const UNREADABLE = /[\x00-\x08\x0e-\x1f]/g
const ROOMS = /[\x0b\x0c]/g

/** Text as a page can hold it: only line feeds end lines; no control characters, no lone surrogates. */
export const readable = (value: string): string =>
  value.toWellFormed().replace(LINE_END, '\n').replace(ROOMS, ' ').replace(UNREADABLE, '')

/** The same in one line, for attributes and for tags, which end with their line. */
export function inOneLine(value: string): string {
  const text = readable(value)
  return text.includes('\n') ? text.replace(/(?<!\s)\s*\n\s*/g, ' ') : text
}

/** A text without the signs at its end. A regular expression would begin at every place of the text. */
export function trimEndOf(text: string, signs = ' \t'): string {
  let end = text.length
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

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

/** Whether it is punctuation or a symbol. */
export const isSign = (point: string | undefined): boolean => point !== undefined && PUNCTUATION.test(point)

const ANY_CJK =
  /[\u1100-\u11ff\u20a9\u231a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe6b\uff00-\uffef\ud82b-\ud8bf]/
// The definition of https://github.com/tats-u/markdown-cjk-friendly, specification.md.
const CJK =
  /[\u1100-\u11ff\u20a9\u231a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7fb\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uffee\u{1aff0}-\u{1b2fb}\u{1f200}\u{1f202}\u{1f210}-\u{1f23b}\u{20000}-\u{3fffd}]/u

/** Whether a text may have Chinese, Japanese or Korean characters. */
export const hasCjk = (text: string): boolean => ANY_CJK.test(text)

export const isCjk = (point: string | undefined): boolean => point !== undefined && CJK.test(point)

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
 * Whether a run of `*`, `_` or `~` between two code points can open or close emphasis (CommonMark 0.31, 6.2, with the
 * amendment of cjk.ts); undefined is the beginning or the end of the text, which counts as white space.
 */
export function flanksOf(char: string, before: string | undefined, after: string | undefined): Flanks {
  const spaceBefore = before === undefined || SPACE.test(before)
  const spaceAfter = after === undefined || SPACE.test(after)
  const signBefore = isSign(before)
  const signAfter = isSign(after)
  if (char !== '_') {
    const isOtherBefore = signBefore && !isCjk(before)
    const isOtherAfter = signAfter && !isCjk(after)
    return {
      canOpen: !spaceAfter && (!isOtherAfter || spaceBefore || signBefore || isCjk(before)),
      canClose: !spaceBefore && (!isOtherBefore || spaceAfter || signAfter || isCjk(after)),
    }
  }
  const isLeft = !spaceAfter && (!signAfter || spaceBefore || signBefore)
  const isRight = !spaceBefore && (!signBefore || spaceAfter || signAfter)
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
