// What somebody is asked who confirms who they are, which comes when it is asked.
import en from './confirm.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./confirm.de.json'),
}

/** To be awaited before it is asked; undefined if there is nothing to wait for. */
export const confirmTexts = addTexts(en, READ)
