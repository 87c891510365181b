// The texts of settings of spaces and organizations, which come with their screens.

import { addTexts, type Language } from './messages.ts'
import en from './settings.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./settings.de.json'),
}

/** To be awaited before the screen is shown; undefined if there is nothing to wait for. */
export const settingsTexts = addTexts(en, READ)
