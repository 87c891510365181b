// The list of keys that do something on the screen below, and the switch for those that are single letters.
import { Switch } from 'react-aria-components/Switch'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Key } from '../../parts/key.tsx'
import { isInUse, setShortcuts, useShortcutsSetting } from '../../parts/shortcuts.ts'

const KEYS = [
  ['mod+k', 'search', '/'],
  ['g h', 'home'],
  ['g s', 'spaces'],
  ['g c', 'changeRequests'],
  ['g p', 'people'],
  ['g i', 'notifications'],
  ['e', 'edit'],
  ['c', 'comment'],
  ['j', 'next'],
  ['k', 'previous'],
  ['v', 'viewed'],
  ['a', 'approve'],
  ['r', 'requestChanges'],
  ['m', 'merge'],
  ['[', 'tree'],
  [']', 'outline'],
  ['mod+Enter', 'send'],
  ['?', 'help'],
] as const

/** Wherever a text is written. */
const OF_FIELDS = 'mod+Enter'

export default function Keyboard({ onClose }: { readonly onClose: () => void }) {
  const isOn = useShortcutsSetting()
  return (
    <Dialog title={t('keyboard.title')} isOpen onClose={onClose} isDismissable>
      <dl className="keys">
        {KEYS.filter(([keys]) => keys === OF_FIELDS || isInUse(keys)).map(([keys, name, orElse]) => (
          <div key={keys}>
            <dt>{t(`keyboard.${name}`)}</dt>
            <dd>
              <Key keys={keys} />
              {orElse !== undefined && <Key keys={orElse} />}
            </dd>
          </div>
        ))}
      </dl>
      <Switch className="switch" isSelected={isOn} onChange={setShortcuts}>
        <span className="switch-track" />
        {t('keyboard.single')}
      </Switch>
      <div className="dialog-actions">
        <Button onPress={onClose} autoFocus>
          {t('keyboard.close')}
        </Button>
      </div>
    </Dialog>
  )
}
