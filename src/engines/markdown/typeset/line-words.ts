// Words prepared for the lines of a page.
import type { Direction } from './nodes.ts'

/** As HTML shows white space outside of code. */
export const collapseSpaces = (text: string): string => text.replace(/[\t\n\f\r ]+/g, ' ')

// The pieces of a word that does not fit on a line.
const WORD_PIECES = /[^\s\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff]{1,8000}/g
const AFTER = /[-/.?&=_:,;@#+)\]}]/
const PIECE_MAX = 16

type Breakable = string | { readonly kind: 'chance' }

/**
 * The text, with places where a line may end in words longer than `wordMax`: after joining characters, before capitals,
 * or anywhere if there are none of these.
 */
export function breakable(text: string, wordMax: number): Breakable[] {
  const inline: Breakable[] = []
  let done = 0
  for (const { 0: word, index } of text.matchAll(WORD_PIECES)) {
    if (word.length <= wordMax) continue
    if (index > done) inline.push(text.slice(done, index))
    for (const [at, piece] of piecesOf(word).entries()) {
      if (at > 0) inline.push({ kind: 'chance' })
      inline.push(piece)
    }
    done = index + word.length
  }
  if (done < text.length) inline.push(text.slice(done))
  return inline
}

function piecesOf(word: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    const last = piece.at(-1) ?? ''
    const isEnd =
      AFTER.test(last) || (/[a-z0-9]/.test(last) && /[A-Z]/.test(character)) || piece.length >= PIECE_MAX
    if (isEnd && piece.length > 2) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

const STRONG = /\p{L}/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The direction of the first letter, as `dir="auto"` has it. */
export function directionOf(text: string): Direction {
  const letter = STRONG.exec(text)?.[0]
  return letter !== undefined && RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
}

/** Scripts that fonts are chosen for. Latin, Greek and Cyrillic are in the font of every document. */
const SCRIPTS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Emoji', /\p{Emoji_Presentation}|\ufe0f/u],
  ['Han', /\p{Script=Han}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Khmer', /\p{Script=Khmer}/u],
  ['Myanmar', /\p{Script=Myanmar}/u],
  ['Tibetan', /\p{Script=Tibetan}/u],
  ['Bengali', /\p{Script=Bengali}/u],
  ['Gurmukhi', /\p{Script=Gurmukhi}/u],
  ['Gujarati', /\p{Script=Gujarati}/u],
  ['Oriya', /\p{Script=Oriya}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Telugu', /\p{Script=Telugu}/u],
  ['Kannada', /\p{Script=Kannada}/u],
  ['Malayalam', /\p{Script=Malayalam}/u],
  ['Sinhala', /\p{Script=Sinhala}/u],
  ['Ethiopic', /\p{Script=Ethiopic}/u],
  ['Syriac', /\p{Script=Syriac}/u],
  ['Thaana', /\p{Script=Thaana}/u],
]

/** The scripts that a text is written in, by their names in Unicode. */
export function scriptsIn(text: string): string[] {
  const points = [...new Set(text.match(/[^\x00-\x7f]/gu))].join('')
  return SCRIPTS.filter(([, pattern]) => pattern.test(points)).map(([script]) => script)
}
