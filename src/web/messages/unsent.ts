// The texts of what is not sent yet, which come with its list.
import { addTexts, type Language } from './messages.ts'
import en from './unsent.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./unsent.de.json'),
}

/** To be awaited before the list is shown; undefined if there is nothing to wait for. */
export const unsentTexts = addTexts(en, READ)
