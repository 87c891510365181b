// The tree of pages where it is written: moved by pointer and by keys, named in place, with a menu at each page.
import { useSuspenseQuery } from '@tanstack/react-query'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { type ComponentProps, type KeyboardEvent, use, useMemo, useRef, useState } from 'react'
import type { Selection } from 'react-aria-components'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { useLocation } from 'wouter'
import { NEW_PAGE } from '../../data/new-page.ts'
import { type ContentPlace, editAddress, findPage, readAddress, type TreePage } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { type Drop, dropOf, holdsPages, type Step } from '../../data/tree-changes.ts'
import { t } from '../../messages/messages.ts'
import { treeTexts } from '../../messages/tree.ts'
import { IconButton } from '../../parts/button.tsx'
import { PageTree } from '../../parts/later-tree.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { insertPage } from './begin-page.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { type Entry, EntryDialog, entryOf } from './entry-dialog.tsx'
import { type Choice, PageMenu } from './page-menu.tsx'
import { Rename } from './rename.tsx'
import { RowTitle, RowTools, rowOf } from './row-tools.tsx'
import { useTreeActions } from './tree-actions.ts'

type Props = ComponentProps<typeof PageTree> & { readonly place: ContentPlace }

/** What is open over the tree. */
type Open =
  | { readonly kind: 'menu' | 'rename'; readonly page: TreePage; readonly row: Element }
  | { readonly kind: 'delete'; readonly ids: readonly string[] }
  | { readonly kind: 'options'; readonly page: TreePage }
  | { readonly kind: 'group' | 'link' }

const DRAGGED = 'application/x-octavo-page'
const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}
const NOTHING: ReadonlySet<string> = new Set()

