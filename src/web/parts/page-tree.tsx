// A tree of pages. Only the rows in sight are in the document, whatever the size of the space.
import {
  type ComponentType,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Key } from 'react-aria-components'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { Link } from 'react-aria-components/Link'
import {
  NavigationTree,
  NavigationTreeItem,
  NavigationTreeItemContent,
} from 'react-aria-components/NavigationTree'
import {
  Tree,
  TreeItem,
  TreeItemContent,
  type TreeProps,
  type TreeRenderProps,
} from 'react-aria-components/Tree'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { keepOpenBranches, readOpenBranches } from '../data/open-branches.ts'
import { emojiOf, findPage, type TreePage } from '../data/pages.ts'
import { t } from '../messages/messages.ts'
import { controlPixels } from './media.ts'

type TreeState = TreeRenderProps['state']

/** Where pages are written: several are chosen, moved and named. */
export type TreeEditing = Pick<
  TreeProps<TreePage>,
  'dragAndDropHooks' | 'selectedKeys' | 'onSelectionChange'
> & {
  readonly Title: ComponentType<{ readonly page: TreePage }>
  /** Of the page that has the focus. */
  readonly onKey: (event: KeyboardEvent, pageId: string) => void
  /** Branches that are to be open from now on. */
  readonly open: readonly string[]
}

type Props = {
  /** Which branches are open is remembered by it. */
  readonly name: string
  readonly pages: readonly TreePage[]
  readonly currentId: string | undefined
  readonly addressOf: (pageId: string) => string
  readonly editing?: TreeEditing | undefined
}

const NO_BRANCHES: readonly string[] = []

export default function PageTree({ name, pages, currentId, addressOf, editing }: Props) {
  const [expanded, setExpanded] = useExpanded(name)
  const box = useRef<HTMLDivElement>(null)
  const state = useRef<TreeState>(null)
  const current = currentId === undefined ? undefined : findPage(pages, currentId)
  // What leads to the page is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: who closes a branch on the way keeps it closed
  useEffect(() => {
    const closed = current?.above.filter(({ id }) => !expanded.has(id)) ?? []
    if (closed.length > 0) setExpanded(new Set([...expanded, ...closed.map(({ id }) => id)]))
  }, [currentId])
  const open = editing?.open ?? NO_BRANCHES
  // biome-ignore lint/correctness/useExhaustiveDependencies: branches that were opened before may be closed since
  useEffect(() => {
    if (open.length > 0) setExpanded(new Set([...expanded, ...open]))
  }, [open])
  const height = controlPixels()
  useLayoutEffect(() => {
    const { current: tree } = box
    if (tree === null || currentId === undefined) return
    const row = rowOf(pages, expanded, currentId)
    if (row === -1) return
    const top = row * height
    if (top < tree.scrollTop || top + height > tree.scrollTop + tree.clientHeight)
      tree.scrollTop = top - tree.clientHeight / 3
  }, [currentId, pages, expanded, height])
  // Links in rows leave these keys to the browser, which scrolls and moves no focus.
  const jump = (event: KeyboardEvent) => {
    const focused = state.current?.selectionManager.focusedKey
    if (focused != null) editing?.onKey(event, String(focused))
    const page = event.key === 'Home' ? pages[0] : event.key === 'End' ? lastOf(pages, expanded) : undefined
    if (page === undefined || state.current === null) return
    event.preventDefault()
    event.stopPropagation()
    state.current.selectionManager.setFocusedKey(page.id)
  }
  const tree = {
    ref: box,
    className: 'tree',
    'aria-label': t('space.pages'),
    items: pages,
    dependencies: [addressOf('')],
    expandedKeys: expanded,
    onExpandedChange: (keys: Iterable<Key>) => setExpanded(new Set([...keys].map(String))),
  }
  return (
    <div className="tree-box" onKeyDownCapture={jump}>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: height }}>
        {editing === undefined ? (
          <NavigationTree {...tree} selectedRoute={currentId === undefined ? null : addressOf(currentId)}>
            {page => <Row page={page} addressOf={addressOf} state={state} />}
          </NavigationTree>
        ) : (
          <Tree
            {...tree}
            selectionMode="multiple"
            dragAndDropHooks={editing.dragAndDropHooks}
            selectedKeys={editing.selectedKeys}
            onSelectionChange={editing.onSelectionChange}
          >
            {page => <EditRow {...{ page, addressOf, state }} Title={editing.Title} />}
          </Tree>
        )}
      </Virtualizer>
    </div>
  )
}

