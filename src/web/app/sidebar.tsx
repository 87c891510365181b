// Where one can go: home, change requests, the spaces of the organization in their collections; and who is signed in.
import { useQuery } from '@tanstack/react-query'
import Bell from 'lucide-react/icons/bell'
import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'
import House from 'lucide-react/icons/house'
import Search from 'lucide-react/icons/search'
import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Link, useLocation } from 'wouter'
import { unreadCount } from '../data/notifications.ts'
import { type Organization, useOrganization } from '../data/organization.ts'
import { spaceAddress } from '../data/pages.ts'
import { collectionsOf, inCollections, spacesOf } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'
import { Key } from '../parts/key.tsx'
import { LinkList } from '../parts/link-list.tsx'
import { controlPixels } from '../parts/media.ts'
import { titleOf } from '../parts/space-title.ts'
import { SpaceSide } from '../screens/space/side.tsx'
import { AccountMenu } from './account-menu.tsx'

type Props = { readonly onSearch: () => void; readonly onKeyboard: () => void }

export function Sidebar({ onSearch, onKeyboard }: Props) {
  const organization = useOrganization()
  const [location] = useLocation()
  const spaceId = /^\/w\/s\/([^/]+)/.exec(location)?.[1]
  return (
    <nav className="sidebar" aria-label={t('shell.navigation')}>
      <Link href="/w" className="brand">
        {organization?.title ?? t('shell.name')}
      </Link>
      <Button className="button search-button" onPress={onSearch}>
        <Search size={15} aria-hidden />
        {t('shell.search')}
        <span aria-hidden="true">
          <Key keys="mod+k" />
        </span>
      </Button>
      <ul role="list">
        <NavLink href="/w">
          <House size={16} aria-hidden />
          {t('shell.home')}
        </NavLink>
        <NavLink href="/w/c">
          <GitPullRequestArrow size={16} aria-hidden />
          {t('changeRequests.title')}
        </NavLink>
        {organization?.permissions.listMembers && (
          <NavLink href="/w/people">
            <Users size={16} aria-hidden />
            {t('keyboard.people')}
          </NavLink>
        )}
        <NavLink href="/w/inbox">
          <Bell size={16} aria-hidden />
          {t('notifications.title')}
          <Unread />
        </NavLink>
      </ul>
      <div className="sidebar-body">
        {spaceId !== undefined ? (
          <SpaceSide spaceId={spaceId} />
        ) : (
          organization !== undefined && <Spaces of={organization} />
        )}
      </div>
      <AccountMenu onKeyboard={onKeyboard} />
    </nav>
  )
}

function Unread() {
  const { data: count = 0 } = useQuery(unreadCount)
  if (count === 0) return null
  return <span className="nav-count unread-count">{t('notifications.unread', { count })}</span>
}

type NavLinkProps = { readonly href: string; readonly children: ReactNode }

const NavLink = ({ href, children }: NavLinkProps) => {
  const [location] = useLocation()
  return (
    <li>
      <Link href={href} className="nav-link" aria-current={location === href ? 'page' : undefined}>
        {children}
      </Link>
    </li>
  )
}

function Spaces({ of: { id } }: { readonly of: Organization }) {
  const { data: spaces } = useQuery(spacesOf(id))
  const { data: collections } = useQuery(collectionsOf(id))
  if (spaces === undefined || collections === undefined || spaces.items.length === 0) return null
  return (
    <>
      <h2 className="nav-heading">{t('home.spaces')}</h2>
      <LinkList
        label={t('home.spaces')}
        className="nav-spaces"
        linkClass="nav-link"
        heights={{ rowHeight: controlPixels() }}
        groups={inCollections(spaces.items, collections.items)}
        linkOf={one => ({ href: spaceAddress(one.id), title: titleOf(one) })}
      >
        {one => <span className="truncate">{titleOf(one)}</span>}
      </LinkList>
    </>
  )
}
