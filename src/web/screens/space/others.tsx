// The menu of all spaces, in the side bar of one.
import { useQuery } from '@tanstack/react-query'
import { Collection } from 'react-aria-components/Collection'
import { Header } from 'react-aria-components/Header'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { spaceAddress } from '../../data/pages.ts'
import { collectionsOf, inCollections, type Space, spacesOf } from '../../data/spaces.ts'
import { t } from '../../messages/messages.ts'
import { controlPixels } from '../../parts/media.ts'
import { titleOf } from '../../parts/space-title.ts'

const HEADING_PX = 28

/** All spaces, of which only those in sight are in the document. It opens on the current space. */
export default function Others({ current: { id: currentId, organization } }: { readonly current: Space }) {
  const spaces = useQuery(spacesOf(organization)).data?.items ?? []
  const collections = useQuery(collectionsOf(organization)).data?.items ?? []
  return (
    <Virtualizer
      layout={ListLayout}
      layoutOptions={{ rowHeight: controlPixels(), headingHeight: HEADING_PX }}
    >
      <Menu
        className="menu-many"
        aria-label={t('home.spaces')}
        items={inCollections(spaces, collections)}
        selectionMode="single"
        selectedKeys={[currentId]}
      >
        {({ id, title, items }) => (
          <MenuSection id={id} aria-label={title ?? t('home.spaces')}>
            {title !== undefined && <Header className="menu-heading">{title}</Header>}
            <Collection items={items}>
              {one => (
                <MenuItem id={one.id} className="option" href={spaceAddress(one.id)} textValue={titleOf(one)}>
                  <span className="truncate">{titleOf(one)}</span>
                </MenuItem>
              )}
            </Collection>
          </MenuSection>
        )}
      </Menu>
    </Virtualizer>
  )
}