export default function WritingTree({ place, ...tree }: Props) {
  if (treeTexts !== undefined) use(treeTexts)
  const { pages, currentId } = tree
  const { id: personId } = useSuspenseQuery(me).data
  const [, navigate] = useLocation()
  const act = useTreeActions(place, currentId)
  const [open, setOpen] = useState<Open | null>(null)
  const [chosen, setChosen] = useState(NOTHING)
  const [cut, setCut] = useState(NOTHING)
  const [branches, setBranches] = useState<readonly string[]>([])
  const latest = useRef(pages)
  latest.current = pages
  const close = () => setOpen(null)

  /** All that are chosen, if the page is one of them. */
  const withChosen = (id: string): readonly string[] => (chosen.has(id) ? [...chosen] : [id])
  const move = (ids: readonly string[], drop: Drop | undefined) => {
    if (drop === undefined) return
    const above = findPage(pages, drop.key)?.above.map(({ id }) => id) ?? []
    setBranches(drop.dropPosition === 'on' ? [...above, drop.key] : above)
    act({ kind: 'move', ids, drop })
  }
  const paste = (id: string, dropPosition: 'on' | 'after') => {
    if (cut.has(id) || findPage(pages, id)?.above.some(page => cut.has(page.id)) === true) return
    move([...cut], { key: id, dropPosition })
    setCut(NOTHING)
    setChosen(NOTHING)
  }
  const beginBelow = async (into: string) => {
    const page = { type: 'document', title: t('tree.newTitle'), into } as const
    const { draft, pageId } = await insertPage(place, personId, page)
    setBranches([into])
    navigate(editAddress(draft, pageId), { state: NEW_PAGE })
  }
  const insertEntry = async ({ url, ...entry }: Entry) => {
    const kind = url === undefined ? ({ type: 'group' } as const) : ({ type: 'link', url } as const)
    const { draft, pageId } = await insertPage(place, personId, { ...entry, ...kind })
    if (place.changeRequestId !== undefined) return
    say(t('tree.inDraft', { number: draft.changeRequestId }))
    navigate(readAddress(draft, currentId ?? pageId))
  }

  const choose = (choice: Choice, page: TreePage, row: Element) => {
    const ids = withChosen(page.id)
    switch (choice) {
      case 'write':
        return navigate(editAddress(place, page.id))
      case 'newBelow':
        return void beginBelow(page.id).catch(sayFailure)
      case 'rename':
        return setOpen({ kind: 'rename', page, row })
      case 'options':
        return setOpen({ kind: 'options', page })
      case 'hide':
      case 'show':
        return act({ kind: 'change', ids, fields: { hidden: choice === 'hide' } })
      case 'select':
        return setChosen(new Set([...chosen, page.id]))
      case 'cut':
        return setCut(new Set(ids))
      case 'paste':
        return paste(page.id, 'on')
      case 'pasteAfter':
        return paste(page.id, 'after')
      case 'delete':
        return setOpen({ kind: 'delete', ids })
    }
  }

  const onKey = (event: KeyboardEvent, id: string) => {
    const page = findPage(pages, id)?.page
    const row = rowOf(event.target)
    const action = page === undefined || row === undefined ? undefined : keyed(event, page, row)
    if (action === undefined) return
    event.preventDefault()
    event.stopPropagation()
    action()
  }
  const keyed = (event: KeyboardEvent, page: TreePage, row: Element): (() => void) | undefined => {
    const { key, altKey, shiftKey } = event
    const isMod = event.metaKey || event.ctrlKey
    const step = altKey && shiftKey ? STEPS[key] : undefined
    if (page.type === 'computed') return undefined
    if (step !== undefined) {
      const ids = withChosen(page.id)
      return () => move(ids, dropOf(pages, ids, step))
    }
    if (isMod && key.toLowerCase() === 'x') return () => choose('cut', page, row)
    if (isMod && key.toLowerCase() === 'v' && cut.size > 0)
      return () => choose(holdsPages(page) ? 'paste' : 'pasteAfter', page, row)
    if (key === 'F2') return () => choose('rename', page, row)
    if (key === 'Delete' || (key === 'Backspace' && isMod)) return () => choose('delete', page, row)
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey))
      return () => setOpen({ kind: 'menu', page, row })
    if (key === 'Escape' && cut.size > 0) return () => setCut(NOTHING)
    return undefined
  }

  const { dragAndDropHooks } = useDragAndDrop<TreePage>({
    getItems: keys =>
      [...keys].map(key => ({
        [DRAGGED]: String(key),
        'text/plain': findPage(latest.current, String(key))?.page.title ?? '',
      })),
    acceptedDragTypes: [DRAGGED],
    getDropOperation: target =>
      target.type === 'item' &&
      (target.dropPosition !== 'on' || holdsPages(findPage(latest.current, String(target.key))?.page))
        ? 'move'
        : 'cancel',
    onMove: ({ keys, target: { key, dropPosition } }) =>
      move([...keys].map(String), { key: String(key), dropPosition }),
  })
  const tools = useMemo(
    () => ({
      ...{ currentId, cut },
      onMenu: (page: TreePage, row: Element) => setOpen({ kind: 'menu', page, row }),
      onRename: (page: TreePage, row: Element) => setOpen({ kind: 'rename', page, row }),
    }),
    [currentId, cut],
  )
  return (
    <RowTools value={tools}>
      <AddMenu onChoose={kind => setOpen({ kind })} />
      <PageTree
        {...tree}
        editing={{
          ...{ dragAndDropHooks, onKey },
          Title: RowTitle,
          open: branches,
          selectedKeys: chosen,
          onSelectionChange: (keys: Selection) =>
            setChosen(new Set(keys === 'all' ? pages.map(({ id }) => id) : [...keys].map(String))),
        }}
      />
      {open?.kind === 'menu' && (
        <PageMenu
          {...open}
          canPaste={cut.size > 0}
          onChoose={choice => {
            close()
            choose(choice, open.page, open.row)
          }}
          // What was chosen may have opened something else.
          onClose={() => setOpen(now => (now?.kind === 'menu' ? null : now))}
        />
      )}
      {open?.kind === 'rename' && (
        <Rename
          {...open}
          onRename={title => act({ kind: 'change', ids: [open.page.id], fields: { title } })}
          onClose={close}
        />
      )}
      {open?.kind === 'delete' && (
        <DeleteDialog
          {...{ place, pages }}
          ids={open.ids}
          onDelete={() => act({ kind: 'delete', ids: open.ids })}
          onClose={close}
        />
      )}
      {open?.kind === 'options' && (
        <EntryDialog
          heading={t('tree.options')}
          confirm={t('tree.save')}
          entry={entryOf(open.page)}
          onSave={async entry => act({ kind: 'change', ids: [open.page.id], fields: fieldsOf(entry) })}
          onClose={close}
        />
      )}
      {(open?.kind === 'group' || open?.kind === 'link') && (
        <EntryDialog
          heading={t(open.kind === 'group' ? 'tree.newGroup' : 'tree.newLink')}
          confirm={t('tree.create')}
          entry={{ title: '', emoji: '', ...(open.kind === 'link' ? { url: '' } : {}) }}
          onSave={insertEntry}
          onClose={close}
        />
      )}
    </RowTools>
  )
}

const fieldsOf = ({ url, ...entry }: Entry) => ({
  ...entry,
  ...(url === undefined ? {} : { target: { kind: 'url' as const, url } }),
})

const AddMenu = ({ onChoose }: { readonly onChoose: (kind: 'group' | 'link') => void }) => (
  <div className="tree-add">
    <MenuTrigger>
      <IconButton label={t('tree.add')}>
        <FolderPlus size={15} aria-hidden />
      </IconButton>
      <Popover className="popover">
        <Menu onAction={key => onChoose(key as 'group' | 'link')}>
          <MenuItem id="group" className="option">
            {t('tree.newGroup')}
          </MenuItem>
          <MenuItem id="link" className="option">
            {t('tree.newLink')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  </div>
)
