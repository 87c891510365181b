// What somebody is writing, kept on this device until it is sent: by person, so that another who signs in here sees none
// of it, and by place.
import { useState } from 'react'
import { keep } from './device.ts'

const PREFIX = 'octavo.draft.'

const prefixOf = (personId: string) => `${PREFIX}${personId}.`
const keyOf = (personId: string, place: string) => prefixOf(personId) + place

type Draft = {
  readonly text: string
  /** What was there when it was begun. */
  readonly from?: string
  /** Milliseconds since 1970. */
  readonly at?: number
} & Screen

/** Where it was written. */
type Screen = { readonly address: string; readonly title: string }

let screenTitle = ''

/** What the screen that is shown now is called, where somebody asks what is still unsent. */
export function nameScreen(title: string): void {
  screenTitle = title
}

export const readDraft = (personId: string, place: string): string => read(keyOf(personId, place))?.text ?? ''

function read(key: string): Draft | undefined {
  try {
    // What is kept here was written by `writeDraft`.
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null) ?? undefined
  } catch {
    return undefined
  }
}

let isOver = false

/** Drops all, and keeps nothing more of what is still on the screen. */
export function endDrafts(personId: string): void {
  dropDrafts(personId, '')
  isOver = true
}

/** Of all places that begin so. */
export const readDrafts = (
  personId: string,
  place: string,
): readonly { readonly place: string; readonly text: string; readonly from: string }[] =>
  keysOf(keyOf(personId, place)).map(key => {
    const { text = '', from = '' } = read(key) ?? {}
    return { place: key.slice(prefixOf(personId).length), text, from }
  })

/** After it comes what belongs to the place before it: what is unsent there is one thing with it. */
export const PART = '#'

export const hasDraft = (personId: string, place: string): boolean =>
  Object.hasOwn(localStorage, keyOf(personId, place))

/** Whether it is kept: the storage of the device may be full. */
export function writeDraft(
  personId: string,
  place: string,
  text: string,
  from = '',
  screen: Screen = { address: location.pathname, title: screenTitle },
): boolean {
  if (isOver) return false
  const draft: Draft = { text, from, at: Date.now(), ...screen }
  return keep(keyOf(personId, place), text === '' ? null : JSON.stringify(draft))
}

/** Of all places that begin so. */
export function dropDrafts(personId: string, place: string): void {
  for (const key of keysOf(keyOf(personId, place))) localStorage.removeItem(key)
}

/** Of all that this person wrote. */
export const keysOfPerson = (personId: string) => keysOf(prefixOf(personId))

const keysOf = (prefix: string) => Object.keys(localStorage).filter(key => key.startsWith(prefix))

/** A screen on which something was written that is not sent yet. */
export type Unsent = Screen & {
  readonly count: number
  /** When it was written last, in milliseconds since 1970. */
  readonly at: number
}

export const screenOf = (key: string): Screen & { readonly at?: number } => ({
  address: '/w',
  title: '',
  ...read(key),
})

/** Whether anything is listed. */
export const hasUnsent = (personId: string): boolean => keysOfPerson(personId).length > 0

/** By screen, in the order of their titles. */
export function listUnsent(personId: string): readonly Unsent[] {
  const found = new Map<string, Unsent>()
  for (const key of keysOfPerson(personId).filter(key => !key.includes(PART))) {
    const { address, title, at = 0 } = screenOf(key)
    const { count, at: other } = found.get(address) ?? { count: 0, at }
    found.set(address, { address, title, count: count + 1, at: Math.max(at, other) })
  }
  return [...found.values()].sort((one, other) => one.title.localeCompare(other.title))
}

/** Of titles that were typed in the tree of a content, each with the id of its page after it. */
export const keptTitlesOf = (place: {
  readonly spaceId: string
  readonly changeRequestId?: string
}): string => `tree.${place.spaceId}.${place.changeRequestId ?? ''}.`

export type FieldDraft = {
  readonly text: string
  /** What it changes has become another since it was begun, and so has the text of the field. */
  readonly isOld: boolean
  change(text: string): void
  /** It goes on from what is there now. */
  keepMine(): void
  /** It is as what is there now. */
  drop(): void
}

/** The text of a field that survives leaving the screen; `there` is what it changes, as it is now. */
export function useDraft(personId: string, place: string, there = ''): FieldDraft {
  const [{ text, from }, setDraft] = useState(() => {
    const kept = read(keyOf(personId, place))
    return kept === undefined ? { text: there, from: there } : { text: kept.text, from: kept.from ?? '' }
  })
  const write = (next: string, begun: string) => {
    setDraft({ text: next, from: begun })
    writeDraft(personId, place, next === begun ? '' : next, begun)
  }
  return {
    text,
    isOld: from !== there && text !== there,
    change: next => write(next, from),
    keepMine: () => write(text, there),
    drop: () => write(there, there),
  }
}
