// Where one can go: home, change requests, the spaces of the organization in their collections; and who is signed in.
import { useQuery } from '@tanstack/react-query'
import { GitPullRequestArrow, House, Search } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { Button } from 'react-aria-components/Button'
import { Link, useLocation } from 'wouter'
import { type Organization, useOrganization } from '../data/organization.ts'
import { emojiOf } from '../data/pages.ts'
import { collectionsOf, type Space, spacesOf } from '../data/spaces.ts'
import { t } from '../messages/messages.ts'
import { Key } from '../parts/key.tsx'
import { later } from '../parts/later.tsx'
import { AccountMenu } from './account-menu.tsx'

const [SpaceSide, readSpaceSide] = later(() => import('../screens/space/side.tsx'))

export { readSpaceSide }

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
      <div className={spaceId === undefined ? 'sidebar-body' : undefined}>
        <ul role="list">
          <NavLink href="/w">
            <House size={16} aria-hidden />
            {t('shell.home')}
          </NavLink>
          <NavLink href="/w/c">
            <GitPullRequestArrow size={16} aria-hidden />
            {t('changeRequests.title')}
          </NavLink>
        </ul>
        {spaceId === undefined && organization !== undefined && <Spaces of={organization} />}
      </div>
      {spaceId !== undefined && (
        <Suspense fallback={<div className="space-side" />}>
          <SpaceSide spaceId={spaceId} />
        </Suspense>
      )}
      <AccountMenu onKeyboard={onKeyboard} />
    </nav>
  )
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
  const spaces = useQuery(spacesOf(id)).data?.items ?? []
  const collections = useQuery(collectionsOf(id)).data?.items ?? []
  const known = new Set(collections.map(collection => collection.id))
  const outside = spaces.filter(({ parent }) => parent === undefined || !known.has(parent))
  return (
    <>
      {outside.length > 0 && <Group title={t('home.spaces')} spaces={outside} />}
      {collections.map(collection => {
        const inside = spaces.filter(({ parent }) => parent === collection.id)
        return inside.length > 0 && <Group key={collection.id} title={collection.title} spaces={inside} />
      })}
    </>
  )
}

type GroupProps = { readonly title: string; readonly spaces: readonly Space[] }

const Group = ({ title, spaces }: GroupProps) => (
  <div>
    <h2 className="nav-heading">{title}</h2>
    <ul role="list">
      {spaces.map(one => (
        <NavLink key={one.id} href={`/w/s/${one.id}`}>
          <span className="truncate">
            {emojiOf(one.emoji)} {one.title === '' ? t('space.untitled') : one.title}
          </span>
        </NavLink>
      ))}
    </ul>
  </div>
)
