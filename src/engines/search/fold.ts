// One spelling for what readers and writers spell differently.

/** Longer runs of letters are data, not words: their beginning is kept. */
export const WORD_CHARACTERS_MAX = 64

const ASCII = /^[\0-\x7f]*$/

// Letters of their own that no decomposition takes apart, as they are written where the keyboard lacks them.
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
 * Compatibility forms, case and diacritics folded: `Ｃafé` and `cafe` are one word. Marks that make another letter
 * in their script (Devanagari vowels, kana voicing) stay; only the combining marks of Latin, Greek and Cyrillic go.
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

/** A folded word as it is kept. */
export function foldWord(word: string): string {
  const folded = fold(word)
  return folded.length <= WORD_CHARACTERS_MAX ? folded : folded.slice(0, WORD_CHARACTERS_MAX).toWellFormed()
}
