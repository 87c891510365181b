// Words of a block that somebody selects, to comment on them.
import MessageSquarePlus from 'lucide-react/icons/message-square-plus'
import { type RefObject, useEffect, useState } from 'react'
import type { Range as Quoted } from '../../data/comments.ts'
import { t } from '../../messages/messages.ts'
import { textsOf } from '../../parts/quote.ts'

export type Selected = { readonly node: string; readonly range: Quoted }

const QUOTE_MAX = 2_000
const AROUND = 32

/** Words of one block of the newer text; undefined for any other selection. */
export function readSelection(box: HTMLElement | null): Selected | undefined {
  const selection = getSelection()
  if (box === null || selection === null || selection.isCollapsed || selection.rangeCount === 0)
    return undefined
  const range = selection.getRangeAt(0)
  const { commonAncestorContainer: common } = range
  const block = (common instanceof Element ? common : common.parentElement)?.closest('[data-key]')
  const node = block?.getAttribute('data-key') ?? null
  if (block == null || node === null || !box.contains(block)) return undefined
  let text = ''
  let start: number | undefined
  let end = 0
  for (const one of textsOf(block)) {
    if (range.intersectsNode(one)) {
      const from = one === range.startContainer ? range.startOffset : 0
      const to = one === range.endContainer ? range.endOffset : one.data.length
      start ??= text.length + from
      end = text.length + to
    }
    text += one.data
  }
  const quote = text.slice(start ?? end, end)
  if (quote.trim() === '' || quote.length > QUOTE_MAX || start === undefined) return undefined
  return {
    node,
    range: {
      quote,
      prefix: text.slice(Math.max(0, start - AROUND), start),
      suffix: text.slice(end, end + AROUND),
    },
  }
}

type Props = {
  readonly box: RefObject<HTMLDivElement | null>
  readonly onPress: (selected: Selected) => void
}

/** Below the selection. */
export function SelectionButton({ box, onPress }: Props) {
  const [shown, setShown] = useState<{
    readonly selected: Selected
    readonly top: number
    readonly start: number
  }>()
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const { current } = box
      const selected = readSelection(current)
      if (current === null || selected === undefined) return setShown(undefined)
      const { bottom, left } = getSelection()?.getRangeAt(0).getBoundingClientRect() ?? new DOMRect()
      const within = current.getBoundingClientRect()
      setShown({ selected, top: bottom - within.top + GAP, start: left - within.left })
    }
    const later = () => {
      frame ||= requestAnimationFrame(look)
    }
    document.addEventListener('selectionchange', later)
    return () => {
      document.removeEventListener('selectionchange', later)
      cancelAnimationFrame(frame)
    }
  }, [box])
  if (shown === undefined) return null
  return (
    <button
      type="button"
      className="button review-selection"
      style={{ insetBlockStart: shown.top, left: Math.max(0, shown.start) }}
      // The selection stays.
      onMouseDown={event => event.preventDefault()}
      onClick={() => {
        onPress(shown.selected)
        getSelection()?.removeAllRanges()
      }}
    >
      <MessageSquarePlus size={16} aria-hidden />
      {t('review.commentSelection')}
    </button>
  )
}

const GAP = 6
