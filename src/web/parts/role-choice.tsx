// Roles as sentences: what somebody may do.
import { ROLES, type Role } from '../data/roles.ts'
import { t } from '../messages/messages.ts'
import { MenuChoice } from './menu-choice.tsx'

type Props = {
  /** With a colon. */
  readonly label: string
  readonly chosen: Role | null
  /** What no role means here: a guest of the organization, or nobody who gets in. */
  readonly none: 'guest' | 'none'
  readonly isPending?: boolean
  readonly onChange: (role: Role | null) => void
}

// The menu has ids of text alone.
const NONE = ''

export const RoleChoice = ({ label, chosen, none, isPending = false, onChange }: Props) => (
  <MenuChoice
    label={label}
    options={[
      ...ROLES.map(id => ({ id, title: sayRole(id, none) })),
      { id: NONE, title: sayRole(null, none) } as const,
    ]}
    chosen={chosen ?? NONE}
    isPending={isPending}
    onChange={id => onChange(id === NONE ? null : id)}
  />
)

export const sayRole = (role: Role | null, none: 'guest' | 'none'): string => t(`role.${role ?? none}`)
