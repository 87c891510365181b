// Words that say nothing about what is searched for. They never decide whether a page is found, unless they are quoted
// or a query has no others.
import { stopwords as danish } from '@orama/stopwords/danish'
import { stopwords as dutch } from '@orama/stopwords/dutch'
import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as finnish } from '@orama/stopwords/finnish'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as hungarian } from '@orama/stopwords/hungarian'
import { stopwords as italian } from '@orama/stopwords/italian'
import { stopwords as japanese } from '@orama/stopwords/japanese'
import { stopwords as mandarin } from '@orama/stopwords/mandarin'
import { stopwords as norwegian } from '@orama/stopwords/norwegian'
import { stopwords as portuguese } from '@orama/stopwords/portuguese'
import { stopwords as romanian } from '@orama/stopwords/romanian'
import { stopwords as russian } from '@orama/stopwords/russian'
import { stopwords as spanish } from '@orama/stopwords/spanish'
import { stopwords as swedish } from '@orama/stopwords/swedish'
import { stopwords as turkish } from '@orama/stopwords/turkish'
import type { Language } from './language.ts'
import { foldWord } from './word-positions.ts'

const folded = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap(word => [foldWord(word), ...word.split(/['’]/).map(foldWord)]))

const ENGLISH = folded(['a', ...english])

const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: ENGLISH,
  de: folded(german),
  fr: folded(french),
  es: folded(spanish),
  it: folded(italian),
  pt: folded(portuguese),
  nl: folded(dutch),
  sv: folded(swedish),
  ru: folded(russian),
  da: folded(danish),
  no: folded(norwegian),
  fi: folded(finnish),
  hu: folded(hungarian),
  ro: folded(romanian),
  tr: folded(turkish),
  // Words of Latin letters in these languages are English.
  zh: ENGLISH,
  ja: ENGLISH,
  none: ENGLISH,
}

export const isStopWord = (word: string, language: Language): boolean => STOP_WORDS[language].has(word)

const UNSPACED = new Set([...mandarin, ...japanese])

/** For scripts without spaces, in which a query is cut into words. */
export const isUnspacedStopWord = (word: string): boolean => UNSPACED.has(word)
