// The teams of an organization. Each opens in a dialog with its people.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useDeferredValue, useState } from 'react'
import type { Organization } from '../../data/organization.ts'
import { createTeam, type Team, teamsOf } from '../../data/teams.ts'
import { isolated, t } from '../../messages/messages.ts'
import { TeamMark } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { sayWhy } from '../../parts/refusals.ts'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { say } from '../../parts/toasts.tsx'
import { PeopleScreen } from './people-screen.tsx'
import { TeamDialog } from './team.tsx'

export function Teams() {
  return (
    <PeopleScreen view="teams" actions={of => of.permissions.ownTeam && <NewTeam of={of} />}>
      {of => <List key={of.id} of={of} />}
    </PeopleScreen>
  )
}

function List({ of }: { readonly of: Organization }) {
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Team>()
  const wanted = useDeferredValue(search.trim())
  const query = useInfiniteQuery(teamsOf(of.id, wanted))
  const teams = query.data?.pages.flatMap(page => page.items) ?? []
  // As it is called now.
  const shown = teams.find(({ id }) => id === open?.id) ?? open
  return (
    <>
      <Field label={t('team.search')} type="search" value={search} onChange={setSearch} />
      <Loaded query={query} lines={3}>
        {() =>
          teams.length === 0 ? (
            <p className="soft">{t(wanted === '' ? 'team.none' : 'team.noMatch')}</p>
          ) : (
            <RowList
              label={t('people.teams')}
              items={teams}
              nameOf={({ title }) => title}
              more={{
                isLoading: query.isFetchingNextPage,
                load: () => {
                  if (query.hasNextPage) void query.fetchNextPage()
                },
              }}
            >
              {team => (
                <>
                  <TeamMark />
                  <div className="grow">
                    <p className="rows-title" dir="auto">
                      {team.title}
                    </p>
                    <p className="rows-facts">
                      <span>{t('team.members', { count: team.members })}</span>
                      <span>{t('team.spaces', { count: team.spaces })}</span>
                    </p>
                  </div>
                  <Button
                    aria-label={t('team.open', { title: isolated(team.title) })}
                    onPress={() => setOpen(team)}
                  >
                    {t('team.show')}
                  </Button>
                </>
              )}
            </RowList>
          )
        }
      </Loaded>
      {shown !== undefined && <TeamDialog of={of} team={shown} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const TITLE_CHARACTERS_MAX = 256

function NewTeam({ of }: { readonly of: Organization }) {
  const [isOpen, setOpen] = useState(false)
  const [title, setTitle] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createTeam(of.id, title.trim()),
    onSuccess: team => {
      say(t('team.created', { title: isolated(team.title) }))
      setTitle('')
      setOpen(false)
    },
  })
  return (
    <>
      <Button look="primary" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {t('team.new')}
      </Button>
      <Dialog title={t('team.new')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form
          className="stack"
          onSubmit={event => {
            event.preventDefault()
            mutate()
          }}
        >
          <Field
            label={t('team.name')}
            value={title}
            onChange={setTitle}
            maxLength={TITLE_CHARACTERS_MAX}
            autoFocus
            error={error === null ? undefined : sayWhy(error)}
          />
          <div className="dialog-actions">
            <Button onPress={() => setOpen(false)}>{t('team.cancel')}</Button>
            <Button type="submit" look="primary" isPending={isPending} isDisabled={title.trim() === ''}>
              {t('team.create')}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
