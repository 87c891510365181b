import Users from 'lucide-react/icons/users'

/** The initials of a person; the name stands beside it, so that it says nothing to a screen reader. */
export const Avatar = ({ name }: { readonly name: string }) => (
  <span className="avatar" aria-hidden="true">
    {initialsOf(name)}
  </span>
)

/** A team, shown with its title. */
export const TeamMark = () => (
  <span className="avatar" aria-hidden="true">
    <Users size={14} />
  </span>
)

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? ''
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toLocaleUpperCase()
}
