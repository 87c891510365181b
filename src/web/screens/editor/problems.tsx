// How many problems the text has; pressed, it shows their list below the text.
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { useStore } from '../../data/store.ts'
import type { PagePreview } from '../../editor/page-preview.ts'
import { t } from '../../messages/messages.ts'

type Props = {
  readonly preview: PagePreview
  /** The text may be hidden. */
  readonly onOpen: () => void
}

export function Problems({ preview, onOpen }: Props) {
  const count = useStore(preview.marked)
  const isOpen = useStore(preview.isListOpen)
  const { last } = useStore(preview.shown)
  if (count === 0 && !isOpen) return null
  const isMore = (last?.moreProblems ?? 0) > 0
  return (
    <ToggleButton
      className="button quiet editor-problems"
      aria-label={t(isMore ? 'editor.problems.more' : 'editor.problems.count', { count })}
      isSelected={isOpen}
      onChange={isWanted => {
        if (isWanted) onOpen()
        preview.isListOpen.set(isWanted)
      }}
    >
      <TriangleAlert size={15} aria-hidden />
      {count}
      {isMore && '+'}
    </ToggleButton>
  )
}
