// What is asked of an admin about somebody before it is done, or shown about them.
import type { Organization } from '../../data/organization.ts'
import { changeMember, removeMember, resetSecondFactor } from '../../data/people-of.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Question } from '../../parts/question.tsx'
import { sayRole } from '../../parts/role-choice.tsx'
import { say } from '../../parts/toasts.tsx'
import type { Asked } from './person.tsx'
import { Why } from './why.tsx'

type Props = {
  readonly of: Organization
  readonly asked: Asked
  readonly isMe: boolean
  readonly onClose: () => void
}

export function AskedAbout({ of, asked, isMe, onClose }: Props) {
  const { member } = asked
  const name = isolated(member.user.displayName)
  const place = { organizationId: of.id, userId: member.id }
  if (asked.kind === 'why') return <Why of={of} member={member} isMe={isMe} onClose={onClose} />
  if (asked.kind === 'remove')
    return (
      <Question
        title={
          isMe
            ? t('people.leaveTitle', { organization: isolated(of.title) })
            : t('people.removeTitle', { name })
        }
        verb={t(isMe ? 'people.leave' : 'people.remove')}
        act={() => removeMember(place)}
        onDone={() => {
          if (isMe) location.assign('/w')
          else say(t('people.removed', { name }))
          onClose()
        }}
        onClose={onClose}
      >
        <p className="soft">{t(isMe ? 'people.leaveText' : 'people.removeText')}</p>
      </Question>
    )
  if (asked.kind === 'factor')
    return (
      <Question
        title={t('people.resetFactorTitle', { name })}
        verb={t('people.resetFactor')}
        act={() => resetSecondFactor(place)}
        onDone={() => {
          say(t('people.factorReset', { name }))
          onClose()
        }}
        onClose={onClose}
      >
        <p className="soft">{t(of.secondFactor ? 'people.resetFactorDemanded' : 'people.resetFactorText')}</p>
      </Question>
    )
  const { role } = asked
  const isRaised = role === 'admin'
  return (
    <Question
      title={isRaised ? t('people.adminTitle', { name }) : t('people.stepDownTitle')}
      verb={t(isRaised ? 'people.makeAdmin' : 'people.stepDown')}
      act={() => changeMember(place, { role })}
      onDone={() => {
        say(t('people.changed', { name, role: sayRole(role, 'guest') }))
        onClose()
      }}
      onClose={onClose}
    >
      <p className="soft">{t(isRaised ? 'people.adminText' : 'people.stepDownText')}</p>
    </Question>
  )
}
