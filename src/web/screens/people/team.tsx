// One team: its people, for its owners who is in it, and for admins its name and its end.
import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersOf } from '../../data/members.ts'
import type { Organization } from '../../data/organization.ts'
import { me } from '../../data/people.ts'
import {
  deleteTeam,
  membersOfTeam,
  ownedTeams,
  putInTeam,
  renameTeam,
  type Team,
  type TeamPlace,
  type TeamRole,
  takeOutOfTeam,
} from '../../data/teams.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { MenuChoice } from '../../parts/menu-choice.tsx'
import { Question } from '../../parts/question.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { Loaded } from '../../parts/state.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

const TITLE_CHARACTERS_MAX = 256

type Props = { readonly of: Organization; readonly team: Team; readonly onClose: () => void }

export function TeamDialog({ of, team, onClose }: Props) {
  const place = { organizationId: of.id, teamId: team.id }
  const [isDeleting, setDeleting] = useState(false)
  const title = isolated(team.title)
  const { id: myId } = useSuspenseQuery(me).data
  const { data: owned = [] } = useQuery(ownedTeams(of.id, myId))
  return (
    <Dialog title={team.title} isOpen onClose={onClose}>
      {of.permissions.admin && <Rename place={place} title={team.title} />}
      <People place={place} isManaged={team.permissions.admin || owned.includes(team.id)} />
      <div className="dialog-actions">
        {of.permissions.admin && (
          <Button look="danger" onPress={() => setDeleting(true)}>
            {t('team.delete')}
          </Button>
        )}
        <Button onPress={onClose}>{t('team.close')}</Button>
      </div>
      {isDeleting && (
        <Question
          title={t('team.deleteTitle', { title })}
          verb={t('team.delete')}
          act={() => deleteTeam(place)}
          onDone={() => {
            say(t('team.deleted', { title }))
            onClose()
          }}
          onClose={() => setDeleting(false)}
        >
          <p className="soft">{t('team.deleteText')}</p>
        </Question>
      )}
    </Dialog>
  )
}

function Rename({ place, title }: { readonly place: TeamPlace; readonly title: string }) {
  const [text, setText] = useState(title)
  const { mutate, isPending } = useMutation({
    mutationFn: () => renameTeam(place, text.trim()),
    onSuccess: () => say(t('team.renamed')),
    onError: sayFailure,
  })
  return (
    <form
      className="row row-end"
      onSubmit={event => {
        event.preventDefault()
        mutate()
      }}
    >
      <div className="grow">
        <Field label={t('team.name')} value={text} onChange={setText} maxLength={TITLE_CHARACTERS_MAX} />
      </div>
      <Button type="submit" isPending={isPending} isDisabled={text.trim() === '' || text.trim() === title}>
        {t('team.rename')}
      </Button>
    </form>
  )
}

const ROLES = ['member', 'owner'] as const satisfies readonly TeamRole[]

function People({ place, isManaged }: { readonly place: TeamPlace; readonly isManaged: boolean }) {
  const query = useInfiniteQuery(membersOfTeam(place))
  const { data: everybody = [] } = useQuery({ ...membersOf(place.organizationId), enabled: isManaged })
  const put = useMutation({
    mutationFn: ({ userId, role }: { readonly userId: string; readonly role: TeamRole }) =>
      putInTeam(place, userId, role),
    onError: sayFailure,
  })
  const takeOut = useMutation({
    mutationFn: (userId: string) => takeOutOfTeam(place, userId),
    onError: sayFailure,
  })
  return (
    <Loaded query={query} lines={3}>
      {({ pages }) => {
        const items = pages
          .flatMap(page => page.items)
          .map(({ organization, team }) => ({
            id: organization.id,
            user: organization.user,
            role: team.role,
          }))
        const inTeam = new Set(items.map(({ id }) => id))
        return (
          <>
            {items.length === 0 ? (
              <p className="soft">{t('team.nobody')}</p>
            ) : (
              <RowList
                label={t('team.people')}
                items={items}
                nameOf={({ user }) => user.displayName}
                dependencies={[put.isPending, takeOut.isPending]}
                more={{
                  isLoading: query.isFetchingNextPage,
                  load: () => {
                    if (query.hasNextPage) void query.fetchNextPage()
                  },
                }}
              >
                {({ id, user: { displayName }, role }) => (
                  <>
                    <Avatar name={displayName} />
                    <bdi className="grow truncate">{displayName}</bdi>
                    {isManaged ? (
                      <>
                        <MenuChoice
                          label={t('team.position', { name: isolated(displayName) })}
                          options={ROLES.map(one => ({ id: one, title: t(`team.role.${one}`) }))}
                          chosen={role}
                          onChange={next => put.mutate({ userId: id, role: next })}
                        />
                        <Button
                          look="quiet"
                          aria-label={t('team.takeOutOf', { name: isolated(displayName) })}
                          onPress={() => takeOut.mutate(id)}
                        >
                          {t('team.takeOut')}
                        </Button>
                      </>
                    ) : (
                      <span className="faint">{t(`team.role.${role}`)}</span>
                    )}
                  </>
                )}
              </RowList>
            )}
            {isManaged && (
              <Choice
                // Another one after somebody was added: the field is empty again.
                key={items.length}
                label={t('team.add')}
                options={everybody
                  .filter(({ id }) => !inTeam.has(id))
                  .map(({ id, user }) => ({ id, name: user.displayName }))}
                chosen={undefined}
                onChange={userId => {
                  if (userId !== undefined) put.mutate({ userId, role: 'member' })
                }}
              />
            )}
          </>
        )
      }}
    </Loaded>
  )
}
