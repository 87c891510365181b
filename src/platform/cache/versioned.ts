// Answers kept in the process under keys that name everything they depend on, a version among it. A write moves the
// version, and with it the key: what is kept is never wrong, only no longer asked for.
import { LRUCache } from 'lru-cache'
import { entries } from '../../base/entries.ts'

export interface VersionedCache<Value extends object> {
  /** The kept answer, or the loaded one. */
  get(key: string, load: () => Promise<Value>): Promise<Value>
}

/** `entriesMax` bounds the memory: the least recently used answer goes first. */
export function createVersionedCache<Value extends object>(entriesMax: number): VersionedCache<Value> {
  const kept = new LRUCache<string, Value>(entries(entriesMax))
  return {
    async get(key, load) {
      const found = kept.get(key)
      if (found !== undefined) return found
      const value = await load()
      kept.set(key, value)
      return value
    },
  }
}
