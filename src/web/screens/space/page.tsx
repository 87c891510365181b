// A page in the middle of its space: where it is, what is written, who links to it; its outline and what people say about
// it are beside it, or open over it where there is no room.
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import List from 'lucide-react/icons/list'
import MessageSquare from 'lucide-react/icons/message-square'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { commentsOf } from '../../data/comments.ts'
import {
  backlinksOf,
  emojiOf,
  hasText,
  historyAddress,
  pageAddress,
  pageHtml,
  spaceAddress,
  type TreePage,
} from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { noteRecent } from '../../data/recent.ts'
import { authorOf, lastRevisionOf } from '../../data/revisions.ts'
import type { Space } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { Content, isPlaceNamed } from '../../parts/content.tsx'
import { useMedia } from '../../parts/media.ts'
import { ShowAbout, useShowAbout } from '../../parts/quote.ts'
import { useHeading } from '../../parts/screen.tsx'
import { useShortcuts } from '../../parts/shortcuts.ts'
import { Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { PageActions } from './actions.tsx'
import { Aside, Drawer, type View } from './aside.tsx'
import { BlockButton } from './block-button.tsx'
import { useBlocks } from './blocks.ts'

type Props = { readonly space: Space; readonly page: TreePage; readonly above: readonly TreePage[] }

const HAS_ROOM = '(width >= 1200px)'

export function PageView({ space, page, above }: Props) {
  const heading = useHeading(page.title)
  const { id: personId } = useSuspenseQuery(me).data
  const html = useQuery({ ...pageHtml(space.id, page.id), enabled: hasText(page) })
  const [withResolved, showResolved] = useState(false)
  const threads = useInfiniteQuery({
    ...commentsOf({ spaceId: space.id }, { targetPage: page.id, status: withResolved ? 'all' : 'open' }),
    enabled: space.permissions.access,
  })
  const open = (threads.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ status }) => status === 'open')
  const count = open.length
  const hasRoom = useMedia(HAS_ROOM)
  const [view, setView] = useState<View | null>(null)
  const [isHidden, setHidden] = useState(false)
  /** What a new comment is on: a block by its key, '' for the page. */
  const [target, setTarget] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const { blocks, pointed } = useBlocks(box, html.data?.html, open)
  useEffect(() => {
    // A place that is read later is brought into sight then.
    if (!isPlaceNamed()) scrollTo({ top: 0, behavior: 'instant' })
    noteRecent(personId, {
      spaceId: space.id,
      pageId: page.id,
      title: page.title,
      spaceTitle: space.title,
    })
  }, [personId, space.id, page.id, page.title, space.title])

  const showAbout = useShowAbout(blocks.find)
  const commentOn = (key: string) => {
    setTarget(key)
    setView('comments')
    setHidden(false)
  }
  const canComment = space.permissions.comment
  useShortcuts({
    j: () => blocks.move(1),
    k: () => blocks.move(-1),
    ']': () => setHidden(!isHidden),
    ...(canComment ? { c: () => commentOn(blocks.keyInFocus() ?? '') } : {}),
  })

  const outline = html.data?.outline ?? (hasText(page) ? undefined : [])
  const shown = view ?? (count > 0 ? 'comments' : 'outline')
  const aside = {
    ...{ space, page, outline, threads, blocks, target },
    onTarget: setTarget,
    ...{ withResolved, onResolved: showResolved },
  }
  return (
    <ShowAbout value={showAbout}>
      <div className={hasRoom && !isHidden ? 'page-frame with-aside' : 'page-frame'}>
        <div className="page-bar">
          <Breadcrumbs space={space} above={above} />
          <PageActions space={space} page={page} onComment={() => commentOn('')} />
        </div>
        <article className="page">
          <header className="page-head">
            <h1 ref={heading} tabIndex={-1} dir="auto">
              {emojiOf(page.emoji) !== undefined && <span aria-hidden="true">{emojiOf(page.emoji)} </span>}
              {page.title}
            </h1>
            {page.description !== undefined && (
              <p className="page-lead" dir="auto">
                {page.description}
              </p>
            )}
            {!hasRoom && (
              <div className="row">
                {outline !== undefined && outline.length > 0 && (
                  <Button look="quiet" onPress={() => setView('outline')}>
                    <List size={15} aria-hidden />
                    {t('space.outline')}
                  </Button>
                )}
                {space.permissions.access && (
                  <Button look="quiet" onPress={() => setView('comments')}>
                    <MessageSquare size={15} aria-hidden />
                    {count === 0 ? t('space.comments') : t('space.commentCount', { count })}
                  </Button>
                )}
              </div>
            )}
          </header>
          {hasText(page) ? (
            <Loaded query={html} lines={10}>
              {({ html: written }) =>
                written === '' ? (
                  <p className="soft">{t('space.emptyPage')}</p>
                ) : (
                  <div className="page-written" onPointerOver={blocks.point} onPointerLeave={blocks.unpoint}>
                    <Content html={written} language={space.language} box={box} />
                    {canComment && <BlockButton blocks={blocks} pointed={pointed} onPress={commentOn} />}
                  </div>
                )
              }
            </Loaded>
          ) : (
            <Below space={space} page={page} />
          )}
          <Foot space={space} page={page} />
        </article>
        {hasRoom && !isHidden && <Aside {...aside} view={shown} count={count} onView={setView} />}
        {!hasRoom && view !== null && <Drawer {...aside} view={view} onClose={() => setView(null)} />}
      </div>
    </ShowAbout>
  )
}

