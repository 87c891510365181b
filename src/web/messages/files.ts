// The texts of the screen of files, which come with it.

import en from './files.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./files.de.json'),
}

/** To be awaited before the screen is shown; undefined if there is nothing to wait for. */
export const filesTexts = addTexts(en, READ)
