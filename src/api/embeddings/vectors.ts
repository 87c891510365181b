// The vectors of the sections of spaces, in memory. They are kept by the root hash they were read for; what a later head
// of the space has in common with it is copied. Embeddings are made after publishing, so what was missing is looked for
// again.
import { LRUCache } from 'lru-cache'
import { now } from '../../base/clock.ts'
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
}

/** Which rows are of a document. */
type Rows = { readonly from: number; readonly to: number; readonly isWhole: boolean }

const DOCUMENTS_AT_ONCE = 100
// Spaces of so many pages are read while somebody waits.
const AWAITED_PAGES_MAX = 300
const MISSING_LOOKED_FOR_AFTER_MS = 5_000
// An entry of a space without vectors.
const ENTRY_BYTES_MIN = 1_000
const LATEST_MAX = 20_000

export type SectionVectors = {
  /** Undefined where they are not read yet, or are too many. */
  get(head: SearchedHead): Promise<SpaceVectors | undefined>
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
  const underWay = new Map<Hash, Promise<SpaceVectors | undefined>>()

  const read = async ({ id, root }: SearchedHead): Promise<SpaceVectors | undefined> => {
    try {
      const before = entries.get(root) ?? entries.get(latest.get(id) ?? '')
      const made = await readSpace(services, model, root, before, bytesMax)
      if (made === undefined) return undefined
      entries.set(root, made)
      latest.set(id, root)
      return made
    } catch (error) {
      services.log.warn({ err: error, space: id }, 'the embeddings of a space could not be read')
      return undefined
    }
  }

  return {
    async get(head) {
      const known = entries.get(head.root)
      if (known?.isWhole || (known && now().getTime() - known.readAt < MISSING_LOOKED_FOR_AFTER_MS))
        return known
      const reading = underWay.get(head.root) ?? read(head).finally(() => underWay.delete(head.root))
      underWay.set(head.root, reading)
      if (known !== undefined) return known
      const { pages } = await services.contents.get(head.root)
      return pages.size <= AWAITED_PAGES_MAX ? reading : undefined
    },
    end: async () => {
      await Promise.all(underWay.values())
    },
  }
}

/** Undefined where they would take more than `bytesMax`. */
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
    const ids = pagesOf.get(document)
    if (ids === undefined) pagesOf.set(document, [id])
    else ids.push(id)
  }
  const kept = [...pagesOf.keys()].filter(document => before?.documents.get(document)?.isWhole)
  const isKept = new Set(kept)
  const read: SectionVector[] = []
  const asked = [...pagesOf.keys()].filter(document => !isKept.has(document))
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
  const keptRows = kept.reduce((sum, document) => sum + rowsIn(before?.documents.get(document)), 0)
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
    for (const document of kept) {
      const from = sections.length
      const rows = before.documents.get(document) as Rows
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
  return { root, sections, buffer, dimensions, documents, isWhole, readAt: now().getTime() }
}

const rowsIn = (rows: Rows | undefined): number => (rows === undefined ? 0 : rows.to - rows.from)
