// What can be done with a page of the tree, and the keys that do it.
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import type { TreePage } from '../../data/pages.ts'
import { holdsPages } from '../../data/tree-changes.ts'
import { t } from '../../messages/messages.ts'
import { Key } from '../../parts/key.tsx'

export type Choice =
  | 'write'
  | 'newBelow'
  | 'rename'
  | 'options'
  | 'hide'
  | 'show'
  | 'select'
  | 'cut'
  | 'paste'
  | 'pasteAfter'
  | 'delete'

const KEYS: Partial<Record<Choice, string>> = { rename: 'F2', cut: 'mod+x', paste: 'mod+v', delete: 'Delete' }

type Props = {
  readonly page: TreePage
  readonly row: Element
  readonly canPaste: boolean
  readonly onChoose: (choice: Choice) => void
  readonly onClose: () => void
}

export const PageMenu = ({ page, row, canPaste, onChoose, onClose }: Props) => (
  <Popover
    isOpen
    onOpenChange={onClose}
    triggerRef={{ current: row }}
    placement="bottom end"
    className="popover"
  >
    <Menu
      aria-label={page.title}
      autoFocus="first"
      onClose={onClose}
      onAction={key => onChoose(key as Choice)}
    >
      {choicesOf(page, canPaste).map(choice => (
        <MenuItem key={choice} id={choice} className="option" textValue={t(`tree.${choice}`)}>
          {t(`tree.${choice}`)}
          {KEYS[choice] !== undefined && (
            <span className="option-note" aria-hidden="true">
              <Key keys={KEYS[choice]} />
            </span>
          )}
        </MenuItem>
      ))}
    </Menu>
  </Popover>
)

const choicesOf = (page: TreePage, canPaste: boolean): readonly Choice[] => [
  ...(page.type === 'document' ? (['write'] as const) : []),
  ...(holdsPages(page) ? (['newBelow'] as const) : []),
  'rename',
  ...(page.type === 'document' ? [] : (['options'] as const)),
  page.hidden === true ? 'show' : 'hide',
  'select',
  'cut',
  ...(canPaste && holdsPages(page) ? (['paste'] as const) : []),
  ...(canPaste ? (['pasteAfter'] as const) : []),
  'delete',
]
