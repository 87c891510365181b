// Two kinds of caches within this process. An immutable one keeps values that never change, under keys that name
// everything they depend on: hashes, or a version that every write advances. Its values are never dropped for being
// wrong: after a write, nobody asks for them any more.
//
// An invalidating one keeps values made from rows that change: principals, rows of spaces and of change requests. A
// cached read sends no statement. Why the values are current:
// - a value names the ids of the rows it is made of, and is dropped when a commit announces one of them;
// - commits of this process announce before `transaction()` returns, so a caller reads its own writes;
// - commits of other processes arrive by LISTEN/NOTIFY, and every request first catches up with them (http/app.ts);
//   while that connection is down nothing is cached;
// - a value that a transaction made replaces the cached one, if nothing but that transaction has changed it;
// - a value counts from the start of its load, so that announcements during the load drop it, too.
import { LRUCache } from 'lru-cache'
import type { ChangedIds, Changes } from '../db/changes.ts'
import { beforeAnnouncement } from '../db/transaction.ts'

export interface ImmutableCache<Value extends object> {
  /** The cached value or the loaded one; undefined is not cached. Concurrent callers share a load. */
  get<Loaded extends Value | undefined>(key: string, load: () => Promise<Loaded>): Promise<Value | Loaded>
  peek(key: string): Value | undefined
}

/** `bounds` limit the memory: the least recently used value goes first. */
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
      // All callers that share the load of a key ask for the same type of value.
      return (await share(key, loadAndCache)) as Loaded
    },
    peek: key => cached.get(key),
  }
}

export interface InvalidatingCache<Value extends object> {
  /** The cached value or the loaded one; undefined is not cached. All values of a key have one type. */
  get<One extends Value>(
    key: string,
    load: () => Promise<One | undefined>,
    idsOf: (value: One) => readonly string[],
  ): Promise<One | undefined>
  /**
   * To be called in the transaction that turns a cached value into `next`, which replaces it at the commit. Does
   * nothing if anything else has changed the value by then.
   */
  replace<One extends Value>(
    key: string,
    value: One,
    next: One,
    idsOf: (value: One) => readonly string[],
  ): void
}

interface Entry<Value> {
  readonly value: Value
  readonly ids: readonly string[]
  /** The number of announcements before its load. */
  readonly since: number
}

/** `bytesMax` limits the memory: the least recently used value goes first. */
export function createInvalidatingCache<Value extends object>(
  changes: Pick<Changes, 'isReceiving' | 'subscribe'>,
  bytesMax: number,
): InvalidatingCache<Value> {
  const cached = new LRUCache<string, Entry<Value>>({
    maxSize: bytesMax,
    sizeCalculation: (entry, key) => bytesOf(entry) + bytesOf(key),
  })
  const share = createSingleFlight<Value | undefined>()
  const announcements = new Announcements()
  changes.subscribe(changed => announcements.add(changed))
  return {
    async get<One extends Value>(
      key: string,
      load: () => Promise<One | undefined>,
      idsOf: (value: One) => readonly string[],
    ) {
      const found = changes.isReceiving ? cached.get(key) : undefined
      // A cache has one type of values per key; the shared store is untyped.
      if (found !== undefined && announcements.isCurrent(found)) return found.value as One
      const since = announcements.count
      let isOwnLoad = false
      const loadAndCache = async () => {
        isOwnLoad = true
        const value = await load()
        if (value !== undefined && changes.isReceiving) cached.set(key, { value, ids: idsOf(value), since })
        return value
      }
      if (!changes.isReceiving) return load()
      // A load that started before the last announcement may have read the previous state.
      const shared = (await share(`${since} ${key}`, loadAndCache)) as One | undefined
      // Inserts are not announced: another caller's load may have started before one.
      return shared === undefined && !isOwnLoad ? loadAndCache() : shared
    },
    replace(key, value, next, idsOf) {
      beforeAnnouncement(() => {
        const found = changes.isReceiving ? cached.get(key) : undefined
        const isUnchanged = found?.value === value && announcements.isCurrent(found)
        return () => {
          if (isUnchanged) cached.set(key, { value: next, ids: idsOf(next), since: announcements.count })
        }
      })
    },
  }
}

// An id with its number takes some 100 bytes.
const IDS_MAX = 20_000

/** When each id was last announced. */
class Announcements {
  count = 0
  /** Earlier values are not current, whatever they are made of. */
  #floor = 0
  /** In order of announcement. */
  readonly #latest = new Map<string, number>()

  add(changed: ChangedIds): void {
    if (changed?.size === 0) return
    this.count += 1
    if (changed === undefined) {
      this.#floor = this.count
      this.#latest.clear()
      return
    }
    for (const id of changed) {
      this.#latest.delete(id)
      this.#latest.set(id, this.count)
    }
    for (const [id, at] of this.#latest) {
      if (this.#latest.size <= IDS_MAX) return
      this.#latest.delete(id)
      this.#floor = at
    }
  }

  isCurrent({ ids, since }: Entry<unknown>): boolean {
    return since >= this.#floor && ids.every(id => (this.#latest.get(id) ?? 0) <= since)
  }
}

// The memory of cached rows: two bytes per character of a string, plus its overhead in an object.
const VALUE_BYTES = 16
const OBJECT_BYTES = 64

/** Roughly how many bytes plain data takes. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + 2 * value.length
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength
  if (typeof value !== 'object' || value === null || value instanceof Date) return VALUE_BYTES
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value)
  return parts.reduce<number>((bytes, part) => bytes + bytesOf(part), OBJECT_BYTES)
}

/** Runs one load for all callers that ask for the same key while it runs. A failed load fails for all of them. */
export function createSingleFlight<Value>(): (key: string, load: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Promise<Value>>()
  return (key, load) => {
    const joined = running.get(key)
    if (joined !== undefined) return joined
    const started = load().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

/**
 * Options of an LRUCache that keeps `count` entries and allocates memory only for existing ones. With `max` it
 * allocates for all of them at once, and `clear()` walks over all of it.
 */
export const entries = (count: number) => ({ maxSize: count, sizeCalculation: () => 1 })
