// Paths of the repository that both sides gave away: two people who each add a picture of one name. Both stay; one gets
// a path of its own, and the documents of its side that point to it are written anew, before anything is merged.

import type { Triple } from './merge-records.ts'
import { decodeDocument, encodeDocument } from './objects.ts'
import { type AnyRecord, type Hash, type Key, splitKey } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'

/** The document that stands in `fromFile`, with links to a path that moved leading to where it is; else as it is. */
export type Relink = (markdown: string, fromFile: string, moves: ReadonlyMap<string, string>) => string

type Triples = ReadonlyMap<Key, Triple>
type SideName = 'ours' | 'theirs'
/** What stands in a path: a page, a file, a reusable content. */
type Placed = { readonly file?: string; readonly document?: Hash | null; readonly oid?: string }
type Doubled = { readonly key: Key; readonly side: SideName; readonly from: string; readonly to: string }

/** The triples with every path given once, and the documents that are new for it. */
export async function partPaths(
  store: ObjectReads,
  triples: Triples,
  relink: Relink,
): Promise<{ triples: Triples; documents: StoredObject[] }> {
  const doubled = findDoubled(triples)
  const parted = new Map(triples)
  const documents: StoredObject[] = []
  for (const side of ['ours', 'theirs'] as const) {
    const moved = doubled.filter(move => move.side === side)
    if (moved.length === 0) continue
    const moves = new Map(moved.map(({ from, to }) => [from, to]))
    const places = new Map(moved.map(({ key, to }) => [key, to]))
    const texts = await readWritten(store, parted, side)
    for (const [key, triple] of parted) {
      const record = triple[side] as Placed | null
      if (record === null) continue
      const text = isWritten(triple, side) ? texts.get(record.document as Hash) : undefined
      const relinked = text === undefined ? undefined : relink(text, record.file ?? '', moves)
      const document = relinked === undefined || relinked === text ? undefined : encodeDocument(relinked)
      const file = places.get(key)
      if (document === undefined && file === undefined) continue
      if (document !== undefined) documents.push(document)
      const changed = placed(record, file, document?.hash)
      parted.set(key, { ...triple, [side]: changed as unknown as AnyRecord })
    }
  }
  return { triples: parted, documents }
}

/** The record at its new path and with its new text, as far as it has them; git has no name for that text yet. */
function placed(record: Placed, file = record.file, document?: Hash): Placed {
  if (document === undefined) return { ...record, file } as Placed
  const { oid: _, ...fields } = record
  return { ...fields, ...(file === undefined ? {} : { file }), document }
}

function isWritten({ base, ...sides }: Triple, side: SideName): boolean {
  const document = (sides[side] as Placed | null)?.document
  return document != null && document !== (base as Placed | null)?.document
}

/** The texts of the documents that a side wrote; bytes that are no text are left as they are. */
async function readWritten(store: ObjectReads, triples: Triples, side: SideName): Promise<Map<Hash, string>> {
  const written = [...triples.values()].filter(triple => isWritten(triple, side))
  const hashes = written.map(triple => (triple[side] as Placed).document as Hash)
  const bodies = await store.getMany([...new Set(hashes)])
  const texts = new Map<Hash, string>()
  for (const [hash, body] of bodies) {
    const text = decodeDocument(body)
    if (encodeDocument(text).hash === hash) texts.set(hash, text)
  }
  return texts
}

/** Of two that were newly put at one path, the one with the greater key: whichever side is ours. */
function findDoubled(triples: Triples): Doubled[] {
  const claims = { ours: new Map<string, Key>(), theirs: new Map<string, Key>() }
  for (const [key, triple] of triples) {
    for (const side of ['ours', 'theirs'] as const) {
      const file = (triple[side] as Placed | null)?.file
      if (typeof file === 'string' && file !== (triple.base as Placed | null)?.file)
        claims[side].set(file, key)
    }
  }
  const doubled: Doubled[] = []
  for (const [from, ours] of claims.ours) {
    const theirs = claims.theirs.get(from)
    if (theirs === undefined || theirs === ours) continue
    const [key, side] = ours > theirs ? [ours, 'ours' as const] : [theirs, 'theirs' as const]
    doubled.push({ key, side, from, to: besides(from, splitKey(key)[1]) })
  }
  return doubled.sort((a, b) => (a.from < b.from ? -1 : 1))
}

// Enough of an id that no other path ends alike.
const ID_DIGITS = 8

/** `img/a.png` beside another of that path is `img/a-<id>.png`. */
function besides(path: string, id: string): string {
  const slash = path.lastIndexOf('/')
  const dot = path.lastIndexOf('.')
  const end = dot > slash + 1 ? dot : path.length
  return `${path.slice(0, end)}-${id.slice(0, ID_DIGITS)}${path.slice(end)}`
}
