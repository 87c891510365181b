// Which words of a text are those of a query: the same word, a longer one that begins with it, and most of it, in any
// case and with any accent. The search itself knows more, such as synonyms, of which nothing is marked.

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

const bare = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** As they are compared. */
const wordsOf = (query: string): string[] =>
  [...words.segment(query)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => bare(segment))

const isSame = (word: string, asked: string): boolean =>
  word.startsWith(asked) || (asked.startsWith(word) && word.length * 3 >= asked.length * 2)

type Part = { readonly at: number; readonly text: string; readonly isMatch: boolean }

/** The whole text in parts, each with where it begins. */
export function partsOf(text: string, query: string): readonly Part[] {
  const asked = wordsOf(query)
  const parts: Part[] = []
  for (const { segment, index, isWordLike } of words.segment(text)) {
    const isMatch = isWordLike === true && asked.some(one => isSame(bare(segment), one))
    const last = parts.at(-1)
    if (last?.isMatch === isMatch) parts[parts.length - 1] = { ...last, text: last.text + segment }
    else parts.push({ at: index, text: segment, isMatch })
  }
  return parts
}
