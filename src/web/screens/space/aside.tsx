// Beside a page: its outline, or what people say about it, each thread at its block. Where there is no room both open over
// the page.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import X from 'lucide-react/icons/x'
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import type { Model } from '../../data/client.ts'
import type { Comment } from '../../data/comments.ts'
import type { TreePage } from '../../data/pages.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/state.tsx'
import { NewThread, Thread } from '../../parts/thread/thread.tsx'
import type { Blocks } from './blocks.ts'

export type View = 'outline' | 'comments'
type Outline = Model<'PageHtml'>['outline']

type Props = {
  readonly space: Space
  readonly page: TreePage
  /** Undefined as long as it is not known. */
  readonly outline: Outline | undefined
  readonly threads: UseInfiniteQueryResult<{
    readonly pages: readonly { readonly items: readonly Comment[] }[]
  }>
  readonly blocks: Blocks
  /** What a new comment is on: a block by its key, '' for the page; null if none is being written. */
  readonly target: string | null
  readonly onTarget: (target: string | null) => void
  /** Whether threads that are resolved are shown too. */
  readonly withResolved: boolean
  readonly onResolved: (isShown: boolean) => void
  readonly view: View
}

type AsideProps = Props & { readonly count: number; readonly onView: (view: View) => void }

export const Aside = ({ count, onView, ...props }: AsideProps) => (
  <aside className="aside" aria-label={t('space.aside')}>
    {props.space.permissions.access && (
      <ToggleButtonGroup
        className="filters aside-views"
        aria-label={t('space.asideViews')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[props.view]}
        onSelectionChange={keys => onView(keys.has('comments') ? 'comments' : 'outline')}
      >
        <ToggleButton id="outline" className="filter">
          {t('space.outline')}
        </ToggleButton>
        <ToggleButton id="comments" className="filter">
          {t('space.comments')}
          {count > 0 && <span className="numbers faint"> {count}</span>}
        </ToggleButton>
      </ToggleButtonGroup>
    )}
    {props.view === 'outline' ? <OutlineList outline={props.outline} /> : <Comments {...props} isPlaced />}
  </aside>
)

export const Drawer = ({ onClose, ...props }: Props & { readonly onClose: () => void }) => (
  <ModalOverlay className="overlay" isOpen onOpenChange={isOpen => !isOpen && onClose()} isDismissable>
    <Modal className="drawer at-end">
      <Dialog className="drawer-body">
        <div className="row">
          <Heading slot="title" className="grow">
            {t(props.view === 'outline' ? 'space.outline' : 'space.comments')}
          </Heading>
          <IconButton label={t('space.close')} onPress={onClose}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
        {props.view === 'outline' ? (
          <OutlineList outline={props.outline} onChosen={onClose} />
        ) : (
          <Comments {...props} onShown={onClose} />
        )}
      </Dialog>
    </Modal>
  </ModalOverlay>
)

type OutlineProps = { readonly outline: Outline | undefined; readonly onChosen?: () => void }

