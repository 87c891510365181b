// The text of a page with what people say about it.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import MessageSquare from 'lucide-react/icons/message-square'
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isStatus } from '../../data/client.ts'
import { type Comment, commentsOf, type Discussion, type Target } from '../../data/comments.ts'
import { type Comparison, pageComparison, pageSources, revisionsOf } from '../../data/review.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { ShowAbout, useShowAbout } from '../../parts/quote.ts'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { Loaded, Skeleton } from '../../parts/state.tsx'
import { Blocks } from './block-list.tsx'
import { type Block, blocksOf, takeTitle } from './blocks.ts'
import { keyInFocus } from './focus.ts'
import type { Layout } from './layout.tsx'
import type { Props as ReviewProps } from './props.ts'
import { readSelection, SelectionButton } from './selection.tsx'
import { CommentContext, PageTalk, TalkContext, TargetTalk } from './talk.tsx'

type Props = ReviewProps & {
  readonly pageId: string
  readonly title: string
  readonly hasText: boolean
  /** The Markdown of blocks that changed, by their keys. */
  readonly sources: ReadonlyMap<string, string>
  readonly layout: Layout
  readonly isSource: boolean
  /** Back to the text as readers see it. */
  readonly onRendered: () => void
}

export function PageText(props: Props) {
  const { place, changeRequest, of, pageId, title, hasText, sources, layout, isSource } = props
  const query = useQuery({
    ...pageComparison(place, pageId, revisionsOf(changeRequest)),
    enabled: hasText,
  })
  const isTooMuch = isStatus(query.error, 413)
  if (isSource && hasText) return <PageSource {...props} />
  const around = { changeRequest, of, pageId, sources }
  if (!hasText || isTooMuch)
    return (
      <Talked {...around} blocks={NO_BLOCKS}>
        {isTooMuch && <TooMuch />}
      </Talked>
    )
  return (
    <Loaded query={query}>
      {found => <Compared {...around} comparison={found} title={title} layout={layout} />}
    </Loaded>
  )
}

const Source = lazy(() => import('./source.tsx'))

const PageSource = ({ place, changeRequest, of, pageId, layout, onRendered }: Props) => (
  <>
    <Elsewhere at={{ spaceId: of.id, changeRequestId: changeRequest.id }} {...{ pageId, onRendered }} />
    <Loaded query={useQuery(pageSources(place, pageId, revisionsOf(changeRequest)))}>
      {({ before, after }) => (
        <Suspense fallback={<Skeleton lines={8} />}>
          <Source before={before} after={after} layout={layout} />
        </Suspense>
      )}
    </Loaded>
  </>
)

type ElsewhereProps = Pick<Props, 'pageId' | 'onRendered'> & { readonly at: Discussion }

/** Comments have no place in the source: says how many there are, and leads to them. */
function Elsewhere({ at, pageId, onRendered }: ElsewhereProps) {
  const { data } = useInfiniteQuery(commentsOf(at, { targetPage: pageId }))
  const count = data?.pages[0]?.count ?? 0
  if (count === 0) return null
  return (
    <p className="notice info review-elsewhere">
      <MessageSquare size={16} aria-hidden />
      <span className="grow">{t('review.sourceComments', { count })}</span>
      <Button onPress={onRendered}>{t('review.showComments')}</Button>
    </p>
  )
}

const NO_BLOCKS: readonly Block[] = []

export const TooMuch = () => <p className="notice info">{t('review.tooMuch')}</p>

export const More = ({ count }: { readonly count: number }) =>
  count > 0 && <p className="notice info">{t('review.moreBlocks', { count })}</p>

type Around = Pick<Props, 'changeRequest' | 'of' | 'pageId' | 'sources'>
type ComparedProps = Around & Pick<Props, 'title' | 'layout'> & { readonly comparison: Comparison }

function Compared({ comparison, title, layout, ...around }: ComparedProps) {
  const { titleKey, blocks } = useMemo(() => takeTitle(blocksOf(comparison), title), [comparison, title])
  // The switch is drawn at once, and a long text after it.
  const drawn = useDeferredValue(layout)
  return (
    <Talked {...around} titleKey={titleKey} blocks={blocks}>
      <Blocks blocks={blocks} layout={drawn} />
      <More count={comparison.more} />
    </Talked>
  )
}

