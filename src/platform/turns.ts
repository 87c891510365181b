// Taking turns within this process: writers of one space that would only overtake each other. Turns make progress fair
// and retries rare; they hold no promise between processes, so whoever writes still compares and sets.
import { unavailable } from '../base/errors.ts'

/** How many may wait for one thing: each of them is a request that holds its body. */
export const TURNS_WAITING_MAX = 200

const lasts = new Map<string, { readonly turn: Promise<unknown>; readonly waiting: number }>()

/**
 * Runs `run` once everybody who asked for the same `key` before is done, however that ended. A turn that asks for its
 * own key again would wait for ever. Throws `unavailable` when too many wait.
 */
export function takeTurn<T>(key: string, run: () => Promise<T>): Promise<T> {
  const last = lasts.get(key)
  const waiting = last === undefined ? 0 : last.waiting + 1
  if (waiting > TURNS_WAITING_MAX)
    throw unavailable('busy', 'Too many writes at the same place wait for each other. Try again.')
  const turn = last === undefined ? run() : last.turn.then(run)
  const settled = turn.then(done, done)
  lasts.set(key, { turn: settled, waiting })
  return turn

  function done(): void {
    const newest = lasts.get(key)
    if (newest?.turn === settled) lasts.delete(key)
    else if (newest !== undefined) lasts.set(key, { ...newest, waiting: newest.waiting - 1 })
  }
}

/** The key of whatever moves the head of a space. */
export const turnOfSpace = (spaceId: string): string => `space:${spaceId}`

/** The key of whatever moves the head of a change request. */
export const turnOfChangeRequest = (changeRequestId: string): string => `change-request:${changeRequestId}`
