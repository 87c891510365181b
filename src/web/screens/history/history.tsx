// The history of a space: who did what when, and undoing any of it.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { use, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure'
import { Heading } from 'react-aria-components/Heading'
import { Link, useSearch } from 'wouter'
import { changesOfRevision } from '../../data/change-request.ts'
import { findPage, historyAddress, pageAddress, spaceAddress } from '../../data/pages.ts'
import { type Revision, revisionsOf } from '../../data/revisions.ts'
import { pagesOf, type Space, space } from '../../data/spaces.ts'
import { historyTexts } from '../../messages/history.ts'
import { t } from '../../messages/messages.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Gone } from '../../parts/gone.tsx'
import { More } from '../../parts/more.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SpaceCrumbs } from '../../parts/space-crumbs.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { UndoMenu } from './undo.tsx'
import { What } from './what.tsx'

export default function HistoryScreen({ spaceId }: { readonly spaceId: string }) {
  if (historyTexts !== undefined) use(historyTexts)
  const pageId = new URLSearchParams(useSearch()).get('page') ?? undefined
  const query = useInfiniteQuery(revisionsOf(spaceId, pageId))
  return (
    <Loaded query={useQuery(space(spaceId))} lines="screen">
      {of => (
        <Screen title={t('history.title')} crumbs={<SpaceCrumbs of={of} />}>
          <Gone spaceId={spaceId} />
          {pageId !== undefined && <OnlyPage spaceId={spaceId} pageId={pageId} />}
          <Loaded query={query} lines={8}>
            {({ pages }) => {
              const revisions = pages.flatMap(({ items }) => items)
              if (revisions.length === 0)
                return <Empty text={t(pageId === undefined ? 'history.empty' : 'history.emptyPage')} />
              return (
                <>
                  <ol role="list" className="card rows">
                    {revisions.map(one => (
                      <li key={one.id}>
                        <Entry of={of} revision={one} />
                      </li>
                    ))}
                  </ol>
                  <More query={query} />
                </>
              )
            }}
          </Loaded>
        </Screen>
      )}
    </Loaded>
  )
}

type OnlyPageProps = { readonly spaceId: string; readonly pageId: string }

/** Says that the history is of one page, and leads to that of the space. */
function OnlyPage({ spaceId, pageId }: OnlyPageProps) {
  const pages = useQuery(pagesOf(spaceId)).data?.pages
  const title = pages && findPage(pages, pageId)?.page.title
  return (
    <p className="row">
      <span>
        {t('history.ofPage')}{' '}
        <Link href={pageAddress(spaceId, pageId)} dir="auto">
          {title ?? t('history.removedPage')}
        </Link>
      </span>
      <Link href={historyAddress(spaceId)} className="button quiet">
        {t('history.wholeSpace')}
      </Link>
    </p>
  )
}

type EntryProps = { readonly of: Space; readonly revision: Revision }

function Entry({ of, revision }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { commitAuthor, createdBy, createdAt, git, mergedFrom, type } = revision
  const name = commitAuthor ?? createdBy?.displayName ?? t('history.somebody')
  const title = titleOf(revision)
  return (
    <Disclosure className="history-entry" isExpanded={isOpen} onExpandedChange={setOpen}>
      <div className="history-head">
        <Avatar name={name} />
        <div className="grow">
          <Heading level={2} className="history-title">
            <AriaButton slot="trigger" className="history-trigger">
              <span>{title}</span>
              <ChevronRight size={14} aria-hidden />
            </AriaButton>
          </Heading>
          <p className="rows-facts">
            <bdi>{name}</bdi>
            <Time value={createdAt} />
            {revision.id === of.revision && <span>{t('history.current')}</span>}
            {type !== 'edits' && <span>{t(`history.type.${type}`)}</span>}
            {mergedFrom !== undefined && (
              <Link href={`${spaceAddress(of.id)}/c/${mergedFrom.number}`} className="numbers">
                #{mergedFrom.number}
              </Link>
            )}
            {git !== undefined && (
              <span title={git.oid}>
                {t('history.commit')} <code>{git.oid.slice(0, OID_SHOWN)}</code>
              </span>
            )}
          </p>
        </div>
        {revision.parents.length > 0 && <UndoMenu of={of} revision={revision} title={title} />}
      </div>
      <DisclosurePanel className="history-panel">
        {isOpen && <Changes of={of} revision={revision} />}
      </DisclosurePanel>
    </Disclosure>
  )
}

const OID_SHOWN = 7

function Changes({ of, revision }: EntryProps) {
  return (
    <Loaded query={useQuery(changesOfRevision(of.id, revision.id))} lines={3}>
      {({ changes, more }) => (
        <>
          {changes.length === 0 ? (
            <p className="soft small">{t('history.nothing')}</p>
          ) : (
            <What spaceId={of.id} revision={revision} changes={changes} />
          )}
          {more !== undefined && <p className="faint small">{t('history.more', { count: more })}</p>}
        </>
      )}
    </Loaded>
  )
}

/** What it was for, as far as somebody said so. */
function titleOf({ git, mergedFrom, type, parents }: Revision): string {
  const message = git?.message.split('\n', 1)[0]?.trim() ?? ''
  if (mergedFrom !== undefined && mergedFrom.subject !== '') return mergedFrom.subject
  if (message !== '') return message
  if (parents.length === 0) return t('history.first')
  return t(`history.did.${type}`)
}
