// The vectors of the sections of spaces, cached in memory by root hash; what a later head of the space shares is
// copied. Embeddings are made after publishing, so missing ones are looked up again.
import { LRUCache } from 'lru-cache'
import { now } from '../../base/clock.ts'
import { addUnder } from '../../base/lists.ts'
import { pause } from '../../base/slices.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { SearchedHead, Services, SpaceVectors } from '../../http/context.ts'
import type { Log } from '../../platform/log.ts'
import { readVectors, type SectionVector } from './rows.ts'

type Entry = SpaceVectors & {
  readonly root: Hash
  readonly documents: ReadonlyMap<Hash, Rows>
  readonly isWhole: boolean
  readonly readAt: number
  /** Before missing vectors are looked up again; doubled each time that there are none. */
  readonly restMs: number
}

/** The rows of a document. */
type Rows = { readonly from: number; readonly to: number; readonly isWhole: boolean }

const DOCUMENTS_AT_ONCE = 100
// Read while a request waits: up to this many spaces and pages in total, and spaces with a cached earlier head.
const AWAITED_SPACES_MAX = 20
const AWAITED_PAGES_MAX = 300
// Share of the memory: reading ahead beyond it would evict what is used.
const PREPARED_SHARE_MAX = 0.8
const REST_MS_MIN = 5_000
const REST_MS_MAX = 10 * 60_000
// An entry of a space without vectors.
const ENTRY_BYTES_MIN = 1_000
const LATEST_MAX = 20_000
// Time before heads whose vectors do not fit are tried again.
const TOO_LARGE_MS = 10 * 60_000
const TOO_LARGE_MAX = 1_000

export type SectionVectors = {
  /**
   * For each head: what is cached, or can be read quickly. Others are undefined and read in the background, one after
   * the other, as long as there is room; so are missing vectors of cached heads.
   */
  get(heads: readonly SearchedHead[]): Promise<readonly (SpaceVectors | undefined)[]>
  end(): Promise<void>
}

export function createSectionVectors(
  services: Pick<Services, 'db' | 'contents'> & { readonly log: Log },
  model: string,
  bytesMax: number,
): SectionVectors {
  const entries = new LRUCache<Hash, Entry>({
    maxSize: bytesMax,
    sizeCalculation: ({ buffer, sections }) => ENTRY_BYTES_MIN + buffer.byteLength + 100 * sections.length,
  })
  const latest = new LRUCache<string, Hash>({ max: LATEST_MAX })
  const tooLarge = new LRUCache<Hash, true>({ max: TOO_LARGE_MAX, ttl: TOO_LARGE_MS })
  const running = new Map<Hash, Promise<SpaceVectors | undefined>>()
  const prepared = new Map<string, SearchedHead>()
  let preparing: Promise<void> | undefined
  let isEnding = false

  const beforeOf = ({ id, root }: SearchedHead): Entry | undefined =>
    entries.get(root) ?? entries.get(latest.get(id) ?? '')

  const read = async (head: SearchedHead): Promise<SpaceVectors | undefined> => {
    try {
      const made = await readSpace(services, model, head.root, beforeOf(head), bytesMax)
      if (made === undefined) {
        tooLarge.set(head.root, true)
        return undefined
      }
      entries.set(head.root, made)
      latest.set(head.id, head.root)
      return made
    } catch (error) {
      services.log.warn({ err: error, space: head.id }, 'the embeddings of a space could not be read')
      return undefined
    }
  }

  const readOnce = (head: SearchedHead): Promise<SpaceVectors | undefined> => {
    const reading = running.get(head.root) ?? read(head).finally(() => running.delete(head.root))
    running.set(head.root, reading)
    return reading
  }

  const prepareAll = async () => {
    for (const [id, head] of prepared) {
      prepared.delete(id)
      const isKnown = beforeOf(head) !== undefined
      if (isEnding || (!isKnown && entries.calculatedSize > bytesMax * PREPARED_SHARE_MAX)) continue
      await readOnce(head)
    }
    preparing = undefined
  }

  const prepare = (heads: readonly SearchedHead[]) => {
    for (const head of heads) prepared.set(head.id, head)
    if (prepared.size > 0) preparing ??= prepareAll()
  }

  const worthAwaiting = async (heads: readonly SearchedHead[]): Promise<readonly SearchedHead[]> => {
    const alike = heads.filter(head => beforeOf(head) !== undefined).slice(0, AWAITED_SPACES_MAX)
    const others = heads.filter(head => !alike.includes(head))
    if (others.length > AWAITED_SPACES_MAX) return alike
    const contents = await Promise.all(others.map(({ root }) => services.contents.get(root)))
    const pages = contents.reduce((sum, content) => sum + content.pages.size, 0)
    return pages <= AWAITED_PAGES_MAX ? [...alike, ...others] : alike
  }

  return {
    async get(heads) {
      const found = new Map<SearchedHead, SpaceVectors | undefined>()
      const stale: SearchedHead[] = []
      for (const head of heads) {
        const known = entries.get(head.root)
        if (known === undefined) continue
        found.set(head, known)
        latest.set(head.id, head.root)
        if (!known.isWhole && now().getTime() - known.readAt >= known.restMs) stale.push(head)
      }
      const absent = heads.filter(head => !found.has(head) && !tooLarge.has(head.root))
      const awaited = absent.length === 0 ? [] : await worthAwaiting(absent)
      const isAwaited = new Set(awaited)
      prepare([...stale, ...absent.filter(head => !isAwaited.has(head))])
      await Promise.all(awaited.map(async head => found.set(head, await readOnce(head))))
      return heads.map(head => found.get(head))
    },
    async end() {
      isEnding = true
      await Promise.all([preparing, ...running.values()])
      isEnding = false
    },
  }
}

