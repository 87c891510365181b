// The pages, files and reusable contents of a revision by their path in its repository. The map of one revision is
// cached, and others as differences from it: the cost depends on the changes since the last requested revision, not on
// the size.
import { LRUCache } from 'lru-cache'
import {
  type EntryChange,
  type Hash,
  isChangeOf,
  isEntryOf,
  PLACED_KINDS,
  type PlacedKey,
  type PlacedKind,
  type RecordOf,
  splitKey,
} from '../../../engines/content/records.ts'
import type { ObjectReads } from '../../../engines/content/store.ts'
import { diffEntries, readAll } from '../../../engines/content/trie.ts'
import type { RecordRef } from '../request/prepare.ts'

type CachedPaths = { readonly root: Hash; readonly byFile: ReadonlyMap<string, RecordRef> }

// Paths in all cached maps; one takes about 200 bytes.
const PATHS_MAX = 500_000
// Beyond this a separate map is cheaper than computing the difference each time.
export const DIFFERENCES_MAX = 500

// By owner, not by root: any near revision will do, and a newer one replaces it.
const kept = new LRUCache<string, CachedPaths>({
  maxSize: PATHS_MAX,
  sizeCalculation: ({ byFile }) => byFile.size + 1,
})

/** A revision whose places are the map of `of` with these differences. */
type Near = { readonly of: Hash; readonly root: Hash; readonly differences: Differences }

/** By path; null if it became free. */
type Differences = ReadonlyMap<string, RecordRef | null>

// The last revision of each owner: a tenth of the memory of the maps.
const lasts = new LRUCache<string, Near>({
  maxSize: PATHS_MAX / 10,
  sizeCalculation: ({ differences }) => differences.size + 1,
})

/**
 * The places of the revision `root`, the head of a space or of one of its change requests. A change request usually
 * derives from the map of its space; a distant one gets its own.
 */
export async function placesAt(
  store: ObjectReads,
  owner: { readonly spaceId: string; readonly id: string },
  root: Hash,
): Promise<Places> {
  for (const id of new Set([owner.id, owner.spaceId])) {
    const map = kept.get(id)
    if (map === undefined) continue
    const near = lastOf(owner.id, map) ?? lastOf(id, map)
    const changes = await diffEntries(store, near?.root ?? map.root, root)
    if (changes.length > DIFFERENCES_MAX) continue
    const places = new Places(map.byFile, near?.differences)
    const placed = changes.filter(isChangeOf('page', 'file', 'reusable')).filter(isPlaceChange)
    for (const { key, before } of placed) places.leave(key, before)
    for (const { key, after } of placed) places.enter(key, after)
    if (places.differences.size > DIFFERENCES_MAX) continue
    lasts.set(owner.id, { of: map.root, root, differences: new Map(places.differences) })
    return places
  }
  const byFile = new Map<string, RecordRef>()
  for (const entry of await readAll(store, root)) {
    if (!isEntryOf('page', entry) && !isEntryOf('file', entry) && !isEntryOf('reusable', entry)) continue
    const found = placeOf(entry[0], entry[1])
    if (found !== undefined) byFile.set(found.file, found.made)
  }
  kept.set(kept.has(owner.spaceId) ? owner.id : owner.spaceId, { root, byFile })
  return new Places(byFile)
}

function lastOf(owner: string, map: CachedPaths): Near | undefined {
  const last = lasts.get(owner)
  return last?.of === map.root ? last : undefined
}

const isPlaceChange = ({ before, after }: EntryChange<PlacedKind>) => before?.file !== after?.file

export class Places {
  readonly #below: ReadonlyMap<string, RecordRef>
  readonly #own: Map<string, RecordRef | null>
  readonly #next = new Map<string, number>()

  constructor(below: ReadonlyMap<string, RecordRef>, differences: Differences = new Map()) {
    this.#below = below
    this.#own = new Map(differences)
  }

  /** From the map below. */
  get differences(): Differences {
    return this.#own
  }

  find(file: string): RecordRef | undefined {
    const own = this.#own.get(file)
    return own === undefined ? this.#below.get(file) : (own ?? undefined)
  }

  /** A copy that changes independently. */
  fork(): Places {
    return new Places(this.#below, this.#own)
  }

  enter(key: PlacedKey, record: RecordOf<PlacedKey> | null): void {
    const found = placeOf(key, record)
    if (found !== undefined) this.#own.set(found.file, found.made)
  }

  /** Frees the path of a record, unless something else has it. */
  leave(key: PlacedKey, record: RecordOf<PlacedKey> | null): void {
    const found = placeOf(key, record)
    if (found !== undefined && this.find(found.file)?.id === found.made.id) this.#own.set(found.file, null)
  }

  /** `wanted`, or if taken, with -1, -2 and so on before its extension. */
  free(wanted: string): string {
    if (this.find(wanted) === undefined) return wanted
    const name = wanted.slice(wanted.lastIndexOf('/') + 1)
    const dot = name.lastIndexOf('.')
    const ending = dot <= 0 ? '' : name.slice(dot)
    const stem = wanted.slice(0, wanted.length - ending.length)
    for (let number = this.#next.get(wanted) ?? 1; ; number += 1) {
      const file = `${stem}-${number}${ending}`
      if (this.find(file) !== undefined) continue
      this.#next.set(wanted, number)
      return file
    }
  }
}

function placeOf(
  key: PlacedKey,
  record: RecordOf<PlacedKey> | null,
): { file: string; made: RecordRef } | undefined {
  const [prefix, id] = splitKey(key)
  if (record?.file === undefined) return undefined
  return { file: record.file, made: { kind: PLACED_KINDS[prefix], id } }
}
