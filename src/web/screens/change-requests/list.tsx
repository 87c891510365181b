// The change requests of a space, or of the organization, narrowed by what the address says. Only the rows in sight are
// in the document; more are read by scrolling.
import {
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { useSearchParams } from 'wouter'
import {
  type ChangeRequest,
  changeRequestsOfOrganization,
  changeRequestsOfSpace,
  type Filters,
} from '../../data/change-requests.ts'
import { membersOf } from '../../data/members.ts'
import { type Organization, useOrganization } from '../../data/organization.ts'
import { me } from '../../data/people.ts'
import { type Space, space, spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { ChangeRequestRow } from '../../parts/change-request-row.tsx'
import { Gone } from '../../parts/gone.tsx'
import { LinkRows } from '../../parts/link-rows.tsx'
import { Screen } from '../../parts/screen.tsx'
import { SpaceCrumbs } from '../../parts/space-crumbs.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'

// What the list can be read without.
const Choice = lazy(() => import('../../parts/choice.tsx'))
const NewChangeRequest = lazy(() => import('./new-change-request.tsx'))

const VIEWS = ['open', 'draft', 'mine', 'merged', 'archived'] as const
type View = (typeof VIEWS)[number]

/** What the address says: `?filter=draft&author=…`. */
function useNarrowing() {
  const [params, setParams] = useSearchParams()
  const { id: myId } = useSuspenseQuery(me).data
  const view = VIEWS.find(one => one === params.get('filter')) ?? 'open'
  const author = params.get('author') ?? undefined
  const filters: Filters = {
    // `mine` is what waits for my review.
    ...(view === 'mine' ? { status: 'open', requestedReviewer: myId } : { status: view }),
    ...(author === undefined ? {} : { creator: author }),
  }
  const change = (name: 'filter' | 'author', value: string | undefined) =>
    setParams(before => {
      const next = new URLSearchParams(before)
      if (value === undefined || value === 'open') next.delete(name)
      else next.set(name, value)
      return next
    })
  return { view, author, filters, change }
}
type Narrowing = ReturnType<typeof useNarrowing>

const NO_TITLES: ReadonlyMap<string, string> = new Map()

export function ChangeRequestsOfSpace({ spaceId }: { readonly spaceId: string }) {
  const narrowing = useNarrowing()
  const query = useInfiniteQuery(changeRequestsOfSpace(spaceId, narrowing.filters))
  const { data } = useQuery(space(spaceId))
  return (
    <Screen
      title={t('changeRequests.title')}
      crumbs={data && <SpaceCrumbs of={data} />}
      actions={data?.permissions.edit === true && <New spaces={[data]} />}
    >
      <Gone spaceId={spaceId} />
      {data !== undefined && (
        <Narrow by={narrowing} organizationId={data.organization} isShown={query.data !== undefined} />
      )}
      <List query={query} view={narrowing.view} titles={NO_TITLES} />
    </Screen>
  )
}

export function ChangeRequestsOfOrganization() {
  const organization = useOrganization()
  return organization === undefined ? null : <OfOrganization of={organization} />
}

function OfOrganization({ of: { id, title } }: { readonly of: Organization }) {
  const narrowing = useNarrowing()
  const query = useInfiniteQuery(changeRequestsOfOrganization(id, narrowing.filters))
  const spaces = useQuery(spacesOf(id)).data?.items ?? []
  const editable = spaces.filter(({ permissions }) => permissions.edit)
  return (
    <Screen title={t('changeRequests.title')} actions={editable.length > 0 && <New spaces={editable} />}>
      <p className="soft">{title}</p>
      <Narrow by={narrowing} organizationId={id} isShown={query.data !== undefined} />
      <List query={query} view={narrowing.view} titles={new Map(spaces.map(one => [one.id, one.title]))} />
    </Screen>
  )
}

function New({ spaces }: { readonly spaces: readonly Space[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="primary" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {t('changeRequests.new')}
      </Button>
      {isOpen && (
        <Suspense>
          <NewChangeRequest spaces={spaces} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

type NarrowProps = {
  readonly by: Narrowing
  readonly organizationId: string
  /** Whether there is a list to narrow: what the first one can be read without comes after it. */
  readonly isShown: boolean
}

function Narrow({ by: { view, author, change }, organizationId, isShown }: NarrowProps) {
  const { data: members = [] } = useQuery(membersOf(organizationId))
  return (
    <div className="list-bar">
      <ToggleButtonGroup
        className="filters"
        aria-label={t('changeRequests.filters')}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[view]}
        onSelectionChange={([key]) => change('filter', String(key))}
      >
        {VIEWS.map(one => (
          <ToggleButton key={one} id={one} className="filter">
            {t(`changeRequests.filter.${one}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {isShown && members.length > 0 && (
        <Suspense>
          <Choice
            label={t('changeRequests.author')}
            all={t('changeRequests.anybody')}
            options={members.map(({ user }) => ({ id: user.id, name: user.displayName }))}
            chosen={author}
            onChange={id => change('author', id)}
          />
        </Suspense>
      )}
    </div>
  )
}

type Pages = {
  readonly pages: readonly { readonly items: readonly ChangeRequest[]; readonly count: number }[]
}
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
        <div className="stack-small">
          <LinkRows
            label={t('changeRequests.title')}
            {...{ query, items }}
            nameOf={({ subject }) => subject}
            dependencies={[titles]}
          >
            {one => <ChangeRequestRow changeRequest={one} spaceTitle={titles.get(one.space)} />}
          </LinkRows>
          <p className="faint small">
            {t('changeRequests.count', { count: pages[0]?.count ?? items.length })}
          </p>
        </div>
      )
    }}
  </Loaded>
)
