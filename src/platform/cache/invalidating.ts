// A cache of small values that is cleared by writes: principals, heads, rows of spaces. With it a read that changes nothing
// costs no query. Why its values are current:
// - every commit of this process that concerns them clears them before `transaction()` returns, so a caller reads its
//   own writes;
// - commits of other processes arrive by LISTEN/NOTIFY, and every request first catches up with them (http/app.ts); while
//   that line is down nothing is kept at all;
// - an answer whose loading began before a clear is not kept, because it may be from before the commit.
import { LRUCache } from 'lru-cache'
import { entries } from '../../base/entries.ts'
import type { Writes } from '../db/writes.ts'

/** What this cache needs to know of the database: see platform/db/changes.ts. */
export interface ChangeSignal {
  readonly isTrue: boolean
  subscribe(listener: (writes: Writes) => void): void
}

export interface InvalidatingCache<Key extends string, Value extends object> {
  /** The kept answer, or undefined when it has to be loaded. */
  peek(key: Key): Value | undefined
  /** The kept answer, or the loaded one; an absent answer (undefined) is not kept. */
  get(key: Key, load: () => Promise<Value | undefined>): Promise<Value | undefined>
}

/**
 * `entriesMax` bounds the memory: the least recently used answer goes first. `isOld` says of what was written whether an
 * answer may be old by it; without it, by anything.
 */
export function createInvalidatingCache<Key extends string, Value extends object>(
  changes: ChangeSignal,
  entriesMax: number,
  isOld: (writes: Writes) => boolean = () => true,
): InvalidatingCache<Key, Value> {
  const kept = new LRUCache<Key, Value>(entries(entriesMax))
  let epoch = 0
  changes.subscribe(writes => {
    if (!isOld(writes)) return
    epoch += 1
    kept.clear()
  })
  return {
    peek: key => (changes.isTrue ? kept.get(key) : undefined),
    async get(key, load) {
      const found = changes.isTrue ? kept.get(key) : undefined
      if (found !== undefined) return found
      const began = epoch
      const value = await load()
      if (value !== undefined && changes.isTrue && began === epoch) kept.set(key, value)
      return value
    },
  }
}
