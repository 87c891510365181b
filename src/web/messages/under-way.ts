// The texts about what is sent on from a screen that was left, which come with it.

import { addTexts, type Language } from './messages.ts'
import en from './under-way.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./under-way.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const underWayTexts = addTexts(en, READ)