/** The last row of the open tree. */
function lastOf(pages: readonly TreePage[], expanded: ReadonlySet<string>): TreePage | undefined {
  const last = pages.at(-1)
  return last !== undefined && expanded.has(last.id) ? (lastOf(last.pages ?? [], expanded) ?? last) : last
}

type RowProps = Pick<Props, 'addressOf'> & {
  readonly page: TreePage
  /** Of the tree, which its rows alone are given. */
  readonly state: RefObject<TreeState | null>
}

function Row({ page, addressOf, state }: RowProps) {
  const title = page.linkTitle ?? page.title
  const isLink = page.type === 'link'
  return (
    <NavigationTreeItem
      id={page.id}
      textValue={title}
      className={page.type === 'group' ? 'tree-row group' : 'tree-row'}
      {...(isLink
        ? { href: page.href ?? page.urls?.app, target: '_blank', rel: 'noopener noreferrer' }
        : page.type === 'group'
          ? {}
          : { href: addressOf(page.id) })}
    >
      <NavigationTreeItemContent>
        {({ hasChildItems, level, state: ofTree }) => (
          <>
            <Start {...{ hasChildItems, level }} state={ofTree} holder={state} />
            <Link className={isLink ? 'tree-link external' : 'tree-link'}>
              {emojiOf(page.emoji) !== undefined && <span aria-hidden="true">{emojiOf(page.emoji)}</span>}
              <span className="truncate">{title}</span>
            </Link>
          </>
        )}
      </NavigationTreeItemContent>
      <Collection items={page.pages ?? []}>
        {below => <Row page={below} addressOf={addressOf} state={state} />}
      </Collection>
    </NavigationTreeItem>
  )
}

type EditRowProps = RowProps & Pick<TreeEditing, 'Title'>

// Only what it declares is passed on: a collection gives its items an id, and by that of their parent rows have one key.
function EditRow({ page, Title, addressOf, state: holder }: EditRowProps) {
  const { id, type, pages = [] } = page
  return (
    <TreeItem
      id={id}
      textValue={page.linkTitle ?? page.title}
      className={`tree-row ${type}`}
      {...(type === 'document' || type === 'computed' ? { href: addressOf(id) } : {})}
    >
      <TreeItemContent>
        {({ hasChildItems, level, state }) => (
          <>
            <Start {...{ hasChildItems, level, state, holder }} />
            <Title page={page} />
          </>
        )}
      </TreeItemContent>
      <Collection items={pages}>
        {below => <EditRow {...{ Title, addressOf }} page={below} state={holder} />}
      </Collection>
    </TreeItem>
  )
}

type StartProps = {
  readonly hasChildItems: boolean
  readonly level: number
  readonly state: TreeState
  readonly holder: RowProps['state']
}

const Start = ({ hasChildItems, level, ...known }: StartProps) => (
  <>
    <Known {...known} />
    <span className="tree-indent" style={{ inlineSize: (level - 1) * 14 }} />
    {hasChildItems ? (
      <Button slot="chevron" className="tree-chevron">
        <Chevron />
      </Button>
    ) : (
      <span className="tree-chevron" />
    )}
  </>
)

function Known({ state, holder }: Pick<StartProps, 'state' | 'holder'>) {
  useEffect(() => {
    holder.current = state
  })
  return null
}

/** One of its own: an icon that other screens need too would come in the file that they share. */
const Chevron = () => (
  <svg
    width={14}
    height={14}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    aria-hidden
  >
    <path d="m9 18 6-6-6-6" />
  </svg>
)

/** Which row of the open tree a page is in; -1 if a branch above it is closed. */
function rowOf(pages: readonly TreePage[], expanded: ReadonlySet<string>, id: string): number {
  let row = 0
  const find = (some: readonly TreePage[]): boolean => {
    for (const page of some) {
      if (page.id === id) return true
      row += 1
      if (page.pages !== undefined && expanded.has(page.id) && find(page.pages)) return true
    }
    return false
  }
  return find(pages) ? row : -1
}

function useExpanded(name: string): [ReadonlySet<string>, (ids: ReadonlySet<string>) => void] {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set(readOpenBranches(name)))
  return [
    ids,
    next => {
      setIds(next)
      keepOpenBranches(name, next)
    },
  ]
}
