// The texts of share links, which come with them.

import { addTexts, type Language } from './messages.ts'
import en from './share-links.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./share-links.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const shareLinkTexts = addTexts(en, READ)
