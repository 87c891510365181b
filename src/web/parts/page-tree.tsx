// A tree of pages. Only the rows in sight are in the document, whatever the size of the space.
import { ChevronRight, ExternalLink } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Collection } from 'react-aria-components/Collection'
import { Link } from 'react-aria-components/Link'
import {
  NavigationTree,
  NavigationTreeItem,
  NavigationTreeItemContent,
} from 'react-aria-components/NavigationTree'
import type { TreeRenderProps } from 'react-aria-components/Tree'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { keepOpenBranches, readOpenBranches } from '../data/open-branches.ts'
import { emojiOf, findPage, type TreePage } from '../data/pages.ts'
import { t } from '../messages/messages.ts'

type TreeState = TreeRenderProps['state']

const ROW = 32
const ROW_TOUCH = 44

type Props = {
  /** Which branches are open is remembered by it. */
  readonly name: string
  readonly pages: readonly TreePage[]
  readonly currentId: string | undefined
  readonly addressOf: (pageId: string) => string
}

export function PageTree({ name, pages, currentId, addressOf }: Props) {
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
  const height = matchMedia('(pointer: coarse)').matches ? ROW_TOUCH : ROW
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
    const page = event.key === 'Home' ? pages[0] : event.key === 'End' ? lastOf(pages, expanded) : undefined
    if (page === undefined || state.current === null) return
    event.preventDefault()
    event.stopPropagation()
    state.current.selectionManager.setFocusedKey(page.id)
  }
  return (
    <div className="tree-box" onKeyDownCapture={jump}>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: height }}>
        <NavigationTree
          ref={box}
          className="tree"
          aria-label={t('space.pages')}
          items={pages}
          selectedRoute={currentId === undefined ? null : addressOf(currentId)}
          expandedKeys={expanded}
          onExpandedChange={keys => setExpanded(new Set([...keys].map(String)))}
        >
          {page => <Row page={page} addressOf={addressOf} state={state} />}
        </NavigationTree>
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
            <Known state={ofTree} holder={state} />
            <span className="tree-indent" style={{ inlineSize: (level - 1) * 14 }} />
            {hasChildItems ? (
              <Button slot="chevron" className="tree-chevron">
                <ChevronRight size={14} aria-hidden />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            <Link className="tree-link">
              {emojiOf(page.emoji) !== undefined && <span aria-hidden="true">{emojiOf(page.emoji)}</span>}
              <span className="truncate">{title}</span>
              {isLink && <ExternalLink size={12} aria-hidden />}
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

function Known({ state, holder }: { readonly state: TreeState; readonly holder: RowProps['state'] }) {
  useEffect(() => {
    holder.current = state
  })
  return null
}

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
