// Provides the indexes of spaces. An index belongs to a root hash and a language, so it is never stale: it is looked up
// by the head that a request has read. The index of the next head of a space is made from that of the last one.
import { LRUCache } from 'lru-cache'
import { Failure } from '../../base/errors.ts'
import { languageOf } from '../../engines/search/language.ts'
import type { SearchIndex } from '../../engines/search/search-index.ts'
import type { SearchedHead, SearchIndexes } from '../../http/context.ts'
import type { Log } from '../../platform/log.ts'
import {
  buildIndex,
  compactIndex,
  type IndexingServices,
  type IndexRequest,
  updateIndex,
} from './building.ts'
import { IndexMemory } from './index-memory.ts'

// Spaces whose last head is known; an entry takes less than 300 bytes.
const LATEST_MAX = 20_000
// An index that does not fit into the memory may have this size, for the requests that wait for it.
const UNKEPT_BYTES_MAX = 64 * 1024 * 1024
// A space whose index does not fit is not indexed ahead again for this long.
const TOO_LARGE_MILLISECONDS = 10 * 60_000
const TOO_LARGE_MAX = 1_000
// Share of the memory: beyond it, indexes built ahead would evict those in use.
const PREPARED_SHARE_MAX = 0.8

/** `bytesMax` bounds the memory; with 0 nothing is cached. */
export function createSearchIndexes(
  services: IndexingServices & { readonly log: Log },
  bytesMax: number,
): SearchIndexes {
  const memory = new IndexMemory(bytesMax)
  let abort = new AbortController()
  const latest = new Latest(key => memory.delete(key))
  const tooLarge = new LRUCache<string, true>({ max: TOO_LARGE_MAX, ttl: TOO_LARGE_MILLISECONDS })
  const underWay = new Map<string, Promise<SearchIndex | undefined>>()
  const prepared = new Map<string, SearchedHead>()
  const compacting = new Set<Promise<void>>()
  let preparing = Promise.resolve()
  let isPreparing = false
  const counts = { hits: 0, misses: 0, builds: 0, updates: 0 }

  const keep = ({ id, root }: SearchedHead, wanted: IndexRequest, index: SearchIndex) => {
    const key = keyOf(wanted)
    memory.set(key, index)
    latest.set(id, { key, root, language: wanted.language })
  }

  const wantedOf = ({ id, root, language }: SearchedHead): IndexRequest => ({
    lane: id,
    root,
    language: languageOf(language),
    signal: abort.signal,
  })

  const peek = (head: SearchedHead): SearchIndex | undefined => {
    const wanted = wantedOf(head)
    const key = keyOf(wanted)
    const index = memory.get(key)
    if (index !== undefined) latest.set(head.id, { key, root: head.root, language: wanted.language })
    return index
  }

  /** From the index of another head of the space; undefined if there is none, or it is of no use. */
  const update = async (head: SearchedHead, wanted: IndexRequest): Promise<SearchIndex | undefined> => {
    const last = latest.get(head.id)
    const index = last?.language === wanted.language ? memory.get(last.key) : undefined
    if (last === undefined || index === undefined) return undefined
    try {
      const updated = await updateIndex(services, wanted, { root: last.root, index })
      if (updated !== undefined) counts.updates += 1
      return updated
    } catch (error) {
      // Content of only the other head may have been swept.
      if (error instanceof Failure || abort.signal.aborted) throw error
      services.log.info({ err: error, space: head.id }, 'an index is rebuilt')
      return undefined
    }
  }

  const build = async (head: SearchedHead, wanted: IndexRequest): Promise<SearchIndex | undefined> => {
    counts.builds += 1
    const built = await buildIndex(services, wanted, Math.max(bytesMax, UNKEPT_BYTES_MAX))
    if (built === undefined || !memory.holds(built)) tooLarge.set(head.id, true)
    return built
  }

  const make = async (head: SearchedHead, wanted: IndexRequest): Promise<SearchIndex | undefined> => {
    try {
      const index = (await update(head, wanted)) ?? (await build(head, wanted))
      if (index === undefined || !memory.holds(index)) return index
      keep(head, wanted, index)
      compact(wanted, index)
      return index
    } catch (error) {
      if (!(error instanceof Failure) && !abort.signal.aborted)
        services.log.warn(
          { err: error, space: head.id },
          'an index could not be made: search asks the database',
        )
      return undefined
    }
  }

  /** No search waits for it: the replaced index finds the same. */
  const compact = (wanted: IndexRequest, index: SearchIndex) => {
    const key = keyOf(wanted)
    const work = compactIndex(services, wanted, index)
      .then(compacted => {
        if (compacted !== undefined && memory.get(key) === index) memory.set(key, compacted)
      })
      .catch(error => services.log.debug({ err: error }, 'an index was not compacted'))
      .finally(() => compacting.delete(work))
    compacting.add(work)
  }

  const get = async (head: SearchedHead): Promise<SearchIndex | undefined> => {
    const found = peek(head)
    if (found !== undefined) {
      counts.hits += 1
      return found
    }
    counts.misses += 1
    if (abort.signal.aborted) return undefined
    const wanted = wantedOf(head)
    const key = keyOf(wanted)
    const made = underWay.get(key) ?? make(head, wanted).finally(() => underWay.delete(key))
    underWay.set(key, made)
    return made
  }

  const prepareAll = async () => {
    isPreparing = true
    for (const [id, head] of prepared) {
      prepared.delete(id)
      if (abort.signal.aborted || memory.bytes > bytesMax * PREPARED_SHARE_MAX) prepared.clear()
      else if (!tooLarge.has(head.id)) await get(head)
    }
    isPreparing = false
  }

  return {
    peek(head) {
      const found = peek(head)
      if (found === undefined) counts.misses += 1
      else counts.hits += 1
      return found
    },
    get,
    isNear: ({ id, language }) => {
      const last = latest.get(id)
      return last?.language === languageOf(language) && memory.get(last.key) !== undefined
    },
    prepare(heads) {
      if (bytesMax === 0) return
      for (const head of heads) prepared.set(head.id, head)
      if (!isPreparing) preparing = prepareAll()
    },
    counts: () => ({ bytes: memory.bytes, indexes: memory.count, ...counts }),
    async end() {
      abort.abort()
      await Promise.all([preparing, ...underWay.values(), ...compacting])
      abort = new AbortController()
    },
  }
}

