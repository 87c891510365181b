// The texts of how to write with Git and with programs, which come with their dialog.
import edit from './edit.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof edit }>>> = {
  de: () => import('./edit.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const editTexts = addTexts(edit, READ)
