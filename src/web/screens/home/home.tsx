// Where the day begins: what waits for me, what I am writing, what I read last, and the spaces.

import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from 'wouter'
import { changeRequestsOfOrganization, type Filters } from '../../data/change-requests.ts'
import { hasUnsent } from '../../data/drafts.ts'
import { useMayCreate } from '../../data/may-create.ts'
import { waitingNotifications } from '../../data/notifications.ts'
import { type Organization, useOrganization } from '../../data/organization.ts'
import { pageAddress, spaceAddress } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { listRecent } from '../../data/recent.ts'
import { collectionsOf, inCollections, spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { ChangeRequestRow } from '../../parts/change-request-row.tsx'
import { LinkList } from '../../parts/link-list.tsx'
import { More } from '../../parts/more.tsx'
import { Screen } from '../../parts/screen.tsx'
import { titleOf } from '../../parts/space-title.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'

/** Where the spaces begin. */
export const SPACES_ID = 'workspace:spaces'

export default function Home() {
  const organization = useOrganization()
  const mayCreate = useMayCreate(organization)
  return (
    <Screen
      title={t('home.title')}
      actions={
        mayCreate && (
          <Link href="/w/new" className="button">
            {t('home.newSpace')}
          </Link>
        )
      }
    >
      {organization === undefined ? <Empty text={t('home.noOrganization')} /> : <Content of={organization} />}
    </Screen>
  )
}

const FirstSteps = lazy(() => import('./first-steps.tsx'))
/** The guide is there from the first start on. */
const SPACES_AT_FIRST = 1

const Content = ({ of }: { readonly of: Organization }) => {
  const { id: myId } = useSuspenseQuery(me).data
  const { id } = of
  const spaces = useQuery(spacesOf(id)).data?.items
  return (
    <>
      {of.permissions.createContent && spaces !== undefined && spaces.length <= SPACES_AT_FIRST && (
        <Suspense>
          <FirstSteps of={of} />
        </Suspense>
      )}
      {hasUnsent(myId) && (
        <Suspense>
          <Unsent personId={myId} />
        </Suspense>
      )}
      <Requests
        organizationId={id}
        heading={t('home.waiting')}
        empty={t('home.nothingWaits')}
        filters={{ status: 'open', requestedReviewer: myId }}
      />
      <Mentions />
      <Requests
        organizationId={id}
        heading={t('home.drafts')}
        empty={t('home.noDrafts')}
        filters={{ status: 'draft', creator: myId }}
      />
      <RecentPages of={myId} />
      <Spaces organizationId={id} />
    </>
  )
}

const Unsent = lazy(() => import('./unsent.tsx'))
const Notifications = lazy(() => import('../notifications/notifications.tsx'))

function Mentions() {
  const { data } = useQuery(waitingNotifications)
  if (data === undefined || data.count === 0) return null
  return (
    <Suspense>
      <section className="stack" aria-label={t('home.mentions')}>
        <h2>{t('home.mentions')}</h2>
        <Notifications waiting={data.items} />
      </section>
    </Suspense>
  )
}

type RequestsProps = {
  readonly organizationId: string
  readonly heading: string
  readonly empty: string
  readonly filters: Filters
}

const Requests = ({ organizationId, heading, empty, filters }: RequestsProps) => {
  const query = useInfiniteQuery(changeRequestsOfOrganization(organizationId, filters))
  const spaces = useQuery(spacesOf(organizationId)).data?.items ?? []
  const titles = new Map(spaces.map(({ id, title }) => [id, title]))
  return (
    <section className="stack" aria-label={heading}>
      <h2>{heading}</h2>
      <Loaded query={query} lines={2}>
        {({ pages }) => {
          const items = pages.flatMap(page => page.items)
          if (items.length === 0) return <p className="soft">{empty}</p>
          return (
            <>
              <div className="card rows">
                {items.map(one => (
                  <ChangeRequestRow key={one.id} changeRequest={one} spaceTitle={titles.get(one.space)} />
                ))}
              </div>
              <More query={query} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const RecentPages = ({ of: userId }: { readonly of: string }) => {
  const pages = listRecent(userId)
  if (pages.length === 0) return null
  return (
    <section className="stack" aria-label={t('home.recent')}>
      <h2>{t('home.recent')}</h2>
      <div className="cards">
        {pages.map(({ spaceId, pageId, title, spaceTitle }) => (
          <Link key={`${spaceId} ${pageId}`} href={pageAddress(spaceId, pageId)} className="card space-card">
            <span className="rows-title" dir="auto">
              {title}
            </span>
            <bdi className="rows-facts">{spaceTitle}</bdi>
          </Link>
        ))}
      </div>
    </section>
  )
}

const ROW_PX = 48

const Spaces = ({ organizationId }: { readonly organizationId: string }) => {
  const query = useQuery(spacesOf(organizationId))
  const collections = useQuery(collectionsOf(organizationId)).data?.items ?? []
  return (
    <section className="stack" aria-label={t('home.spaces')}>
      <h2 id={SPACES_ID} tabIndex={-1}>
        {t('home.spaces')}
      </h2>
      <Loaded query={query} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="soft">{t('home.noSpaces')}</p>
          ) : (
            <LinkList
              label={t('home.spaces')}
              className="card list-of-page"
              linkClass="rows-row"
              heights={{ estimatedRowHeight: ROW_PX }}
              groups={inCollections(items, collections)}
              linkOf={one => ({ href: spaceAddress(one.id), title: titleOf(one) })}
            >
              {one => (
                <>
                  <span className="grow rows-title">{titleOf(one)}</span>
                  <span className="rows-facts">
                    {one.changeRequestsOpen > 0 && (
                      <span>{t('space.openChangeRequests', { count: one.changeRequestsOpen })}</span>
                    )}
                    <Time value={one.updatedAt} />
                  </span>
                </>
              )}
            </LinkList>
          )
        }
      </Loaded>
    </section>
  )
}
