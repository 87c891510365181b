// Links in groups, as many as there may be: only the rows in sight are in the document. Arrow keys, Home and End lead from
// link to link; Tab passes the list in one step.
import type { KeyboardEvent, ReactNode } from 'react'
import {
  Collection,
  GridList,
  GridListHeader,
  GridListItem,
  GridListSection,
} from 'react-aria-components/GridList'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { Link } from 'wouter'

type LinkGroup<Item> = {
  readonly id: string
  /** Above its links. */
  readonly title?: string
  readonly items: readonly Item[]
}

type Props<Item> = {
  readonly label: string
  readonly groups: readonly LinkGroup<Item>[]
  /** In pixels: of all rows, or of a row before it is measured. */
  readonly heights: { readonly rowHeight: number } | { readonly estimatedRowHeight: number }
  readonly className: string
  readonly linkClass: string
  readonly linkOf: (item: Item) => { readonly href: string; readonly title: string }
  readonly children: (item: Item) => ReactNode
}

const HEADING_PX = 32

export const LinkList = <Item extends { readonly id: string }>({
  label,
  groups,
  heights,
  className,
  linkClass,
  linkOf,
  children,
}: Props<Item>) => (
  <div className="link-list" onKeyDownCapture={keepPage}>
    <Virtualizer layout={ListLayout} layoutOptions={{ ...heights, headingHeight: HEADING_PX }}>
      {/* Single letters are shortcuts here, as they are on other links. */}
      <GridList className={className} aria-label={label} items={groups} disallowTypeAhead>
        {({ id, title, items }) => (
          <GridListSection id={id} aria-label={title ?? label}>
            {title !== undefined && <GridListHeader className="nav-heading">{title}</GridListHeader>}
            <Collection items={items}>
              {item => {
                const { href, title } = linkOf(item)
                return (
                  <GridListItem id={item.id} textValue={title} focusMode="child" className="link-row">
                    <Link href={href} className={linkClass}>
                      {children(item)}
                    </Link>
                  </GridListItem>
                )
              }}
            </Collection>
          </GridListSection>
        )}
      </GridList>
    </Virtualizer>
  </div>
)

/** These keys move the focus in a list, and would move the page as well. */
function keepPage(event: KeyboardEvent): void {
  if (event.key === 'Home' || event.key === 'End') event.preventDefault()
}
