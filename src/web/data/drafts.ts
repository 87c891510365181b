// What somebody is writing, kept on this device until it is sent: by person, so that another who signs in here sees none
// of it, and by place.
import { useState } from 'react'

const PREFIX = 'octavo.draft.'

const keyOf = (personId: string, place: string) => `${PREFIX}${personId}.${place}`

export function readDraft(personId: string, place: string): string {
  return localStorage.getItem(keyOf(personId, place)) ?? ''
}

/** Whether it is kept: the storage of the device may be full. */
export function writeDraft(personId: string, place: string, text: string): boolean {
  try {
    if (text === '') localStorage.removeItem(keyOf(personId, place))
    else localStorage.setItem(keyOf(personId, place), text)
    return true
  } catch {
    return false
  }
}

/** Of all places that begin so. */
export function dropDrafts(personId: string, place: string): void {
  const prefix = keyOf(personId, place)
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}

/** The text of a field that survives leaving the screen, and how to change it. */
export function useDraft(personId: string, place: string, initial = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(personId, place) || initial)
  return [
    text,
    next => {
      setText(next)
      writeDraft(personId, place, next === initial ? '' : next)
    },
  ]
}
