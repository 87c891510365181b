// Values made of rows that change: principals, rows of spaces and of change requests. A read that finds them here sends
// no statement. Why they are current:
// - a value names the ids of the rows it is made of, and is dropped when a commit announces one of them;
// - commits of this process announce before `transaction()` returns, so a caller reads its own writes;
// - commits of other processes arrive by LISTEN/NOTIFY, and every request first catches up with them (http/app.ts); while
//   that connection is down nothing is cached;
// - what a transaction makes of a value takes its place, if nothing but that transaction has changed it;
// - a value counts from the start of its load, so that what is announced meanwhile drops it, too.
import { LRUCache } from 'lru-cache'
import type { ChangedIds, Changes } from '../db/changes.ts'
import { beforeAnnouncement } from '../db/transaction.ts'
import { createSingleFlight } from './single-flight.ts'
import { bytesOf } from './weight.ts'

export interface InvalidatingCache<Value extends object> {
  /** The cached value or the loaded one; undefined is not cached. All values of a key have one type. */
  get<One extends Value>(
    key: string,
    load: () => Promise<One | undefined>,
    idsOf: (value: One) => readonly string[],
  ): Promise<One | undefined>
  /**
   * To be called in the transaction that makes `next` of a cached value: `next` takes its place at the commit. Does
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

/** `bytesMax` bounds the memory: the least recently used value goes first. */
export function createInvalidatingCache<Value extends object>(
  changes: Pick<Changes, 'isTrue' | 'subscribe'>,
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
      const found = changes.isTrue ? cached.get(key) : undefined
      if (found !== undefined && announcements.isCurrent(found)) return found.value as One
      const since = announcements.count
      let isOwnLoad = false
      const loadAndCache = async () => {
        isOwnLoad = true
        const value = await load()
        if (value !== undefined && changes.isTrue) cached.set(key, { value, ids: idsOf(value), since })
        return value
      }
      if (!changes.isTrue) return load()
      // A load that started before the last announcement may have read what was there before it.
      const shared = (await share(`${since} ${key}`, loadAndCache)) as One | undefined
      // Inserts are not announced: the load of somebody else may have started before one.
      return shared === undefined && !isOwnLoad ? loadAndCache() : shared
    },
    replace(key, value, next, idsOf) {
      beforeAnnouncement(() => {
        const found = changes.isTrue ? cached.get(key) : undefined
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
  /** Values from before are not current, whatever they are made of. */
  #floor = 0
  /** In the order of their announcements. */
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
