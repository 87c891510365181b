// Where the day begins: what waits for me, what I am writing, and the spaces.
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { changeRequestsOfOrganization, type Filters } from '../../data/change-requests.ts'
import { type Organization, useOrganization } from '../../data/organization.ts'
import { emojiOf } from '../../data/pages.ts'
import { me } from '../../data/people.ts'
import { spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { ChangeRequestRow } from '../../parts/change-request-row.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'

/** Where the spaces begin. */
export const SPACES_ID = 'workspace:spaces'

export default function Home() {
  const organization = useOrganization()
  return (
    <Screen title={t('home.title')}>
      {organization === undefined ? <Empty text={t('home.noOrganization')} /> : <Content of={organization} />}
    </Screen>
  )
}

const Content = ({ of: { id } }: { readonly of: Organization }) => {
  const { id: myId } = useSuspenseQuery(me).data
  return (
    <>
      <Requests
        organizationId={id}
        heading={t('home.waiting')}
        empty={t('home.nothingWaits')}
        filters={{ status: 'open', requestedReviewer: myId }}
      />
      <Requests
        organizationId={id}
        heading={t('home.drafts')}
        empty={t('home.noDrafts')}
        filters={{ status: 'draft', creator: myId }}
      />
      <Spaces organizationId={id} />
    </>
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
              {query.hasNextPage && (
                <div>
                  <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
                    {t('list.more')}
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

const Spaces = ({ organizationId }: { readonly organizationId: string }) => {
  const query = useQuery(spacesOf(organizationId))
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
            <div className="cards">
              {items.map(({ id, title, emoji, updatedAt, changeRequestsOpen }) => (
                <Link key={id} href={`/w/s/${id}`} className="card space-card">
                  <span className="rows-title">
                    {emojiOf(emoji)} {title === '' ? t('space.untitled') : title}
                  </span>
                  <span className="rows-facts">
                    <Time value={updatedAt} />
                    {changeRequestsOpen > 0 && (
                      <span>{t('space.openChangeRequests', { count: changeRequestsOpen })}</span>
                    )}
                  </span>
                </Link>
              ))}
            </div>
          )
        }
      </Loaded>
    </section>
  )
}
