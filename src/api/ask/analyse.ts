// Texts as words, for answers: cut and stemmed as search does it.
import type { Analyse, Term } from '../../engines/answers/question.ts'
import { languageOf, stemOf } from '../../engines/search/language.ts'
import { readWords, type Word } from '../../engines/search/words.ts'

export const analyse: Analyse = (text, spaceLanguage) => {
  const language = languageOf(spaceLanguage)
  const terms: Term[] = []
  let before: Word | undefined
  readWords(text, word => {
    const { kind, text, written } = word
    if (!isEndOfRun(word, before))
      terms.push({ word: text, key: kind === 'pair' ? text : stemOf(written, language) })
    before = word
  })
  return terms
}

/** The last character of a run of several stands in the pair before it. */
const isEndOfRun = ({ kind, start, end }: Word, before: Word | undefined): boolean =>
  kind === 'pair' && before?.kind === 'pair' && before.end === end && before.start < start
