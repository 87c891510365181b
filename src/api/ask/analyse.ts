// Splits and stems texts for answers, as search does.
import type { Analyse, AskedTerm, Term } from '../../engines/answers/question.ts'
import { languageOf, stemOf, stemsOf } from '../../engines/search/language.ts'
import type { ReadTerm } from '../../engines/search/search-sections.ts'
import { readSynonyms } from '../../engines/search/synonyms.ts'
import { isUnspaced, readWords, type Word } from '../../engines/search/word-positions.ts'

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

/** The last character of a run is part of the pair before it. */
const isEndOfRun = ({ kind, start, end }: Word, before: Word | undefined): boolean =>
  kind === 'pair' && before?.kind === 'pair' && before.end === end && before.start < start

/** The keys of the words that search takes for the same, or for another form of it. */
export function synonymsOf({ word, key }: Term, spaceLanguage: string | null): string[] {
  const language = languageOf(spaceLanguage)
  const stems = new Set([key, ...stemsOf(word, language)])
  const forms = language === 'de' ? participlesOf(word).map(form => stemOf(form, language)) : []
  const others = readSynonyms(language).flatMap(({ alternatives, languages }) =>
    languages.flatMap(known =>
      [...stems].flatMap(stem =>
        (alternatives.get(`${known} ${stem}`) ?? []).flatMap(({ words: [first, ...others] }) =>
          first === undefined || others.length > 0 ? [] : stemOf(first.written, language),
        ),
      ),
    ),
  )
  return [...forms, ...others]
}

/** A participle of German has a prefix, which its stem keeps: `gelesen`, `lesen`; `gespeichert`, `speichert`. */
const participlesOf = (word: string): string[] =>
  /^ge\p{L}{4,}(?:t|en)$/u.test(word) ? [word.slice(2)] : /(?:t|en)$/u.test(word) ? [`ge${word}`] : []

// Other wordings count less in answers than in search.
const WORDING_POWER = 2

/** A word of a question as search reads it; `languages`: those of the searched spaces. */
export const toAskedTerm = (
  { text, weight, readings }: ReadTerm,
  languages: readonly (string | null)[],
): AskedTerm => ({
  word: text,
  weight,
  readings: readings.map(reading => ({
    words: reading.words.map(({ text, written }) => keysOf(text, written, languages)),
    weight: (reading.weight * (reading.share ?? 1)) ** WORDING_POWER,
  })),
})

const keysOf = (text: string, written: string, languages: readonly (string | null)[]): ReadonlySet<string> =>
  isUnspaced(text)
    ? new Set([text])
    : new Set(languages.map(language => stemOf(written, languageOf(language))))
