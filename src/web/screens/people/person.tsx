// One row: somebody with their role, and for admins what can be done. What no change could be made of says why.
import { useMutation } from '@tanstack/react-query'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { Button as MenuButton } from 'react-aria-components/Button'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { isStatus } from '../../data/client.ts'
import type { Member } from '../../data/members.ts'
import type { Organization } from '../../data/organization.ts'
import { changeMember } from '../../data/people-of.ts'
import type { Role } from '../../data/roles.ts'
import { isolated, t } from '../../messages/messages.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { RoleChoice, sayRole } from '../../parts/role-choice.tsx'
import { Time } from '../../parts/time.tsx'
import { say, sayFailure } from '../../parts/toasts.tsx'

export type Asked =
  | { readonly kind: 'why'; readonly member: Member }
  | { readonly kind: 'remove'; readonly member: Member }
  | { readonly kind: 'factor'; readonly member: Member }
  /** Of a change that reaches further than others. */
  | { readonly kind: 'role'; readonly member: Member; readonly role: Role | null }

type Props = {
  readonly of: Organization
  readonly member: Member
  readonly isMe: boolean
  /** Then nothing may be taken from them. */
  readonly isLastAdmin: boolean
  /** In a dialog, which is outside of the list: it would take its keys. */
  readonly onAsk: (asked: Asked) => void
}

export function Person({ of, member, isMe, isLastAdmin, onAsk }: Props) {
  const { user, role, disabled } = member
  const name = isolated(user.displayName)
  const { admin } = of.permissions
  const change = useMutation({
    mutationFn: (body: { readonly role?: Role | null; readonly disabled?: boolean }) =>
      changeMember({ organizationId: of.id, userId: member.id }, body),
    onSuccess: changed => {
      if (changed.disabled !== disabled)
        say(t(changed.disabled ? 'people.isDisabled' : 'people.isEnabled', { name }))
      else say(t('people.changed', { name, role: sayRole(changed.role, 'guest') }))
    },
    onError: error => {
      if (isStatus(error, 404)) say(t('people.gone', { name }))
      else sayFailure(error)
    },
  })
  const choose = (next: Role | null) => {
    if (next === 'admin' || (isMe && role === 'admin')) onAsk({ kind: 'role', member, role: next })
    else change.mutate({ role: next })
  }
  return (
    <>
      <Avatar name={user.displayName} />
      <Facts member={member} isMe={isMe} />
      {admin && !isLastAdmin ? (
        <RoleChoice
          label={t('people.roleOf', { name })}
          chosen={role}
          none="guest"
          isPending={change.isPending}
          onChange={choose}
        />
      ) : (
        <span className="soft">{sayRole(role, 'guest')}</span>
      )}
      {(admin || isMe) && (
        <MenuTrigger>
          <MenuButton className="button quiet square" aria-label={t('people.actionsOf', { name })}>
            <Ellipsis size={16} aria-hidden />
          </MenuButton>
          <Popover className="popover" placement="bottom end">
            <Menu disabledKeys={isLastAdmin ? ['disable', 'remove'] : []}>
              <MenuItem id="why" className="option" onAction={() => onAsk({ kind: 'why', member })}>
                {t('people.why')}
              </MenuItem>
              {admin && (
                <MenuItem
                  id="disable"
                  className="option"
                  onAction={() => change.mutate({ disabled: !disabled })}
                >
                  {t(disabled ? 'people.enable' : 'people.disable')}
                </MenuItem>
              )}
              {admin && !isMe && member.secondFactor === true && (
                <MenuItem id="factor" className="option" onAction={() => onAsk({ kind: 'factor', member })}>
                  {t('people.resetFactor')}
                </MenuItem>
              )}
              <MenuItem id="remove" className="option" onAction={() => onAsk({ kind: 'remove', member })}>
                {t(isMe ? 'people.leave' : 'people.remove')}
              </MenuItem>
            </Menu>
            {isLastAdmin && <p className="menu-heading">{t('people.lastAdmin')}</p>}
          </Popover>
        </MenuTrigger>
      )}
    </>
  )
}

const Facts = ({ member, isMe }: Pick<Props, 'member' | 'isMe'>) => (
  <div className="grow">
    <p className="rows-title">
      <bdi>{member.user.displayName}</bdi> {isMe && <span className="faint">{t('people.you')}</span>}
    </p>
    <p className="rows-facts">
      <span>{member.user.email}</span>
      {member.disabled && <strong>{t('people.disabled')}</strong>}
      {member.sso && <span>{t('people.sso')}</span>}
      {/* Only admins are told. A provider has a second step of its own. */}
      {member.secondFactor === true && <span>{t('people.hasFactor')}</span>}
      {member.secondFactor === false && !member.sso && <span>{t('people.lacksFactor')}</span>}
      {member.teams > 0 && <span>{t('people.inTeams', { count: member.teams })}</span>}
      {member.lastSeenAt === undefined ? (
        <span>{t('people.neverSeen')}</span>
      ) : (
        <span>
          {t('people.seen')} <Time value={member.lastSeenAt} />
        </span>
      )}
    </p>
  </div>
)
