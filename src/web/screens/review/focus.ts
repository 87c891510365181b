// Changes that the keyboard goes through are elements of one attribute.

const CHANGE = '[data-change]'
/** Stands where the next portion of a long text comes when it is scrolled to. */
const REST = '[data-rest]'

/** To the next change in `box`, or with -1 to the one before; false where there is none. */
export function focusChange(box: HTMLElement | null, by: 1 | -1): boolean {
  const changes = [...(box?.querySelectorAll<HTMLElement>(CHANGE) ?? [])]
  const current = document.activeElement?.closest<HTMLElement>(CHANGE) ?? null
  const at = current === null ? -1 : changes.indexOf(current)
  const next = changes[at === -1 ? (by === 1 ? 0 : -1) : at + by]
  if (next === undefined) return by === 1 && focusInRest(box)
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'center' })
  return true
}

/** Brings the next portion, and the focus to its first change; false where there is none. */
function focusInRest(box: HTMLElement | null): boolean {
  const rest = box?.querySelector(REST)
  if (box === null || rest == null) return false
  new MutationObserver((_, observer) => {
    observer.disconnect()
    focusChange(box, 1)
  }).observe(box, { childList: true, subtree: true })
  rest.scrollIntoView({ block: 'nearest' })
  return true
}

/** The block of the newer text that has the focus or the selection. */
export function keyInFocus(): string | undefined {
  const selected = getSelection()?.anchorNode?.parentElement
  const block = document.activeElement?.closest('[data-key]') ?? selected?.closest('[data-key]')
  return block?.getAttribute('data-key') ?? undefined
}
