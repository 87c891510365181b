// The words of a text, in any language: scripts without spaces are cut into pairs of letters.

const RUN = /[\p{L}\p{M}\p{N}]+(?:[_'’-][\p{L}\p{M}\p{N}]+){0,6}/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu
const MARKS = /\p{M}+/gu
const WORD_CHARACTERS_MAX = 40

/** One form for letters that differ only in case, width or accents. */
const fold = (text: string): string =>
  text.normalize('NFKD').toLowerCase().replaceAll(MARKS, '').normalize('NFC')

/** In order, folded. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [run] of fold(text).matchAll(RUN)) {
    let from = 0
    for (const { 0: unspaced, index } of run.matchAll(UNSPACED)) {
      pushWord(words, run.slice(from, index))
      pushPairs(words, unspaced)
      from = index + unspaced.length
    }
    pushWord(words, run.slice(from))
  }
  return words
}

function pushWord(words: string[], text: string): void {
  const word = text.replaceAll('’', "'").replaceAll(/'s$|^[_'-]|[_'-]$/g, '')
  if (word !== '') words.push(word.slice(0, WORD_CHARACTERS_MAX))
}

function pushPairs(words: string[], text: string): void {
  const letters = [...text]
  if (letters.length === 1) words.push(text)
  for (let at = 0; at + 1 < letters.length; at++) words.push(`${letters[at]}${letters[at + 1]}`)
}
