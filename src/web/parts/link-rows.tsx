// Rows that each lead somewhere, as many as there may be: only those in sight are in the document, and more are read by
// scrolling. j, k and the arrow keys lead from row to row, Enter follows one.
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactElement, useRef } from 'react'
import { Collection, GridList, GridListItem, GridListLoadMoreItem } from 'react-aria-components/GridList'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { t } from '../messages/messages.ts'
import { followRow, stepRow } from './row-keys.ts'
import { useShortcuts } from './shortcuts.ts'

type Props<Item> = {
  readonly label: string
  readonly query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  readonly items: readonly Item[]
  readonly nameOf: (item: Item) => string
  /** What rows show beside their item: they are drawn again when it changes. */
  readonly dependencies?: readonly unknown[]
  readonly children: (item: Item) => ReactElement
}

// As a row of one line is; taller ones are measured.
const ROW_PX = 58

export function LinkRows<Item extends { readonly id: string }>(props: Props<Item>) {
  const { label, query, items, nameOf, dependencies = [], children } = props
  const box = useRef<HTMLDivElement>(null)
  useShortcuts({ j: () => stepRow(box.current, 'ArrowDown'), k: () => stepRow(box.current, 'ArrowUp') })
  return (
    <div onKeyDownCapture={followRow}>
      <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: ROW_PX }}>
        <GridList ref={box} className="card list" aria-label={label}>
          <Collection items={items} dependencies={dependencies}>
            {item => (
              <GridListItem id={item.id} textValue={nameOf(item)} className="list-item">
                {children(item)}
              </GridListItem>
            )}
          </Collection>
          <GridListLoadMoreItem
            isLoading={query.isFetchingNextPage}
            onLoadMore={() => {
              if (query.hasNextPage) void query.fetchNextPage()
            }}
          >
            <p className="list-more">{t('state.loading')}</p>
          </GridListLoadMoreItem>
        </GridList>
      </Virtualizer>
    </div>
  )
}
