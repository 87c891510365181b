// At the edge of the block under the pointer: begins a comment on it.
import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../messages/messages.ts'
import { IconButton } from '../../parts/button.tsx'
import type { Blocks } from './blocks.ts'

type Props = {
  readonly blocks: Blocks
  readonly pointed: string | undefined
  readonly onPress: (key: string) => void
}

export function BlockButton({ blocks, pointed, onPress }: Props) {
  const [top, setTop] = useState(0)
  const own = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const within = own.current?.parentElement
    const blockTop = pointed === undefined ? undefined : blocks.topOf(pointed)
    if (within == null || blockTop === undefined) return
    setTop(blockTop - within.getBoundingClientRect().top - scrollY)
  }, [pointed, blocks])
  return (
    <div
      ref={own}
      className="block-button"
      data-shown={pointed !== undefined || undefined}
      style={{ insetBlockStart: top }}
    >
      {pointed !== undefined && (
        <IconButton label={t('space.commentBlock')} excludeFromTabOrder onPress={() => onPress(pointed)}>
          <MessageSquarePlus size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
