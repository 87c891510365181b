// Rows with controls, as many as there may be: only those in sight are in the document. Arrow keys lead from row to row,
// Tab to the controls of the row in focus.
import type { ReactNode } from 'react'
import { Collection, GridList, GridListItem, GridListLoadMoreItem } from 'react-aria-components/GridList'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { t } from '../messages/messages.ts'

type Props<Item> = {
  readonly label: string
  readonly items: readonly Item[]
  readonly nameOf: (item: Item) => string
  /** What rows show beside their item: they are drawn again when it changes. */
  readonly dependencies?: readonly unknown[]
  /** Reads further rows, if there are any. */
  readonly more?: { readonly isLoading: boolean; readonly load: () => void }
  readonly children: (item: Item) => ReactNode
}

// As a row of one line is; taller ones are measured.
const ROW_PX = 58

export const RowList = <Item extends { readonly id: string }>({
  label,
  items,
  nameOf,
  dependencies = [],
  more,
  children,
}: Props<Item>) => (
  <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: ROW_PX }}>
    <GridList className="card list" aria-label={label} keyboardNavigationBehavior="tab" disallowTypeAhead>
      <Collection items={items} dependencies={dependencies}>
        {item => (
          <GridListItem id={item.id} textValue={nameOf(item)} className="list-item">
            <div className="rows-row">{children(item)}</div>
          </GridListItem>
        )}
      </Collection>
      {more !== undefined && (
        <GridListLoadMoreItem isLoading={more.isLoading} onLoadMore={more.load}>
          <p className="list-more">{t('state.loading')}</p>
        </GridListLoadMoreItem>
      )}
    </GridList>
  </Virtualizer>
)
