// Terms of the glossary in questions and passages, for a language model to keep.
import { wordsWanted } from '../../engines/search/query-words.ts'
import { substitutionsIn, type Thesaurus } from '../../engines/search/thesaurus.ts'

/** As they are written in the text, in their order. */
export function termsIn(glossary: Thesaurus | undefined, text: string): string[] {
  if (glossary === undefined) return []
  const words = wordsWanted(text)
  return Array.from(substitutionsIn(glossary, words), ({ from, to }) =>
    text.slice(words[from]?.start, words[to - 1]?.end),
  )
}
