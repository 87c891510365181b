// Discards what somebody wrote on a screen and did not send, and brings it back.
import { keep } from './device.ts'
import { keysOfPerson, screenOf } from './drafts.ts'

/** By key, as the device kept it. */
export type Discarded = ReadonlyMap<string, string>

/** From now on it is in the answer alone. */
export function discardUnsent(personId: string, address: string): Discarded {
  const keys = keysOfPerson(personId).filter(key => screenOf(key).address === address)
  const discarded = new Map(keys.map(key => [key, localStorage.getItem(key) ?? '']))
  for (const key of keys) localStorage.removeItem(key)
  return discarded
}

export function restoreUnsent(discarded: Discarded): void {
  for (const [key, text] of discarded) keep(key, text)
}
