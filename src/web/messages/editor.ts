// The texts of the editor, which come with it.
import en from './editor.en.json'
import { addTexts, type Language } from './messages.ts'

const READ: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: typeof en }>>> = {
  de: () => import('./editor.de.json'),
}

/** To be awaited before the editor is shown; undefined if there is nothing to wait for. */
export const editorTexts = addTexts(en, READ)
