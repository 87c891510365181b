// A space in the side bar: its name, which leads to the others, and its pages.
import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { chooseOrganization } from '../../data/organization.ts'
import { emojiOf, spaceAddress } from '../../data/pages.ts'
import { type Space, space, spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import PageTree from './tree.tsx'

export default function SpaceSide({ spaceId }: { readonly spaceId: string }) {
  const { data } = useQuery(space(spaceId))
  const organization = data?.organization
  useEffect(() => {
    if (organization !== undefined) chooseOrganization(organization)
  }, [organization])
  return (
    <div className="space-side">
      {data !== undefined && <Spaces current={data} />}
      <PageTree key={spaceId} spaceId={spaceId} />
    </div>
  )
}

const titleOf = ({ emoji, title }: Space): string =>
  `${emojiOf(emoji) ?? ''} ${title === '' ? t('space.untitled') : title}`.trim()

function Spaces({ current }: { readonly current: Space }) {
  const spaces = useQuery(spacesOf(current.organization)).data?.items ?? []
  return (
    <MenuTrigger>
      <Button className="nav-link space-switch">
        <span className="truncate">{titleOf(current)}</span>
        <ChevronsUpDown size={14} aria-hidden />
      </Button>
      <Popover className="popover">
        <Menu aria-label={t('home.spaces')} items={spaces}>
          {one => (
            <MenuItem
              id={one.id}
              className="option"
              href={spaceAddress(one.id)}
              textValue={titleOf(one)}
              data-current={one.id === current.id || undefined}
            >
              <span className="truncate">{titleOf(one)}</span>
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
