// Who was invited and has not come yet, and links that let people into the organization, or into one of its spaces or
// collections.
import { useMutation } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { Fragment, useState } from 'react'
import { endInviteLink, type InviteLink, readInviteLinks } from '../../data/invitations.ts'
import type { Organization } from '../../data/organization.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { CopyField } from '../../parts/copy-field.tsx'
import { Question } from '../../parts/question.tsx'
import { sayRole } from '../../parts/role-choice.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { titleOf } from '../../parts/space-title.ts'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'
import { Invite } from './invite.tsx'
import { NewLink } from './new-link.tsx'
import { PeopleScreen } from './people-screen.tsx'
import { WaitingPeople } from './waiting.tsx'

export function Invitations() {
  return (
    <PeopleScreen view="invitations" actions={of => of.permissions.admin && <Invite of={of} />}>
      {of =>
        of.permissions.admin && (
          <Fragment key={of.id}>
            <WaitingPeople of={of} />
            <Links of={of} />
          </Fragment>
        )
      }
    </PeopleScreen>
  )
}

function Links({ of }: { readonly of: Organization }) {
  const [links, setLinks] = useState<readonly InviteLink[]>()
  const [isNew, setNew] = useState(false)
  const [ending, setEnding] = useState<InviteLink>()
  const show = useMutation({
    mutationFn: () => readInviteLinks(of.id),
    onSuccess: setLinks,
    onError: sayFailure,
  })
  return (
    <section className="stack" aria-label={t('invite.links')}>
      <h2>{t('invite.links')}</h2>
      <div className="row">
        <p className="grow soft">{t(of.inviteLinks ? 'invite.linksText' : 'invite.linksOff')}</p>
        {of.inviteLinks && (
          <Button onPress={() => setNew(true)}>
            <Plus size={16} aria-hidden />
            {t('invite.newLink')}
          </Button>
        )}
        {links === undefined && (
          <Button isPending={show.isPending} onPress={() => show.mutate()}>
            {t('invite.show')}
          </Button>
        )}
      </div>
      {links?.length === 0 && <p className="soft">{t('invite.noLinks')}</p>}
      {links !== undefined && links.length > 0 && (
        <RowList label={t('invite.links')} items={links} nameOf={link => sayTarget(link, of)}>
          {link => (
            <>
              <Facts link={link} of={of} />
              <div className="grow">
                <CopyField label={t('invite.link')} value={link.urls.app} />
              </div>
              <Button
                look="quiet"
                aria-label={t('invite.turnOffOf', { name: sayTarget(link, of) })}
                onPress={() => setEnding(link)}
              >
                {t('invite.turnOff')}
              </Button>
            </>
          )}
        </RowList>
      )}
      {isNew && (
        <NewLink
          of={of}
          onClose={() => setNew(false)}
          onCreated={link => setLinks(shown => (shown === undefined ? undefined : [link, ...shown]))}
        />
      )}
      {ending !== undefined && (
        <Question
          title={t('invite.turnOffTitle')}
          verb={t('invite.turnOff')}
          act={() => endInviteLink(of.id, ending.id)}
          onDone={() => {
            setLinks(shown => shown?.filter(({ id }) => id !== ending.id))
            setEnding(undefined)
            say(t('invite.isOff'))
          }}
          onClose={() => setEnding(undefined)}
        >
          <p className="soft">{t('invite.turnOffText')}</p>
        </Question>
      )}
    </section>
  )
}

const Facts = ({ link, of }: { readonly link: InviteLink; readonly of: Organization }) => (
  <div className="grow">
    <p className="rows-title" dir="auto">
      {sayTarget(link, of)}
    </p>
    <p className="rows-facts">
      <span>{'role' in link ? sayRole(link.role, 'guest') : sayRole(link.level, 'none')}</span>
      <span>
        {t('invite.created')} <Time value={link.createdAt} />
      </span>
      {link.expiresAt === undefined ? (
        <span>{t('invite.endsNever')}</span>
      ) : (
        <span>
          {t('invite.endsAt')} <Time value={link.expiresAt} />
        </span>
      )}
      <span>{sayUses(link)}</span>
    </p>
  </div>
)

function sayUses({ uses, usesMax }: InviteLink): string {
  if (usesMax === undefined) return t('invite.used', { count: uses })
  if (uses >= usesMax) return t('invite.usedUp', { count: usesMax })
  return t('invite.usesLeft', { count: usesMax - uses, max: usesMax })
}

function sayTarget(link: InviteLink, of: Organization): string {
  if ('space' in link) return t('invite.toSpace', { title: titleOf(link.space) })
  if ('collection' in link) return t('invite.toCollection', { title: link.collection.title })
  return t('invite.toOrganization', { title: of.title })
}
