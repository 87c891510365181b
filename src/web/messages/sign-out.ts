// What somebody is asked who signs out with words unsent, which comes when it is asked.

import { addTexts, type Language } from './messages.ts'
import en from './sign-out.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./sign-out.de.json'),
}

/** To be awaited before it is asked; undefined if there is nothing to wait for. */
export const signOutTexts = addTexts(en, READ)
