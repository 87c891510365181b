// Skips words of a text by looking only at their letters: reading words takes ten times as long.
import { isJoint } from './word-positions.ts'

/**
 * The start of the first word that may be wanted: its first character, in lower case, is one of `initials`, and
 * `isBeginning` accepts it if it is a plain run of letters. Never after such a word; the length of the text if there is
 * none. `from` is the start of a word, or between words.
 */
export function skipWords(
  text: string,
  from: number,
  initials: ReadonlySet<number>,
  isBeginning: (run: string, at: number) => boolean,
): number {
  // Runs of letters joined by `-` and `_` are also one word, which begins with the first of them.
  let compound = from
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (!isLetter(code)) {
      if (code >= FIRST_BEYOND_ASCII && !isSign(code)) return compoundAt(text, compound, at)
      at += 1
      continue
    }
    if (!isJoined(text, from, at)) compound = at
    const end = endOfRun(text, at)
    if (mayBegin(text, at, end, initials)) {
      const isAlone =
        compound === at && !(isJoint(text.charCodeAt(end)) && isWordly(text.charCodeAt(end + 1)))
      const isPlain = isAlone && !isWordly(text.charCodeAt(end)) && !hasHump(text, at, end)
      if (!isPlain || isBeginning(text.slice(at, end), at)) return compound
    }
    at = end
  }
  return text.length
}

const FIRST_BEYOND_ASCII = 0x80
// No character of Unicode's General Punctuation is part of a word: dashes, quotation marks, dots, blanks.
const isSign = (code: number): boolean => code >= 0x2000 && code <= 0x206f

const isCapital = (code: number): boolean => code >= 0x41 && code <= 0x5a
const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || isCapital(code) || (code >= 0x30 && code <= 0x39)
/** Whether a character is, or may be, part of a word. */
const isWordly = (code: number): boolean => isLetter(code) || (code >= FIRST_BEYOND_ASCII && !isSign(code))

/** Whether the run of letters at `at` follows another of the same word. */
const isJoined = (text: string, from: number, at: number): boolean =>
  at >= from + 2 && isJoint(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at - 2))

/** Characters beyond ASCII may continue the run before them, or be joined to it. */
function compoundAt(text: string, compound: number, at: number): number {
  const isNear = isLetter(text.charCodeAt(at - 1)) || isJoint(text.charCodeAt(at - 1))
  return isNear ? compound : at
}

function endOfRun(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isLetter(text.charCodeAt(end))) end += 1
  return end
}

/** Whether its first letter, or that of one of its parts, is wanted: parts begin with capitals. */
function mayBegin(text: string, start: number, end: number, initials: ReadonlySet<number>): boolean {
  if (initials.has(lower(text.charCodeAt(start)))) return true
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isCapital(code) && initials.has(lower(code))) return true
  }
  return false
}

function hasHump(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) if (isCapital(text.charCodeAt(at))) return true
  return false
}

const CASE = 0x20
const lower = (code: number): number => (isCapital(code) ? code | CASE : code)
