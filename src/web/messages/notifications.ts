// The texts of notifications, which come with their screens.
import { addTexts, type Language } from './messages.ts'
import en from './notifications.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./notifications.de.json'),
}

/** To be awaited before they are shown; undefined if there is nothing to wait for. */
export const notificationTexts = addTexts(en, READ)
