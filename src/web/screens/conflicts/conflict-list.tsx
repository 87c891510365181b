// Every conflict, and which of them are settled.
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import type { Conflict } from '../../data/conflicts.ts'
import { t } from '../../messages/messages.ts'
import { sayBeginning, sayKind, sayPart, sayWhere } from './words.ts'

type Props = {
  readonly conflicts: readonly Conflict[]
  readonly current: Conflict
  readonly isSettled: (conflict: Conflict) => boolean
  readonly onChoose: (conflict: Conflict) => void
}

const ROW_PX = 56
const EDGES_PX = 2

export function ConflictList({ conflicts, current, isSettled, onChoose }: Props) {
  const items = conflicts.map(conflict => ({ id: conflict.identity, conflict, isDone: isSettled(conflict) }))
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_PX }}>
      <ListBox
        className="conflict-list"
        style={{ blockSize: `min(${items.length * ROW_PX + EDGES_PX}px, var(--list))` }}
        aria-label={t('conflicts.list')}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={[current.identity]}
        onSelectionChange={keys => {
          const [key] = keys
          const chosen = conflicts.find(({ identity }) => identity === key)
          if (chosen !== undefined) onChoose(chosen)
        }}
        items={items}
      >
        {({ conflict, isDone }) => (
          <ListBoxItem
            className="side-row conflict-row"
            textValue={`${sayWhere(conflict)}, ${sayPart(conflict) ?? sayKind(conflict)}, ${t(isDone ? 'conflicts.isSettled' : 'conflicts.isOpen')}`}
          >
            {isDone ? (
              <CircleCheck size={16} className="success" aria-hidden />
            ) : (
              <Circle size={16} className="faint" aria-hidden />
            )}
            <span className="grow">
              <span className="conflict-where truncate">
                <bdi>{sayWhere(conflict)}</bdi>
              </span>
              <What conflict={conflict} />
              <span className="visually-hidden">
                {t(isDone ? 'conflicts.isSettled' : 'conflicts.isOpen')}
              </span>
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </Virtualizer>
  )
}

/** Of several in one page the first words tell which it is. */
function What({ conflict }: { readonly conflict: Conflict }) {
  const what = sayPart(conflict) ?? sayKind(conflict)
  const beginning = sayPart(conflict) === undefined ? sayBeginning(conflict) : undefined
  if (beginning === undefined) return <span className="conflict-what truncate">{what}</span>
  return (
    <>
      <span className="visually-hidden">{what}</span>
      <span className="conflict-what truncate" dir="auto">
        {beginning}
      </span>
    </>
  )
}
