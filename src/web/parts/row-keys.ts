// Keys in a list of rows, each of which leads somewhere.
import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

/** Enter on a row follows its link. */
export function followRow(event: ReactKeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLElement)) return
  if (event.target.role !== 'row') return
  event.preventDefault()
  event.target.querySelector('a')?.click()
}

/** As the arrow keys go; into the list, where the focus is elsewhere. */
export function stepRow(list: HTMLElement | null, key: 'ArrowDown' | 'ArrowUp'): void {
  const { activeElement } = document
  if (list === null) return
  if (activeElement === null || !list.contains(activeElement)) list.focus()
  else activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
