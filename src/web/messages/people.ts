// The texts of people, roles, teams and invitations, which come with their screens.

import { addTexts, type Language } from './messages.ts'
import en from './people.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./people.de.json'),
}

/** To be awaited before the screen is shown; undefined if there is nothing to wait for. */
export const peopleTexts = addTexts(en, READ)
