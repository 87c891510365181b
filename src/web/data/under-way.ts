// What this browser sends while other screens are shown. The screen that it began on shows it itself.
import { createStore } from './store.ts'

export type UnderWay = {
  readonly key: string
  /** Of what is sent. */
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
  /** Of the screens that show it; the first is where it leads. */
  readonly shownAt: readonly [string, ...string[]]
  readonly stopping: AbortController
}

export const underWay = createStore<readonly UnderWay[]>([])

/** A new one, or what has become of it. */
export function putUnderWay(one: UnderWay): void {
  addEventListener('beforeunload', warn)
  underWay.set([...underWay.get().filter(({ key }) => key !== one.key), one])
}

export function endUnderWay(key: string): void {
  underWay.set(underWay.get().filter(one => one.key !== key))
  if (underWay.get().length === 0) removeEventListener('beforeunload', warn)
}

// The browser asks in its own words.
const warn = (event: Event): void => event.preventDefault()
