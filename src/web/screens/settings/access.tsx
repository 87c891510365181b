// Who was given a role of their own in a space.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersOf } from '../../data/members.ts'
import type { Role } from '../../data/roles.ts'
import { type Given, givenIn, giveRole, takeRoleBack, teamsToChoose } from '../../data/settings.ts'
import type { Space } from '../../data/spaces.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Avatar, TeamMark } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { RoleChoice } from '../../parts/role-choice.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

export function Access({ of }: { readonly of: Space }) {
  const query = useQuery(givenIn(of.id))
  const give = useMutation({
    mutationFn: ({ to, role }: { readonly to: Pick<Given, 'kind' | 'id'>; readonly role: Role | null }) =>
      giveRole(of.id, to, role),
    onError: sayFailure,
  })
  const takeBack = useMutation({
    mutationFn: (given: Given) => takeRoleBack(of.id, given),
    onSuccess: (_, { name }) => say(t('settings.takenBack', { name: isolated(name) })),
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('settings.access')}>
      <h2>{t('settings.access')}</h2>
      <p className="soft">{t('settings.accessText')}</p>
      <Loaded query={query} lines={3}>
        {given => (
          <>
            {given.length === 0 ? (
              <p className="soft">{t('settings.nobody')}</p>
            ) : (
              <RowList
                label={t('settings.access')}
                items={given}
                nameOf={({ name }) => name}
                dependencies={[give.isPending, takeBack.isPending]}
              >
                {one => (
                  <>
                    {one.kind === 'teams' ? <TeamMark /> : <Avatar name={one.name} />}
                    <bdi className="grow truncate">{one.name}</bdi>
                    <RoleChoice
                      label={t('settings.roleHere', { name: isolated(one.name) })}
                      chosen={one.role}
                      none="none"
                      onChange={role => give.mutate({ to: one, role })}
                    />
                    <Button
                      look="quiet"
                      aria-label={t('settings.takeBackOf', { name: isolated(one.name) })}
                      onPress={() => takeBack.mutate(one)}
                    >
                      {t('settings.takeBack')}
                    </Button>
                  </>
                )}
              </RowList>
            )}
            <Add of={of} given={given} onAdd={(to, role) => give.mutate({ to, role })} />
          </>
        )}
      </Loaded>
    </section>
  )
}

type AddProps = {
  readonly of: Space
  readonly given: readonly Given[]
  readonly onAdd: (to: Pick<Given, 'kind' | 'id'>, role: Role | null) => void
}

function Add({ of, given, onAdd }: AddProps) {
  const { data: members = [] } = useQuery(membersOf(of.organization))
  const { data: teams = [] } = useQuery(teamsToChoose(of.organization))
  const [role, setRole] = useState<Role | null>('edit')
  const known = new Set(given.map(({ id }) => id))
  return (
    <div className="row row-end">
      <div className="grow">
        <Choice
          // Another one after somebody was added: the field is empty again.
          key={given.length}
          label={t('settings.add')}
          options={[
            ...teams.map(({ id, title }) => ({
              id: `teams ${id}`,
              name: t('settings.team', { name: title }),
            })),
            ...members.map(({ id, user }) => ({
              id: `users ${id}`,
              name: t('settings.person', { name: user.displayName }),
            })),
          ].filter(({ id }) => !known.has(id.slice(id.indexOf(' ') + 1)))}
          chosen={undefined}
          onChange={key => {
            if (key === undefined) return
            const [kind, id = ''] = key.split(' ')
            onAdd({ kind: kind === 'teams' ? 'teams' : 'users', id }, role)
          }}
        />
      </div>
      <RoleChoice label={t('settings.with')} chosen={role} none="none" onChange={setRole} />
    </div>
  )
}
