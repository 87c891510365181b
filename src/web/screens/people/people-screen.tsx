// The frame of the screens about an organization.
import { type ReactNode, use } from 'react'
import { Link, useLocation } from 'wouter'
import type { Organization } from '../../data/organization.ts'
import { useOrganization } from '../../data/organization.ts'
import { t } from '../../messages/messages.ts'
import { peopleTexts } from '../../messages/people.ts'
import { settingsTexts } from '../../messages/settings.ts'
import { Screen } from '../../parts/screen.tsx'
import { Empty } from '../../parts/state.tsx'

const VIEWS = ['people', 'teams', 'invitations', 'org'] as const
type View = (typeof VIEWS)[number]

/** Nobody else could do anything there. */
const OF_ADMINS: ReadonlySet<View> = new Set(['invitations', 'org'])

type Props = {
  readonly view: View
  readonly actions: (of: Organization) => ReactNode
  readonly children: (of: Organization) => ReactNode
}

export function PeopleScreen({ view, actions, children }: Props) {
  if (peopleTexts !== undefined) use(peopleTexts)
  if (settingsTexts !== undefined) use(settingsTexts)
  const [location] = useLocation()
  const of = useOrganization()
  if (of === undefined) return null
  const { listMembers, admin } = of.permissions
  return (
    <Screen title={t(`people.${view}`)} actions={listMembers ? actions(of) : undefined}>
      {listMembers ? (
        <>
          <nav className="tabs" aria-label={t('people.views')}>
            {VIEWS.filter(one => admin || !OF_ADMINS.has(one)).map(one => (
              <Link
                key={one}
                href={`/w/${one}`}
                className="tab"
                aria-current={location === `/w/${one}` ? 'page' : undefined}
              >
                {t(`people.${one}`)}
              </Link>
            ))}
          </nav>
          {children(of)}
        </>
      ) : (
        <Empty text={t('people.hidden', { organization: of.title })} />
      )}
    </Screen>
  )
}
