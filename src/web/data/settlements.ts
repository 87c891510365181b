// How conflicts of a change request were settled, kept on this device until all are: by person, change request and
// conflict, each by itself, so that two tabs do not overwrite each other.
import { useSyncExternalStore } from 'react'
import type { Answer, Conflict } from './conflicts.ts'
import { dropDrafts, readDraft, writeDraft } from './drafts.ts'

export type Whose = { readonly personId: string; readonly changeRequestId: string }

export type Settlements = {
  /** Whether this device keeps all of it. */
  readonly isKept: boolean
  answerOf(conflict: Conflict): Answer | undefined
  /** Counts in this tab even if the device has no room for it. */
  settle(conflict: Conflict, answer: Answer | undefined): void
  /** What was written in place of a conflict, also before one of its sides moved. */
  textOf(conflict: Conflict): string | undefined
  write(conflict: Conflict, text: string | undefined): void
  forget(): void
}

const prefixOf = ({ changeRequestId }: Whose) => `conflicts.${changeRequestId}.`

const listeners = new Set<() => void>()
let version = 0
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  addEventListener('storage', moved)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', moved)
  }
}
function moved(): void {
  version += 1
  for (const listener of listeners) listener()
}

// What a full device does not keep is kept until the tab is closed.
const unkept = new Map<string, string>()

/** Renders again when this tab or another settles something. */
export function useSettlements(whose: Whose): Settlements {
  useSyncExternalStore(subscribe, () => version)
  const { personId } = whose
  const prefix = prefixOf(whose)
  const read = (place: string) => unkept.get(personId + place) ?? readDraft(personId, place)
  const write = (place: string, text: string) => {
    if (writeDraft(personId, place, text)) unkept.delete(personId + place)
    else unkept.set(personId + place, text)
    moved()
  }
  const answerPlace = ({ identity }: Conflict) => `${prefix}answer.${identity}`
  const textPlace = ({ address }: Conflict) => `${prefix}text.${address}`
  return {
    isKept: unkept.size === 0,
    answerOf(conflict) {
      const text = read(answerPlace(conflict))
      return text === '' ? undefined : (JSON.parse(text) as Answer)
    },
    settle: (conflict, answer) =>
      write(answerPlace(conflict), answer === undefined ? '' : JSON.stringify(answer)),
    // A text that was emptied is another thing than none.
    textOf(conflict) {
      const text = read(textPlace(conflict))
      return text === '' ? undefined : (JSON.parse(text) as string)
    },
    write: (conflict, text) => write(textPlace(conflict), text === undefined ? '' : JSON.stringify(text)),
    forget() {
      unkept.clear()
      dropDrafts(personId, prefix)
      moved()
    },
  }
}
