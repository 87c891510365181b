// The texts of somebody's own account, which come with it.
import en from './me.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./me.de.json'),
}

/** To be awaited before the screen is shown; undefined if there is nothing to wait for. */
export const meTexts = addTexts(en, READ)
