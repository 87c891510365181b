// What somebody may do in a space or a collection, and where it comes from, in sentences.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Model } from '../../data/client.ts'
import type { Member } from '../../data/members.ts'
import type { Organization } from '../../data/organization.ts'
import { explanationOf } from '../../data/people-of.ts'
import { collectionsOf, spacesOf } from '../../data/spaces.ts'
import { isolated, language, t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import Choice from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { sayRole } from '../../parts/role-choice.tsx'
import { titleOf } from '../../parts/space-title.ts'
import { Loaded } from '../../parts/state.tsx'

type Props = {
  readonly of: Organization
  readonly member: Member
  readonly isMe: boolean
  readonly onClose: () => void
}

export function Why({ of, member, isMe, onClose }: Props) {
  const spaces = useQuery(spacesOf(of.id))
  const { data: collections } = useQuery(collectionsOf(of.id))
  const [chosen, setChosen] = useState<string>()
  const name = isolated(member.user.displayName)
  return (
    <Dialog
      title={isMe ? t('people.whyOwnTitle') : t('people.whyTitle', { name })}
      isOpen
      onClose={onClose}
      isDismissable
    >
      <Loaded query={spaces} lines={2}>
        {({ items }) => (
          <Choice
            label={t('people.where')}
            options={[
              ...items.map(one => ({
                id: `space ${one.id}`,
                name: t('people.space', { title: titleOf(one) }),
              })),
              ...(collections?.items ?? []).map(({ id, title }) => ({
                id: `collection ${id}`,
                name: t('people.collection', { title }),
              })),
            ]}
            chosen={chosen}
            onChange={setChosen}
          />
        )}
      </Loaded>
      {chosen !== undefined && <Explanation of={chosen} userId={member.id} />}
      <div className="dialog-actions">
        <Button onPress={onClose}>{t('invite.close')}</Button>
      </div>
    </Dialog>
  )
}

function Explanation({ of, userId }: { readonly of: string; readonly userId: string }) {
  const [kind = '', id = ''] = of.split(' ')
  const query = useQuery(explanationOf(kind === 'space' ? 'space' : 'collection', id, userId))
  return (
    <Loaded query={query} lines={3}>
      {explained => (
        <div className="stack-small" role="status">
          <p>
            <strong>{sayRole(explained.role, 'none')}</strong>
          </p>
          <p>{sayBecause(explained)}</p>
          {explained.visitor === true && explained.role === null && <p>{t('people.visitor')}</p>}
          <h3>{t('people.way')}</h3>
          <ol className="stack-small">
            {explained.way.map(step => (
              <li key={step.id} className="small">
                <bdi>{step.title ?? t('people.atHidden')}</bdi>
                {factsOf(step).map(fact => (
                  <p key={fact} className="soft">
                    {fact}
                  </p>
                ))}
              </li>
            ))}
          </ol>
        </div>
      )}
    </Loaded>
  )
}

type Explained = Model<'PermissionExplanation'>
type Step = Model<'PermissionStep'>

const names = new Intl.ListFormat(language)

function sayBecause({ because, decidedAt, teams, way }: Explained): string {
  const decided = way.find(({ id }) => id === decidedAt?.id)
  const given = decided?.teams?.filter(({ id }) => teams.includes(id)) ?? []
  return t(`people.because.${because}`, {
    where: sayWhere(decided, decided === way[0]),
    teams: names.format(given.map(({ title }) => isolated(title))),
  })
}

function sayWhere(step: Step | undefined, isHere: boolean): string {
  if (isHere) return t('people.here')
  return step?.title === undefined ? t('people.atHidden') : t('people.at', { title: isolated(step.title) })
}

function factsOf({ given, teams = [], defaultLevel }: Step): readonly string[] {
  const level = defaultLevel === undefined ? [] : [t('people.level', { role: sayLevel(defaultLevel) })]
  return [
    ...(given === undefined ? [] : [t('people.given', { role: sayRole(given, 'none') })]),
    ...teams.map(({ title, role }) =>
      t('people.givenTeam', { team: isolated(title), role: sayRole(role, 'none') }),
    ),
    ...level,
  ]
}

const sayLevel = (level: NonNullable<Step['defaultLevel']> | null): string =>
  level === 'inherit' ? t('role.inherit') : sayRole(level, 'none')
