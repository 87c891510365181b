// Keys that do something without a field being open: `e`, `j`, or two in turn, `g h`. Who does not want them turns them
// off; those with ⌘ or Ctrl always work.
import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { keep } from '../data/device.ts'
import { createStore, useStore } from '../data/store.ts'

const SETTING = 'octavo.keys'
const OFF = 'off'
// Between the two keys of one shortcut.
const SEQUENCE_MS = 1200

const setting = createStore(localStorage.getItem(SETTING) !== OFF)

export const useShortcutsSetting = (): boolean => useStore(setting)

export function setShortcuts(isOn: boolean): void {
  keep(SETTING, isOn ? null : OFF)
  setting.set(isOn)
}

type Actions = Readonly<Record<string, () => void>>

/** Of each part of the screen. */
const inUse = new Set<Actions>()

/** Whether these keys do something on the screen. */
export const isInUse = (keys: string): boolean => [...inUse].some(actions => keys in actions)

/** `keys` as `KeyboardEvent.key` says them, by what they do; `g h` are two in turn, `mod+k` is ⌘K or Ctrl+K. */
export function useShortcuts(actions: Actions): void {
  const onKey = useEffectEvent((event: KeyboardEvent, before: string) => {
    const chord = chordOf(event)
    const action =
      actions[chord] ?? (isFree(event) ? (actions[`${before} ${chord}`] ?? undefined) : undefined)
    if (action === undefined || (!chord.startsWith('mod+') && !isFree(event))) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    inUse.add(actions)
    return () => {
      inUse.delete(actions)
    }
  }, [actions])
  // Before the screen is seen: who sees it may press a key at once.
  useLayoutEffect(() => {
    let before = ''
    let at = 0
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      onKey(event, event.timeStamp - at < SEQUENCE_MS ? before : '')
      before = event.key
      at = event.timeStamp
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** The key alone, or `mod+k`. */
export const chordOf = ({ key, metaKey, ctrlKey, shiftKey }: KeyboardEvent): string =>
  metaKey || ctrlKey ? `mod+${shiftKey ? 'shift+' : ''}${key.toLowerCase()}` : key

/** Whether a single key means a shortcut here: not in a field, not in a dialog or a menu, not with another key held. */
function isFree({ target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (!setting.get() || metaKey || ctrlKey || altKey) return false
  return !(target instanceof Element) || target.closest(TAKES_KEYS) === null
}

// A box that is ticked takes the space bar alone.
const TAKES_KEYS =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'
