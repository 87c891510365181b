// The texts of the workspace, by key, in the language of the person. No text is written in code.
import i18next from 'i18next'
import en from './en.json'

const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

// Kept in a cookie, as the look is: a device whose storage is full still takes it.
const COOKIE = 'octavo_language'
const YEAR_SECONDS = 365 * 24 * 3600

/** A language that lacks a text of the English ones does not compile. */
const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
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

/** Texts that come with a screen. The promise is of those of the person's language, if it is not English. */
export function addTexts<Texts extends object>(
  english: Texts,
  read: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Texts }>>>,
): Promise<void> | undefined {
  i18next.addResourceBundle('en', 'translation', english, true)
  if (language === 'en') return undefined
  const translated = read[language]()
  return translated.then(texts => {
    i18next.addResourceBundle(language, 'translation', texts.default, true)
  })
}

/** The text of a key; `{{name}}` in it is replaced, and `count` chooses the plural. */
export const t = i18next.t

/** For a name in a sentence: it may be in another direction, which ends with it (Unicode TR 9, 2.4). */
export const isolated = (name: string): string => `\u2068${name}\u2069`

/** Shown after the page is loaded again. */
export const languages = LANGUAGES

/** As its speakers call it. */
export const nameOfLanguage = (one: string): string =>
  new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one

export function chooseLanguage(chosen: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store needs a secure context, which a local network is not
  document.cookie = `${COOKIE}=${chosen}; Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}`
  location.reload()
}

function chosenLanguage(): Language | undefined {
  const cookies = document.cookie.split('; ')
  return LANGUAGES.find(one => cookies.includes(`${COOKIE}=${one}`))
}

function browserLanguage(): Language | undefined {
  return navigator.languages.flatMap(tag => LANGUAGES.find(one => tag.startsWith(one)) ?? [])[0]
}
