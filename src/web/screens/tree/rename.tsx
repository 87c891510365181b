// Renames a page in its row of the tree.
import { type FormEvent, useState } from 'react'
import { Input } from 'react-aria-components/Input'
import { Popover } from 'react-aria-components/Popover'
import { TextField } from 'react-aria-components/TextField'
import type { TreePage } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'

export const TITLE_CHARACTERS_MAX = 250

type Props = {
  readonly page: TreePage
  readonly row: Element
  readonly onRename: (title: string) => void
  readonly onClose: () => void
}

export function Rename({ page, row, onRename, onClose }: Props) {
  const [title, setTitle] = useState(page.title)
  const save = (event?: FormEvent) => {
    event?.preventDefault()
    onClose()
    if (title.trim() !== '' && title.trim() !== page.title) onRename(title.trim())
  }
  const { height, width } = row.getBoundingClientRect()
  return (
    <Popover
      isOpen
      // Clicking elsewhere keeps what was typed, Escape does not.
      onOpenChange={() => save()}
      triggerRef={{ current: row }}
      placement="bottom start"
      offset={-height}
      className="tree-rename"
      aria-label={t('tree.rename')}
    >
      <form onSubmit={save}>
        <TextField
          aria-label={t('tree.title')}
          value={title}
          onChange={setTitle}
          maxLength={TITLE_CHARACTERS_MAX}
          autoFocus
        >
          <Input
            className="input"
            dir="auto"
            style={{ inlineSize: width }}
            onFocus={event => event.currentTarget.select()}
            onKeyDown={event => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              onClose()
            }}
          />
        </TextField>
      </form>
    </Popover>
  )
}
