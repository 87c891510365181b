// The change requests of a space, or of the organization, by status.
import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import {
  type ChangeRequest,
  changeRequestsOfOrganization,
  changeRequestsOfSpace,
  type Filters,
} from '../../data/change-requests.ts'
import { type Organization, useOrganization } from '../../data/organization.ts'
import { me } from '../../data/people.ts'
import { space, spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { ChangeRequestRow } from '../../parts/change-request-row.tsx'
import { Screen } from '../../parts/screen.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'

const VIEWS = ['open', 'draft', 'mine', 'merged', 'archived'] as const
type View = (typeof VIEWS)[number]

/** `mine` is what waits for my review. */
function filtersOf(view: View, myId: string): Filters {
  return view === 'mine' ? { status: 'open', requestedReviewer: myId } : { status: view }
}

export function ChangeRequestsOfSpace({ spaceId }: { readonly spaceId: string }) {
  const [view, setView] = useState<View>('open')
  const { id: myId } = useSuspenseQuery(me).data
  const query = useInfiniteQuery(changeRequestsOfSpace(spaceId, filtersOf(view, myId)))
  const { data } = useQuery(space(spaceId))
  return (
    <Screen title={t('changeRequests.title')}>
      {data !== undefined && <p className="soft">{data.title}</p>}
      <Views view={view} onChange={setView} />
      <List query={query} view={view} titles={NO_TITLES} />
    </Screen>
  )
}

const NO_TITLES: ReadonlyMap<string, string> = new Map()

export function ChangeRequestsOfOrganization() {
  const organization = useOrganization()
  return organization === undefined ? null : <OfOrganization of={organization} />
}

function OfOrganization({ of: { id, title } }: { readonly of: Organization }) {
  const [view, setView] = useState<View>('open')
  const { id: myId } = useSuspenseQuery(me).data
  const query = useInfiniteQuery(changeRequestsOfOrganization(id, filtersOf(view, myId)))
  const spaces = useQuery(spacesOf(id)).data?.items ?? []
  return (
    <Screen title={t('changeRequests.title')}>
      <p className="soft">{title}</p>
      <Views view={view} onChange={setView} />
      <List query={query} view={view} titles={new Map(spaces.map(one => [one.id, one.title]))} />
    </Screen>
  )
}

type ViewsProps = { readonly view: View; readonly onChange: (view: View) => void }

const Views = ({ view, onChange }: ViewsProps) => (
  <ToggleButtonGroup
    className="filters"
    aria-label={t('changeRequests.filters')}
    selectionMode="single"
    disallowEmptySelection
    selectedKeys={[view]}
    onSelectionChange={keys => {
      const [key] = keys
      onChange(VIEWS.find(one => one === key) ?? 'open')
    }}
  >
    {VIEWS.map(one => (
      <ToggleButton key={one} id={one} className="filter">
        {t(`changeRequests.filter.${one}`)}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
)

type Pages = { readonly pages: readonly { readonly items: readonly ChangeRequest[] }[] }
type ListProps = {
  readonly query: UseInfiniteQueryResult<Pages>
  readonly view: View
  readonly titles: ReadonlyMap<string, string>
}

const List = ({ query, view, titles }: ListProps) => (
  <Loaded query={query}>
    {({ pages }) => {
      const items = pages.flatMap(page => page.items)
      if (items.length === 0) return <Empty text={t(`changeRequests.empty.${view}`)} />
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
)