type BreadcrumbsProps = { readonly space: Space; readonly above: readonly TreePage[] }

const Breadcrumbs = ({ space, above }: BreadcrumbsProps) => (
  <nav className="breadcrumbs" aria-label={t('space.breadcrumbs')}>
    <ol>
      <li>
        <Link href={spaceAddress(space.id)}>{space.title === '' ? t('space.untitled') : space.title}</Link>
      </li>
      {above.map(page => (
        <li key={page.id}>
          {page.type === 'group' ? (
            page.title
          ) : (
            <Link href={pageAddress(space.id, page.id)}>{page.title}</Link>
          )}
        </li>
      ))}
    </ol>
  </nav>
)

/** A group has no text: it leads to its pages. */
const Below = ({ space, page }: { readonly space: Space; readonly page: TreePage }) => (
  <ul role="list" className="card rows">
    {(page.pages ?? []).map(below => (
      <li key={below.id}>
        <Link href={pageAddress(space.id, below.id)} className="rows-row">
          {below.title}
        </Link>
      </li>
    ))}
  </ul>
)

/** By whom and when, with the way to everything that ever changed the page. */
function Updated({ space, page }: { readonly space: Space; readonly page: TreePage }) {
  const { data } = useQuery({ ...lastRevisionOf(space.id, page.id), enabled: space.permissions.access })
  const at = page.updatedAt ?? data?.createdAt
  if (at === undefined) return null
  const name = data === undefined || data === null ? undefined : authorOf(data)
  return (
    <p className="faint small">
      {name === undefined ? t('space.updated') : t('space.updatedBy', { name })} <Time value={at} />
      {data !== undefined && data !== null && (
        <>
          {' · '}
          <Link href={historyAddress(space.id, page.id)}>{t('space.pageHistory')}</Link>
        </>
      )}
    </p>
  )
}

const Foot = ({ space, page }: { readonly space: Space; readonly page: TreePage }) => {
  const query = useInfiniteQuery(backlinksOf(space.id, page.id))
  const linking = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .flatMap(item => (item.kind === 'page' ? [item] : []))
  return (
    <footer className="page-foot">
      <Updated space={space} page={page} />
      {linking.length > 0 && (
        <section aria-labelledby="workspace:backlinks">
          <h2 id="workspace:backlinks" className="page-foot-heading">
            {t('space.backlinks')}
          </h2>
          <ul role="list">
            {linking.map(({ page: from, space: within }) => (
              <li key={`${within.id}.${from.id}`}>
                <Link href={pageAddress(within.id, from.id)}>{from.title}</Link>
                {within.id !== space.id && <span className="faint"> · {within.title}</span>}
              </li>
            ))}
          </ul>
          {query.hasNextPage && (
            <Button look="quiet" isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
              {t('list.more')}
            </Button>
          )}
        </section>
      )}
    </footer>
  )
}
