// Words and phrases that software documentation uses as synonyms: a reader writes one, a page has another. A word may
// be in several groups. Words with the same stem are the same word anyway.
import type { Language } from './language.ts'
import { CHINESE } from './synonyms/chinese.ts'
import { ENGLISH } from './synonyms/english.ts'
import { ENGLISH_FORMS } from './synonyms/english-forms.ts'
import { FRENCH } from './synonyms/french.ts'
import { GERMAN } from './synonyms/german.ts'
import { JAPANESE } from './synonyms/japanese.ts'
import { KOREAN } from './synonyms/korean.ts'
import { SPANISH } from './synonyms/spanish.ts'
import { type Thesaurus, thesaurusOf } from './thesaurus.ts'

/** For one word; those of its first groups count. */
const SYNONYMS_MAX = 12
/** How much a page with a synonym counts, relative to one with the word itself. */
const SYNONYM_WEIGHT = 0.6
/** Another spelling or ending is nearly the word itself. */
const FORM_WEIGHT = 0.8

const table = (name: string, language: Language, text: string, weight = SYNONYM_WEIGHT) => ({
  ...{ name, language, text, weight },
})
type Table = ReturnType<typeof table>

const ENGLISH_TABLES = [table('en forms', 'en', ENGLISH_FORMS, FORM_WEIGHT), table('en', 'en', ENGLISH)]

// Words of Latin letters in languages of other scripts are English.
const TABLES: Partial<Record<Language, readonly Table[]>> = {
  en: ENGLISH_TABLES,
  de: [table('de', 'de', GERMAN)],
  fr: [table('fr', 'fr', FRENCH)],
  es: [table('es', 'es', SPANISH)],
  zh: [table('zh', 'zh', CHINESE), ...ENGLISH_TABLES],
  ja: [table('ja', 'ja', JAPANESE), ...ENGLISH_TABLES],
  none: [table('ko', 'none', KOREAN), ...ENGLISH_TABLES],
}

const made = new Map<string, Thesaurus>()

/** The synonyms of a language, read on first use. */
export const readSynonyms = (language: Language): readonly Thesaurus[] =>
  (TABLES[language] ?? []).map(one => {
    const thesaurus = made.get(one.name) ?? thesaurusOf(groupsIn(one), one.weight, SYNONYMS_MAX)
    made.set(one.name, thesaurus)
    return thesaurus
  })

const groupsIn = ({ text, language }: Table) =>
  text
    .trim()
    .split('\n')
    .map(line => line.split(',').map(wording => ({ text: wording.trim(), language })))
