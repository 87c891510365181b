// The texts of the search screen, which come with it.
import { addTexts, type Language } from './messages.ts'
import search from './search.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof search }>>> = {
  de: () => import('./search.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const searchTexts = addTexts(search, READ)