type TalkedProps = Around & {
  /** Of the heading that stands above the text, and not in it. */
  readonly titleKey?: string | undefined
  readonly blocks: readonly Block[]
  readonly children: ReactNode
}

function Talked({ changeRequest, of, pageId, sources, titleKey, blocks, children }: TalkedProps) {
  const box = useRef<HTMLDivElement>(null)
  const [target, setTarget] = useState<Target | null>(null)
  const at = useMemo(() => ({ spaceId: of.id, changeRequestId: changeRequest.id }), [of.id, changeRequest.id])
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery(
    commentsOf(at, { targetPage: pageId }),
  )
  const isDue = hasNextPage && !isFetching && !isError
  // Where a comment belongs is known once all are there.
  useEffect(() => {
    if (isDue) void fetchNextPage()
  }, [isDue, fetchNextPage])
  const keys = useMemo(() => keysOf(blocks, titleKey), [blocks, titleKey])
  const placed = useMemo(
    () =>
      place(
        (data?.pages ?? []).flatMap(({ items }) => items),
        keys,
        titleKey,
      ),
    [data, keys, titleKey],
  )
  const isTargetGone = target?.node !== undefined && !keys.has(target.node)
  const canComment = of.permissions.comment
  useShortcuts(
    canComment
      ? {
          c: () => {
            const node = keyInFocus()
            setTarget({
              page: pageId,
              ...(readSelection(box.current) ?? (node === undefined ? {} : { node })),
            })
          },
        }
      : {},
  )
  const talk = useMemo(
    () => ({ at, threads: placed.atBlocks, sources, target, onTarget: setTarget }),
    [at, placed, sources, target],
  )
  const comment = useCallback((node: string) => setTarget({ page: pageId, node }), [pageId])
  const find = useCallback(
    (node: string) => {
      const key = blockOf(node, keys)
      return [...(box.current?.querySelectorAll('[data-key]') ?? [])].find(
        one => one.getAttribute('data-key') === key,
      )
    },
    [keys],
  )
  const showAbout = useShowAbout(find)
  return (
    <ShowAbout value={showAbout}>
      <TalkContext value={talk}>
        <PageTalk threads={placed.onPage} />
        <div ref={box} className="review-text">
          <CommentContext value={canComment ? comment : null}>{children}</CommentContext>
          {canComment && (
            <SelectionButton box={box} onPress={selected => setTarget({ page: pageId, ...selected })} />
          )}
        </div>
        {(placed.onGone.length > 0 || isTargetGone) && (
          <section className="review-gone" aria-label={t('review.gone')}>
            <h3>{t('review.gone')}</h3>
            {isTargetGone && <TargetTalk />}
            <TalkContext value={{ ...talk, target: null }}>
              <PageTalk threads={placed.onGone} />
            </TalkContext>
          </section>
        )}
      </TalkContext>
    </ShowAbout>
  )
}

function keysOf(blocks: readonly Block[], titleKey: string | undefined): ReadonlySet<string> {
  const keys = blocks.flatMap(block =>
    block.kind === 'same' ? block.sides.map(({ key }) => key) : (block.after?.key ?? []),
  )
  return new Set(titleKey === undefined ? keys : [titleKey, ...keys])
}

type Placed = {
  readonly onPage: readonly Comment[]
  readonly atBlocks: ReadonlyMap<string, readonly Comment[]>
  readonly onGone: readonly Comment[]
}

function place(
  comments: readonly Comment[],
  keys: ReadonlySet<string>,
  titleKey: string | undefined,
): Placed {
  const onPage: Comment[] = []
  const onGone: Comment[] = []
  const atBlocks = new Map<string, Comment[]>()
  for (const comment of comments) {
    const { node, outdated } = comment.target
    const key = node === undefined || outdated === true ? undefined : blockOf(node.id, keys)
    const isOnTitle = key !== undefined && key === titleKey
    if (isOnTitle || (node === undefined && outdated !== true)) onPage.push(comment)
    else if (key === undefined) onGone.push(comment)
    else atBlocks.set(key, [...(atBlocks.get(key) ?? []), comment])
  }
  return { onPage, atBlocks, onGone }
}

/** The block that shows a node: itself, or the one that it is a part of. */
function blockOf(node: string, keys: ReadonlySet<string>): string | undefined {
  const [top = ''] = node.split('.', 1)
  return [node, top, top.replace(/-\d+$/, '')].find(key => keys.has(key))
}
