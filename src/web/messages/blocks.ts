// The names of blocks, which come with what inserts them.
import en from './blocks.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./blocks.de.json'),
}

/** To be awaited before a block is named; undefined if there is nothing to wait for. */
export const blockTexts = addTexts(en, READ)
