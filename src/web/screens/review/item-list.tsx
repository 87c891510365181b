// What changed, one line each.
import Braces from 'lucide-react/icons/braces'
import Check from 'lucide-react/icons/check'
import FileMinus from 'lucide-react/icons/file-minus'
import FilePen from 'lucide-react/icons/file-pen'
import FilePlus from 'lucide-react/icons/file-plus'
import MoveRight from 'lucide-react/icons/move-right'
import Paperclip from 'lucide-react/icons/paperclip'
import Recycle from 'lucide-react/icons/recycle'
import type { ReactNode } from 'react'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { t } from '../../messages/messages.ts'
import { countOf, type Item } from './items.ts'

type Props = {
  readonly items: readonly Item[]
  readonly chosen: string
  readonly isViewed: (item: Item) => boolean
  readonly onChoose: (id: string) => void
}

const ROW_PX = 44

export const ItemList = ({ items, chosen, isViewed, onChoose }: Props) => (
  <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX }}>
    <GridList
      className="review-list"
      aria-label={t('review.items')}
      items={items}
      dependencies={[isViewed]}
      selectionMode="single"
      selectionBehavior="replace"
      disallowEmptySelection
      disallowTypeAhead
      selectedKeys={[chosen]}
      onSelectionChange={keys => {
        const [key] = keys === 'all' ? [] : keys
        if (key !== undefined) onChoose(String(key))
      }}
    >
      {item => (
        <GridListItem id={item.id} className="side-row review-item" textValue={item.title}>
          {iconOf(item)}
          <span className="grow">
            <bdi className="truncate review-item-title">{item.title}</bdi>
            <span className="truncate faint small">{kindsOf(item).join(' · ')}</span>
          </span>
          {isViewed(item) && (
            <Check size={16} className="success" role="img" aria-label={t('review.viewed')} />
          )}
        </GridListItem>
      )}
    </GridList>
  </Virtualizer>
)

/** What happened to it, and how many blocks of its text differ. */
export function kindsOf(item: Item): string[] {
  const count = countOf(item)
  return [
    ...item.changes.map(({ type }) => t(`changeRequest.change.${type}`)),
    ...(count === undefined ? [] : [t('review.blocks', { count })]),
  ]
}

function iconOf({ changes }: Item): ReactNode {
  const [{ type } = { type: '' }] = changes
  if (type.startsWith('file_')) return <Paperclip size={16} className="info" aria-hidden />
  if (type.startsWith('reusable_')) return <Recycle size={16} className="info" aria-hidden />
  if (type === 'variables_edited') return <Braces size={16} className="info" aria-hidden />
  if (type === 'page_created') return <FilePlus size={16} className="success" aria-hidden />
  if (type === 'page_deleted') return <FileMinus size={16} className="danger" aria-hidden />
  if (type === 'page_moved') return <MoveRight size={16} className="info" aria-hidden />
  return <FilePen size={16} className="info" aria-hidden />
}
