// The texts of the history, which come with it.

import history from './history.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof history }>>> = {
  de: () => import('./history.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const historyTexts = addTexts(history, READ)
