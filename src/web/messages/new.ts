// The texts of new spaces and of repositories, which come with their screens.
import { addTexts, type Language } from './messages.ts'
import en from './new.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./new.de.json'),
}

/** To be awaited before such a screen is shown; undefined if there is nothing to wait for. */
export const newTexts = addTexts(en, READ)
