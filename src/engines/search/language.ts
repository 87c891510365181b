// The languages whose word forms are known.
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { LRUCache } from 'lru-cache'
import english from 'wink-porter2-stemmer'
import { fold, foldWord, WORD_CHARACTERS_MAX } from './word-positions.ts'

type Stemmer = (word: string) => string

const STEMMERS = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  ru: russian,
  da: danish,
  no: norwegian,
  fi: finnish,
  hu: hungarian,
  ro: romanian,
  tr: turkish,
} as const satisfies Record<string, Stemmer>

type Stemmed = keyof typeof STEMMERS

/** `none` for an unknown language, or one without word forms. */
export type Language = Stemmed | 'zh' | 'ja' | 'none'

const NAMES: Readonly<Record<string, Language>> = { nb: 'no', nn: 'no', zh: 'zh', ja: 'ja' }

/** The language that a space sets, such as `pt-BR`; English if it sets none. */
export function languageOf(spaceLanguage: string | null | undefined): Language {
  if (!spaceLanguage) return 'en'
  const name = spaceLanguage.toLowerCase().split(/[-_]/)[0] ?? ''
  return isStemmed(name) ? name : (NAMES[name] ?? 'none')
}

const isStemmed = (name: string): name is Stemmed => Object.hasOwn(STEMMERS, name)

const LATIN_WORD = /^\p{Script=Latin}+$/u
const CYRILLIC_WORD = /^\p{Script=Cyrillic}+$/u
const STEMMED_CHARACTERS_MIN = 3

/**
 * What the forms of a word have in common, folded; there may be two, with and without diacritics. A word of Latin
 * letters in a language of another script is taken for English.
 */
export function stemsOf(written: string, language: Language): readonly string[] {
  // Anything longer is data, and some stemmers take quadratic time: ten seconds for 20,000 letters.
  if (written.length < STEMMED_CHARACTERS_MIN || written.length > WORD_CHARACTERS_MAX) return NONE
  const key = `${language} ${written}`
  const known = STEMS.get(key)
  if (known !== undefined) return known
  const stems = makeStems(written, language)
  STEMS.set(key, stems)
  return stems
}

const NONE: readonly string[] = []
// The same few thousand words make up most of any text.
const STEMS = new LRUCache<string, readonly string[]>({ max: 20_000 })

function makeStems(written: string, language: Language): readonly string[] {
  const word = written.normalize('NFC').replaceAll('ё', 'е')
  const stemmer = stemmerFor(word, language)
  if (stemmer === undefined) return NONE
  const bare = fold(word)
  const stems = new Set([foldWord(stemmer(word)), foldWord(stemmer(bare))])
  if (language === 'de' && /[aou]e/.test(bare))
    stems.add(foldWord(stemmer(bare.replaceAll(/([aou])e/g, '$1'))))
  return [...stems].filter(stem => stem !== '')
}

function stemmerFor(word: string, language: Language): Stemmer | undefined {
  if (LATIN_WORD.test(word)) return isStemmed(language) && language !== 'ru' ? STEMMERS[language] : english
  return language === 'ru' && CYRILLIC_WORD.test(word) ? russian : undefined
}

/** The first stem of a word; the word itself if it has none. */
export const stemOf = (word: string, language: Language): string =>
  stemsOf(word.toLowerCase(), language)[0] ?? foldWord(word)
