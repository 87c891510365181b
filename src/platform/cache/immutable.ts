// Values that never change, under keys that name all they depend on: hashes, or a version that every write moves. Nothing
// is ever dropped for being wrong: after a write it is not asked for any more.
import { LRUCache } from 'lru-cache'
import { createSingleFlight } from './single-flight.ts'

export interface ImmutableCache<Value extends object> {
  /** The cached value or the loaded one; undefined is not cached. Callers at the same time share a load. */
  get<Loaded extends Value | undefined>(key: string, load: () => Promise<Loaded>): Promise<Value | Loaded>
  peek(key: string): Value | undefined
}

/** `bounds` of the memory: the least recently used value goes first. */
export function createImmutableCache<Value extends object>(
  bounds: LRUCache.Options<string, Value, unknown>,
): ImmutableCache<Value> {
  const cached = new LRUCache(bounds)
  const share = createSingleFlight<Value | undefined>()
  return {
    async get<Loaded extends Value | undefined>(key: string, load: () => Promise<Loaded>) {
      const found = cached.get(key)
      if (found !== undefined) return found
      const loadAndCache = async () => {
        const value = await load()
        if (value !== undefined) cached.set(key, value)
        return value
      }
      // All callers that share the load of a key ask for the same value.
      return (await share(key, loadAndCache)) as Loaded
    },
    peek: key => cached.get(key),
  }
}
