// The texts of what a person wants to be told, which come with that section.
import { addTexts, type Language } from './messages.ts'
import en from './notification-settings.en.json'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./notification-settings.de.json'),
}

/** To be awaited before it is shown; undefined if there is nothing to wait for. */
export const notificationSettingsTexts = addTexts(en, READ)
