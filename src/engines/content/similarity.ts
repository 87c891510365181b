// The similarity of two texts: by shared words, in any language.

// Words are runs of letters and digits; in scripts without spaces, single characters.
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}]+/gu
const CHARACTERS_MAX = 4_000

/** How often each word of a text occurs; only the beginning of a long text counts. */
export type Words = { readonly counts: ReadonlyMap<string, number>; readonly total: number }

export function wordsOf(text: string): Words {
  const counts = new Map<string, number>()
  let total = 0
  for (const [word] of text.slice(0, CHARACTERS_MAX).toLowerCase().matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    total++
  }
  return { counts, total }
}

/** The share of words in common (Dice): 0 for none, and for texts without words, to 1 for all. */
export function similarity(a: Words, b: Words): number {
  if (a.total === 0 || b.total === 0) return 0
  const [few, many] = a.counts.size < b.counts.size ? [a, b] : [b, a]
  let common = 0
  for (const [word, count] of few.counts) common += Math.min(count, many.counts.get(word) ?? 0)
  return (2 * common) / (a.total + b.total)
}

// Below it, two texts are not versions of each other.
export const ALIKE_MIN = 0.4
// Of two equally similar blocks, the one of the same type is the better partner.
const SAME_TYPE_BONUS = 0.05

/** The similarity of two blocks, up to 1, plus a bonus for the same type. */
export function blockSimilarity(
  a: { readonly words: Words; readonly type: string },
  b: { readonly words: Words; readonly type: string },
): number {
  const score = similarity(a.words, b.words)
  return score > 0 && a.type === b.type ? score + SAME_TYPE_BONUS : score
}