const keyOf = ({ root, language }: IndexRequest): string => `${root} ${language}`

type Head = { readonly key: string; readonly root: string; readonly language: string }

/** The last head of each space that has an index. Reports a key that no space has any more. */
class Latest {
  readonly #heads = new Map<string, Head>()
  readonly #spaces = new Map<string, number>()
  readonly #onUnused: (key: string) => void

  constructor(onUnused: (key: string) => void) {
    this.#onUnused = onUnused
  }

  get(spaceId: string): Head | undefined {
    return this.#heads.get(spaceId)
  }

  set(spaceId: string, head: Head): void {
    const before = this.#heads.get(spaceId)
    if (before?.key === head.key) return
    this.#spaces.set(head.key, (this.#spaces.get(head.key) ?? 0) + 1)
    this.#remove(spaceId)
    this.#heads.set(spaceId, head)
    if (this.#heads.size <= LATEST_MAX) return
    const [oldest] = this.#heads.keys()
    if (oldest !== undefined) this.#remove(oldest)
  }

  #remove(spaceId: string): void {
    const head = this.#heads.get(spaceId)
    if (head === undefined) return
    this.#heads.delete(spaceId)
    const spaces = (this.#spaces.get(head.key) ?? 1) - 1
    if (spaces > 0) this.#spaces.set(head.key, spaces)
    else {
      this.#spaces.delete(head.key)
      this.#onUnused(head.key)
    }
  }
}
