// The languages that a space can be written in.
import type { Space } from './spaces.ts'

type ContentLanguage = NonNullable<Space['language']>

// A language that the API adds does not compile without being here.
const EVERY: Readonly<Record<ContentLanguage, true>> = {
  en: true,
  fr: true,
  de: true,
  es: true,
  it: true,
  pt: true,
  'pt-br': true,
  ru: true,
  ja: true,
  zh: true,
  'zh-tw': true,
  yue: true,
  ko: true,
  ar: true,
  hi: true,
  nl: true,
  pl: true,
  tr: true,
  sv: true,
  no: true,
  da: true,
  fi: true,
  el: true,
  cs: true,
  hu: true,
  ro: true,
  th: true,
  vi: true,
  id: true,
  ms: true,
  he: true,
  uk: true,
  sk: true,
  bg: true,
  hr: true,
  lt: true,
  lv: true,
  et: true,
  sl: true,
}

export const CONTENT_LANGUAGES = Object.keys(EVERY) as readonly ContentLanguage[]