/** Undefined if they take more than `bytesMax`. */
async function readSpace(
  { db, contents }: Pick<Services, 'db' | 'contents'>,
  model: string,
  root: Hash,
  before: Entry | undefined,
  bytesMax: number,
): Promise<Entry | undefined> {
  const { pages } = await contents.get(root)
  const pagesOf = new Map<Hash, string[]>()
  for (const [id, { type, noIndex, document }] of pages) {
    if (type !== 'document' || noIndex === true || document === null) continue
    addUnder(pagesOf, document, id)
  }
  const kept = new Map<Hash, Rows>()
  for (const document of pagesOf.keys()) {
    const rows = before?.documents.get(document)
    if (rows?.isWhole) kept.set(document, rows)
  }
  const read: SectionVector[] = []
  const asked = [...pagesOf.keys()].filter(document => !kept.has(document))
  let bytes = 0
  for (let at = 0; at < asked.length; at += DOCUMENTS_AT_ONCE) {
    for (const row of await readVectors(db, model, asked.slice(at, at + DOCUMENTS_AT_ONCE))) {
      bytes += row.vector?.byteLength ?? 0
      read.push(row)
    }
    if (bytes > bytesMax) return undefined
    await pause()
  }
  const dimensions = read.find(({ vector }) => vector !== null)?.vector?.byteLength ?? before?.dimensions ?? 0
  const keptRows = [...kept.values()].reduce((sum, { from, to }) => sum + to - from, 0)
  const fitting = read.filter(({ vector }) => vector !== null && vector.byteLength === dimensions)
  const size = dimensions * (fitting.length + (before?.dimensions === dimensions ? keptRows : 0))
  if (size > bytesMax) return undefined
  const buffer = new SharedArrayBuffer(size)
  const matrix = new Int8Array(buffer)
  const sections: SpaceVectors['sections'][number][] = []
  const documents = new Map<Hash, Rows>()
  const add = (document: Hash, ordinal: number, vector: Int8Array | Buffer) => {
    matrix.set(vector, sections.length * dimensions)
    sections.push({ pageIds: pagesOf.get(document) ?? [], document, ordinal })
  }
  if (before?.dimensions === dimensions) {
    const old = new Int8Array(before.buffer)
    for (const [document, rows] of kept) {
      const from = sections.length
      for (let row = rows.from; row < rows.to; row++)
        add(
          document,
          before.sections[row]?.ordinal ?? 0,
          old.subarray(row * dimensions, (row + 1) * dimensions),
        )
      documents.set(document, { from, to: sections.length, isWhole: true })
    }
  }
  for (const [document, rows] of Map.groupBy(read, row => row.document)) {
    const from = sections.length
    for (const { ordinal, vector } of rows)
      if (vector !== null && vector.byteLength === dimensions) add(document, ordinal, vector)
    documents.set(document, { from, to: sections.length, isWhole: sections.length - from === rows.length })
  }
  const isWhole = [...documents.values()].every(rows => rows.isWhole)
  const isSame = before?.root === root && before.sections.length === sections.length
  const restMs = isSame ? Math.min(REST_MS_MAX, 2 * before.restMs) : REST_MS_MIN
  return { root, sections, buffer, dimensions, documents, isWhole, readAt: now().getTime(), restMs }
}
