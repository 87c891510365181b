// A row of the tree where it is written: the title, which is written in place, and what opens the menu or is dragged.
import Ellipsis from 'lucide-react/icons/ellipsis'
import EyeOff from 'lucide-react/icons/eye-off'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { createContext, type SyntheticEvent, useContext } from 'react'
import { Button } from 'react-aria-components/Button'
import { emojiOf, type TreePage } from '../../data/pages.ts'
import { t } from '../../messages/messages.ts'

type Tools = {
  readonly currentId: string | undefined
  /** Those that wait to be pasted. */
  readonly cut: ReadonlySet<string>
  readonly onMenu: (page: TreePage, row: Element) => void
  readonly onRename: (page: TreePage, row: Element) => void
}

export const RowTools = createContext<Tools | null>(null)

export const rowOf = (inside: EventTarget | null): Element | undefined =>
  (inside instanceof Element ? inside.closest('[role="row"]') : null) ?? undefined

export function RowTitle({ page }: { readonly page: TreePage }) {
  const tools = useContext(RowTools)
  const title = page.linkTitle ?? page.title
  const emoji = emojiOf(page.emoji)
  const isWritten = page.type !== 'computed'
  const open = (to: 'onMenu' | 'onRename', { target }: { readonly target: EventTarget }) => {
    const row = rowOf(target)
    if (row !== undefined && isWritten) tools?.[to](page, row)
  }
  const onContextMenu = (event: SyntheticEvent) => {
    event.preventDefault()
    open('onMenu', event)
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: F2 and the menu do the same by keyboard */}
      <span
        className={`tree-link${page.type === 'link' ? ' external' : ''}${tools?.cut.has(page.id) === true ? ' cut' : ''}`}
        aria-current={page.id === tools?.currentId ? 'page' : undefined}
        onDoubleClick={event => open('onRename', event)}
        onContextMenu={onContextMenu}
      >
        {emoji !== undefined && <span aria-hidden="true">{emoji}</span>}
        <bdi className="truncate">{title}</bdi>
        {page.hidden === true && (
          <>
            <EyeOff size={13} aria-hidden />
            <span className="visually-hidden">{t('tree.hiddenPage')}</span>
          </>
        )}
      </span>
      {isWritten && (
        <>
          <Button slot="drag" className="tree-tool">
            <GripVertical size={14} aria-hidden />
          </Button>
          <Button
            className="tree-tool"
            aria-label={t('tree.more', { title })}
            onPress={event => open('onMenu', event)}
          >
            <Ellipsis size={14} aria-hidden />
          </Button>
        </>
      )}
    </>
  )
}
