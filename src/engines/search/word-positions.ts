// The words of a text with their positions. Scripts without spaces between words (Han, kana, Hangul with its endings,
// Thai, Lao, Khmer, Burmese) are cut into overlapping pairs of characters, which needs no dictionary and is the same on
// every machine; the last character of a run is a word by itself, so that every character begins a word. Identifiers
// are read in parts, and those without blanks also as a whole. Different spellings are folded into one.

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\u3099\\u309a\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const RUN = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u

const ASCII = /^[\0-\x7f]*$/

/**
 * A word of a text. `position` counts the words before it; `span` is how many positions it takes. An identifier that is
 * also read in parts has the position of its first part.
 */
export type Word = {
  /** Folded. */
  readonly text: string
  /** In lower case, with its accents: its stem is made from this. */
  readonly written: string
  readonly start: number
  readonly end: number
  readonly position: number
  readonly span: number
  readonly kind: 'word' | 'pair' | 'whole'
}

/** Compounds with more parts are addresses and sentences, and are not read as a whole. */
const WHOLE_PARTS_MAX = 3
const WHOLE_CHARACTERS_MAX = 40

type Take = (word: Word) => void

/** Calls `take` for the words of a text in order. Returns how many positions they take. */
export function readWords(text: string, take: Take): number {
  const reader = new WordReader(text, take)
  if (ASCII.test(text)) readAscii(text, reader)
  else
    for (const match of text.matchAll(RUN)) {
      const run = match[0]
      if (IS_UNSPACED.test(run)) reader.readUnspaced(run, match.index)
      else reader.readRun(run, match.index, HUMP.test(run))
    }
  return reader.end()
}

class WordReader {
  readonly #text: string
  readonly #take: Take
  #position = 0
  /** The runs of letters that form one word so far; empty for a single run. */
  #compound: Word[] = []
  // The previous run of letters.
  #run = ''
  #start = 0
  #at = 0
  #span = 0
  #end = -1

  constructor(text: string, take: Take) {
    this.#text = text
    this.#take = take
  }

  readRun(run: string, start: number, hasHumps: boolean): void {
    const isJoined = start === this.#end + 1 && this.#end >= 0 && isJoint(this.#text.charCodeAt(this.#end))
    if (!isJoined) this.#endCompound()
    else if (this.#compound.length === 0)
      this.#compound.push(wordAt(this.#run, this.#start, this.#at, this.#span, 'word'))
    const span = takeRun(run, start, this.#position, hasHumps, this.#take)
    if (isJoined) this.#compound.push(wordAt(run, start, this.#position, span, 'word'))
    this.#run = run
    this.#start = start
    this.#at = this.#position
    this.#span = span
    this.#end = start + run.length
    this.#position += span
  }

  readUnspaced(run: string, start: number): void {
    this.#endCompound()
    this.#position = takePairs(run, start, this.#position, this.#take)
    this.#end = -1
  }

  #endCompound(): void {
    if (this.#compound.length === 0) return
    takeWhole(this.#compound, this.#take)
    this.#compound = []
  }

  /** Returns how many positions there were. */
  end(): number {
    this.#endCompound()
    return this.#position
  }
}

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** For most texts: letter by letter, which takes half as long as regular expressions. */
function readAscii(text: string, reader: WordReader): void {
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at)
    const start = at
    // The number of capitals before, and whether a part of the word begins after its start.
    let capitals = 0
    let isHumped = false
    for (; ; code = text.charCodeAt(++at)) {
      if (isCapital(code)) {
        if (capitals === 0 && at > start) isHumped = true
        capitals++
      } else if (isSmall(code)) {
        if (capitals > 1) isHumped = true
        capitals = 0
      } else if (isDigit(code)) capitals = 0
      else break
    }
    if (at > start) reader.readRun(text.slice(start, at), start, isHumped)
  }
}

const HYPHEN = 0x2d
const UNDERSCORE = 0x5f
/** Whether a character joins the parts of a word. */
export const isJoint = (code: number): boolean => code === HYPHEN || code === UNDERSCORE

const wordAt = (run: string, start: number, position: number, span: number, kind: Word['kind']): Word => ({
  text: foldWord(run),
  written: run.toLowerCase(),
  start,
  end: start + run.length,
  position,
  span,
  kind,
})

/** A run of letters: in parts if it has humps, and as a whole. */
function takeRun(run: string, start: number, position: number, hasHumps: boolean, take: Take): number {
  if (!hasHumps) {
    take(wordAt(run, start, position, 1, 'word'))
    return 1
  }
  const parts = run.split(HUMP)
  take(wordAt(run, start, position, parts.length, 'whole'))
  let at = start
  for (const [index, part] of parts.entries()) {
    take(wordAt(part, at, position + index, 1, 'word'))
    at += part.length
  }
  return parts.length
}

/** `e-mail` is also `email`, and `max_connections` the same as `maxConnections`. */
function takeWhole(parts: readonly Word[], take: Take): void {
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined || parts.length < 2 || parts.length > WHOLE_PARTS_MAX) return
  const text = parts.map(part => part.text).join('')
  if (text.length > WHOLE_CHARACTERS_MAX) return
  const span = last.position + last.span - first.position
  const written = parts.map(part => part.written).join('')
  take({ text, written, start: first.start, end: last.end, position: first.position, span, kind: 'whole' })
}

function takePairs(run: string, start: number, position: number, take: Take): number {
  let at = start
  let before: string | undefined
  let count = 0
  const takePair = (text: string, length: number) => {
    const folded = foldWord(text)
    take({
      text: folded,
      written: folded,
      start: at,
      end: at + length,
      position: position + count,
      span: 1,
      kind: 'pair',
    })
    count++
  }
  for (const character of run) {
    if (before !== undefined) {
      takePair(before + character, before.length + character.length)
      at += before.length
    }
    before = character
  }
  if (before !== undefined) takePair(before, before.length)
  return position + count
}

export const isUnspaced = (text: string): boolean => IS_UNSPACED.test(text)

/** Longer runs of letters are data, not words: their beginning is kept. */
export const WORD_CHARACTERS_MAX = 64

// Letters that no decomposition splits, as they are written on keyboards that lack them.
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
const LETTER = /[ßæœøłđðþı]/g

/**
 * Folds compatibility forms, case and diacritics: `Ｃafé` and `cafe` are one word. Only the combining marks of Latin,
 * Greek and Cyrillic are dropped: others make another letter in their script (Devanagari vowels, kana voicing).
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    .replaceAll(LETTER, letter => LETTERS[letter] ?? letter)
}

/** A folded word as it is stored. */
export function foldWord(word: string): string {
  const folded = fold(word)
  return folded.length <= WORD_CHARACTERS_MAX ? folded : folded.slice(0, WORD_CHARACTERS_MAX).toWellFormed()
}
