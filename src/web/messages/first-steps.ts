// The texts of the first steps, which come with them.

import en from './first-steps.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./first-steps.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const firstStepTexts = addTexts(en, READ)
