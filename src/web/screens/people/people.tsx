// Who belongs to an organization: found by name, with their roles, and for admins what can be done about them.
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Organization } from '../../data/organization.ts'
import { me } from '../../data/people.ts'
import { adminsOf, type PeopleFilter, peopleOf } from '../../data/people-of.ts'
import { ROLES } from '../../data/roles.ts'
import { t } from '../../messages/messages.ts'
import { Field } from '../../parts/field.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { AskedAbout } from './asked.tsx'
import { Invite } from './invite.tsx'
import { PeopleScreen } from './people-screen.tsx'
import { type Asked, Person } from './person.tsx'

export function People() {
  return (
    <PeopleScreen view="people" actions={of => of.permissions.admin && <Invite of={of} />}>
      {of => <List key={of.id} of={of} />}
    </PeopleScreen>
  )
}

const FILTERS = ['everybody', ...ROLES, 'guest'] as const
const ADMIN_FILTERS = [...FILTERS, 'withFactor', 'withoutFactor'] as const
type Filter = (typeof ADMIN_FILTERS)[number]

function toAsked(filter: Filter): PeopleFilter {
  if (filter === 'everybody') return {}
  if (filter === 'withFactor' || filter === 'withoutFactor') return { secondFactor: filter === 'withFactor' }
  return { role: filter }
}

function titleOf(filter: Filter): string {
  if (filter === 'everybody' || filter === 'withFactor' || filter === 'withoutFactor')
    return t(`people.${filter}`)
  return t(`role.${filter}`)
}

function List({ of }: { readonly of: Organization }) {
  const [search, setSearch] = useState('')
  const [asked, setAsked] = useState<Asked>()
  const [filter, setFilter] = useState<Filter>('everybody')
  const wanted = useDeferredValue(search.trim())
  const query = useInfiniteQuery(peopleOf(of.id, wanted, toAsked(filter)))
  const admins = useQuery({ ...adminsOf(of.id), enabled: of.permissions.admin }).data
  const { id: myId } = useSuspenseQuery(me).data
  return (
    <>
      <div className="row row-end">
        <div className="grow">
          <Field label={t('people.search')} type="search" value={search} onChange={setSearch} />
        </div>
        <MenuChoice
          label={t('people.filter')}
          options={(of.permissions.admin ? ADMIN_FILTERS : FILTERS).map(id => ({ id, title: titleOf(id) }))}
          chosen={filter}
          onChange={setFilter}
        />
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const items = pages.flatMap(page => page.items)
          if (items.length === 0) return <p className="soft">{t('people.nobody')}</p>
          return (
            <div className="stack-small">
              <RowList
                label={t('people.people')}
                items={items}
                nameOf={({ user }) => user.displayName}
                dependencies={[admins, myId, of]}
                more={{
                  isLoading: query.isFetchingNextPage,
                  load: () => {
                    if (query.hasNextPage) void query.fetchNextPage()
                  },
                }}
              >
                {member => (
                  <Person
                    of={of}
                    member={member}
                    isMe={member.id === myId}
                    onAsk={setAsked}
                    isLastAdmin={admins?.length === 1 && admins[0] === member.id}
                  />
                )}
              </RowList>
              <p className="faint small">{t('people.count', { count: pages[0]?.count ?? items.length })}</p>
            </div>
          )
        }}
      </Loaded>
      {asked !== undefined && (
        <AskedAbout
          of={of}
          asked={asked}
          isMe={asked.member.id === myId}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
