// A cache of indexes, bounded in bytes: the least recently used goes first. Successive indexes of a space share most of
// their segments, so a segment is counted once, however many indexes it is part of, including everything cached with
// it.

import type { SearchIndex } from '../../engines/search/search-index.ts'
import type { Segment } from '../../engines/search/segment.ts'
import { termCacheBytes } from '../../engines/search/term-cache.ts'

// Per entry, and per page left out of a segment, besides the segments.
const ENTRY_BYTES = 1024
const GONE_BYTES = 16

export class IndexMemory {
  readonly #bytesMax: number
  /** Least recently used first. */
  readonly #entries = new Map<string, SearchIndex>()
  readonly #users = new Map<SharedArrayBuffer, number>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#entries.size
  }

  /** Whether an index can be kept at all. */
  holds(index: SearchIndex): boolean {
    return index.parts.reduce((sum, { segment }) => sum + bytesOf(segment), ownBytes(index)) <= this.#bytesMax
  }

  /** How much can be kept without evicting anything. */
  get room(): number {
    return this.#bytesMax - this.#bytes
  }

  get(key: string): SearchIndex | undefined {
    const index = this.#entries.get(key)
    if (index === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, index)
    return index
  }

  set(key: string, index: SearchIndex): void {
    this.delete(key)
    this.#entries.set(key, index)
    this.#bytes += ownBytes(index)
    for (const { segment } of index.parts) {
      const users = this.#users.get(segment.buffer) ?? 0
      if (users === 0) this.#bytes += bytesOf(segment)
      this.#users.set(segment.buffer, users + 1)
    }
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const index = this.#entries.get(key)
    if (index === undefined) return
    this.#entries.delete(key)
    this.#bytes -= ownBytes(index)
    for (const { segment } of index.parts) {
      const users = (this.#users.get(segment.buffer) ?? 1) - 1
      if (users > 0) this.#users.set(segment.buffer, users)
      else {
        this.#users.delete(segment.buffer)
        this.#bytes -= bytesOf(segment)
      }
    }
  }
}

const bytesOf = (segment: Segment): number => segment.bytes + termCacheBytes(segment)

const ownBytes = ({ parts }: SearchIndex): number =>
  parts.reduce((sum, { gone }) => sum + gone.size * GONE_BYTES, ENTRY_BYTES)
