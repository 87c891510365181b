// The texts of the workspace, by key, in the language of the person. No text is written in code.
import i18next from 'i18next'
import en from './en.json'

const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

const SETTING = 'octavo.language'
const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: object }>>> = {
  de: () => import('./de.json'),
}

/** What the person chose on this device, else the first language of the browser that there is. */
export const language: Language = chosenLanguage() ?? browserLanguage() ?? 'en'

/** Before anything is shown. A text that a language lacks is shown in English. */
export async function loadMessages(): Promise<void> {
  const translated = language === 'en' ? {} : (await READ[language]()).default
  await i18next.init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en }, [language]: { translation: language === 'en' ? en : translated } },
    // React escapes.
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = language
}

/** The text of a key; `{{name}}` in it is replaced, and `count` chooses the plural. */
export const t = i18next.t

/** For a name in a sentence: it may be in another direction, which ends with it (Unicode TR 9, 2.4). */
export const isolated = (name: string): string => `\u2068${name}\u2069`

/** Shown after the page is loaded again. */
export const languages = LANGUAGES

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(SETTING, chosen)
  location.reload()
}

function chosenLanguage(): Language | undefined {
  const chosen = localStorage.getItem(SETTING)
  return LANGUAGES.find(one => one === chosen)
}

function browserLanguage(): Language | undefined {
  return navigator.languages.flatMap(tag => LANGUAGES.find(one => tag.startsWith(one)) ?? [])[0]
}
