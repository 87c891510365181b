import { t } from '../messages/messages.ts'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)

/** `mod+k` as the keyboard of this device writes it. */
const keyLabel = (keys: string): string =>
  keys
    .replace('mod+', IS_APPLE ? '⌘' : `${t('keyboard.control')} `)
    .replace('shift+', IS_APPLE ? '⇧' : `${t('keyboard.shift')} `)
    .replace('Enter', '↵')
    .replace(/\b[a-z]\b/g, letter => letter.toUpperCase())

export const Key = ({ keys }: { readonly keys: string }) => <kbd className="key">{keyLabel(keys)}</kbd>