function OutlineList({ outline = NOTHING, onChosen }: OutlineProps) {
  const current = useCurrentHeading(outline)
  const highest = Math.min(...outline.map(({ level }) => level))
  if (outline === NOTHING) return null
  if (outline.length === 0) return <p className="faint small">{t('space.noOutline')}</p>
  return (
    <nav className="outline" aria-label={t('space.outline')}>
      <ul role="list">
        {outline.map(({ id, text, level }) => (
          <li key={id} className={`outline-${level - highest}`}>
            <a
              href={`#${encodeURIComponent(id)}`}
              aria-current={id === current ? 'location' : undefined}
              onClick={onChosen}
            >
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const NOTHING: Outline = []

/** The heading of what is being read. */
function useCurrentHeading(outline: Outline): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    let frame = 0
    const mark = () => {
      frame = 0
      const line = innerHeight * 0.25
      let found = outline[0]?.id
      for (const { id } of outline) {
        const heading = document.getElementById(id)
        if (heading !== null && heading.getBoundingClientRect().top <= line) found = id
      }
      if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 4)
        found = outline.at(-1)?.id
      setCurrent(found)
    }
    const later = () => {
      frame ||= requestAnimationFrame(mark)
    }
    addEventListener('scroll', later, { passive: true })
    mark()
    return () => {
      removeEventListener('scroll', later)
      cancelAnimationFrame(frame)
    }
  }, [outline])
  return current
}

type CommentsProps = Props & { readonly isPlaced?: boolean; readonly onShown?: () => void }

/** In the order of their blocks; those on the page as a whole come first, those whose block is gone last. */
function Comments({
  space,
  page,
  outline,
  threads,
  blocks,
  target,
  onTarget,
  withResolved,
  onResolved,
  isPlaced = false,
  onShown,
}: CommentsProps) {
  const at = { spaceId: space.id }
  return (
    <Loaded query={threads} lines={4}>
      {({ pages }) => {
        const items = pages
          .flatMap(one => one.items)
          .map(comment => ({ comment, top: topOf(comment, blocks) }))
        items.sort((one, other) => one.top - other.top)
        const written: Placed[] = items.map(({ comment, top }) => ({
          id: comment.id,
          top,
          node: (
            <PageThread
              spaceId={space.id}
              comment={comment}
              blocks={blocks}
              isPageShown={outline !== undefined}
              onShown={onShown}
            />
          ),
        }))
        if (target !== null) {
          const top = target === '' ? 0 : (blocks.topOf(target) ?? 0)
          const before = written.filter(one => one.top < top).length
          written.splice(before, 0, {
            id: 'new',
            top,
            node: (
              <div className="thread new">
                {target !== '' && <blockquote className="thread-quote">{blocks.wordsOf(target)}</blockquote>}
                <NewThread
                  at={at}
                  target={{ page: page.id, ...(target === '' ? {} : { node: target }) }}
                  isFocused
                  onSent={() => onTarget(null)}
                  onCancel={() => onTarget(null)}
                />
              </div>
            ),
          })
        }
        return (
          <>
            {written.length === 0 && (
              <p className="faint small">
                {space.permissions.comment ? t('space.noComments') : t('space.noCommentsYet')}
              </p>
            )}
            {isPlaced ? (
              <Margin placed={written} layout={blocks.layout} />
            ) : (
              <div className="stack">
                {written.map(({ id, node }) => (
                  <div key={id}>{node}</div>
                ))}
              </div>
            )}
            <Button look="quiet" onPress={() => onResolved(!withResolved)}>
              {t(withResolved ? 'space.hideResolved' : 'space.showResolved')}
            </Button>
            {threads.hasNextPage && (
              <Button
                look="quiet"
                isPending={threads.isFetchingNextPage}
                onPress={() => threads.fetchNextPage()}
              >
                {t('list.more')}
              </Button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

type PageThreadProps = {
  readonly spaceId: string
  readonly comment: Comment
  readonly blocks: Blocks
  readonly isPageShown: boolean
  readonly onShown?: (() => void) | undefined
}

/** A page may have a thousand: each is drawn again only when it or the page changes. */
const PageThread = memo(({ spaceId, comment, blocks, isPageShown, onShown }: PageThreadProps) => (
  <Thread
    at={{ spaceId }}
    comment={comment}
    about={isPageShown ? <About comment={comment} blocks={blocks} onShown={onShown} /> : ''}
  />
))

function topOf({ target }: Comment, blocks: Blocks): number {
  if (target.node === undefined) return target.outdated === true ? Number.MAX_SAFE_INTEGER : 0
  return blocks.topOf(target.node.id) ?? Number.MAX_SAFE_INTEGER
}

type AboutProps = {
  readonly comment: Comment
  readonly blocks: Blocks
  readonly onShown?: (() => void) | undefined
}

/** The block that a comment is about: its first words, which lead to it. */
function About({ comment: { target }, blocks, onShown }: AboutProps) {
  const key = target.node?.id
  if (target.outdated === true || (key !== undefined && blocks.find(key) === undefined))
    return <p className="faint small">{t('space.blockGone')}</p>
  if (key === undefined) return <p className="faint small">{t('space.wholePage')}</p>
  return (
    <button
      type="button"
      className="thread-quote"
      onClick={() => {
        onShown?.()
        blocks.show(key)
      }}
    >
      {blocks.wordsOf(key)}
    </button>
  )
}

type Placed = { readonly id: string; readonly top: number; readonly node: ReactNode }

const GAP = 12

/** Each at the height of its block, or below the one before it. */
function Margin({ placed, layout }: { readonly placed: readonly Placed[]; readonly layout: number }) {
  const box = useRef<HTMLDivElement>(null)
  const [tops, setTops] = useState<readonly number[]>([])
  const [height, setHeight] = useState(0)
  const [measured, setMeasured] = useState(0)
  const ids = placed.map(({ id }) => id).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: other threads are other elements
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const observer = new ResizeObserver(() => setMeasured(before => before + 1))
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [ids])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is measured again when something has another size
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const from = current.getBoundingClientRect().top + scrollY
    let free = 0
    const next: number[] = []
    for (const [index, child] of [...current.children].entries()) {
      const wanted = placed[index]?.top ?? 0
      const top = Math.max(wanted === Number.MAX_SAFE_INTEGER ? free : wanted - from, free)
      next.push(top)
      free = top + child.getBoundingClientRect().height + GAP
    }
    setTops(before => (before.join() === next.join() ? before : next))
    setHeight(free)
  }, [ids, measured, layout])
  return (
    <div ref={box} className="margin" style={{ minBlockSize: height }}>
      {placed.map(({ id, node }, index) => (
        <div key={id} className="margin-item" style={{ insetBlockStart: tops[index] ?? 0 }}>
          {node}
        </div>
      ))}
    </div>
  )
}
