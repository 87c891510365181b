// A space in the side bar: its name, which leads to the others, and its pages.
import { useQuery } from '@tanstack/react-query'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { Suspense, useEffect } from 'react'
import { Button } from 'react-aria-components/Button'
import { MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { chooseOrganization } from '../../data/organization.ts'
import { type Space, space } from '../../data/spaces.ts'
import { later } from '../../parts/later.tsx'
import { titleOf } from '../../parts/space-title.ts'
import { TreeOfSpace } from './tree.tsx'

const [Others, readOthers] = later(() => import('./others.tsx'))

export { readOthers }

export function SpaceSide({ spaceId }: { readonly spaceId: string }) {
  const { data } = useQuery(space(spaceId))
  const organization = data?.organization
  useEffect(() => {
    if (organization !== undefined) chooseOrganization(organization)
  }, [organization])
  return (
    <div className="space-side">
      {data !== undefined && <Spaces current={data} />}
      <TreeOfSpace key={spaceId} spaceId={spaceId} />
    </div>
  )
}

function Spaces({ current }: { readonly current: Space }) {
  return (
    <MenuTrigger>
      <Button className="nav-link space-switch">
        <span className="truncate">{titleOf(current)}</span>
        <ChevronsUpDown size={14} aria-hidden />
      </Button>
      <Popover className="popover of-many">
        <Suspense>
          <Others current={current} />
        </Suspense>
      </Popover>
    </MenuTrigger>
  )
}
