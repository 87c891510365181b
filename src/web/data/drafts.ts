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
  /** Of the screen on which it was written. */
  readonly address: string
  readonly title: string
}

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

/** Whether it is kept: the storage of the device may be full. */
export function writeDraft(personId: string, place: string, text: string, from = ''): boolean {
  const draft: Draft = { text, from, address: location.pathname, title: screenTitle }
  return keep(keyOf(personId, place), text === '' ? null : JSON.stringify(draft))
}

/** Of all places that begin so. */
export function dropDrafts(personId: string, place: string): void {
  for (const key of keysOf(keyOf(personId, place))) localStorage.removeItem(key)
}

const keysOf = (prefix: string) => Object.keys(localStorage).filter(key => key.startsWith(prefix))

/** A screen on which something was written that is not sent yet. */
export type Unsent = { readonly address: string; readonly title: string; readonly count: number }

/** By screen, in the order of their titles. */
export function listUnsent(personId: string): readonly Unsent[] {
  const found = new Map<string, Unsent>()
  for (const key of keysOf(prefixOf(personId))) {
    const { address = '/w', title = '' } = read(key) ?? {}
    found.set(address, { address, title, count: (found.get(address)?.count ?? 0) + 1 })
  }
  return [...found.values()].sort((one, other) => one.title.localeCompare(other.title))
}

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
