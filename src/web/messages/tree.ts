// The texts of the tree where it is written, which come with it.
import { addTexts, type Language } from './messages.ts'
import en from './tree.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./tree.de.json'),
}

/** To be awaited before the tree is written; undefined if there is nothing to wait for. */
export const treeTexts = addTexts(en, READ)
