// Repository paths that both sides assigned, as when two people each add a picture with the same name. Both stay; one
// gets a new path, and the documents of its side that link to it are rewritten before anything is merged.
import type { Triple } from './merge-records.ts'
import { decodeDocument, encodeDocument, namesOf } from './objects.ts'
import { type Hash, type Key, type Keys, type Kind, type Records, splitKey } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'

/**
 * Rewrites the links of the document in `fromFile` that lead to a moved path; all that depend on its folder if the
 * document itself moves `toFile`.
 */
export type Relink = (
  markdown: string,
  fromFile: string,
  moves: ReadonlyMap<string, string>,
  toFile?: string,
) => string

/** The records on which a side differs from the base, by kind and key. */
export type Triples = { readonly [N in Kind]: ReadonlyMap<Keys[N], Triple<Records[N]>> }

type SideName = 'ours' | 'theirs'
/** A record that may have a path: a page, a file, a reusable content. */
export type Placed = { readonly file?: string; readonly document?: Hash | null; readonly oid?: string }
type PlacedTriples<T extends Placed = Placed> = ReadonlyMap<Key, Triple<T>>
type Doubled = { readonly key: Key; readonly side: SideName; readonly from: string; readonly to: string }

/** Gives each path to one record. Returns the triples with the new paths, and the documents that were rewritten. */
export async function separatePaths(
  store: ObjectReads,
  triples: Triples,
  relink: Relink,
): Promise<{ triples: Triples; documents: StoredObject[] }> {
  const doubled = findDoubled(placedIn(triples))
  const documents: StoredObject[] = []
  let separated = triples
  for (const side of ['ours', 'theirs'] as const) {
    const moved = doubled.filter(move => move.side === side)
    if (moved.length === 0) continue
    const moves = new Map(moved.map(({ from, to }) => [from, to]))
    const paths = new Map(moved.map(({ key, to }) => [key, to]))
    const texts = await readWritten(store, placedIn(separated), side)
    const rewritten = (triple: Triple<Placed>, record: Placed): StoredObject | undefined => {
      const text = texts.get(writtenIn(triple, side) ?? '')
      const relinked = text === undefined ? undefined : relink(text, record.file ?? '', moves)
      return relinked === undefined || relinked === text ? undefined : encodeDocument(relinked)
    }
    const separate = <K extends Key, T extends Placed>(some: ReadonlyMap<K, Triple<T>>) =>
      new Map(
        [...some].map(([key, triple]): [K, Triple<T>] => {
          const record = triple[side]
          if (record === null) return [key, triple]
          const document = rewritten(triple, record)
          if (document !== undefined) documents.push(document)
          return [key, { ...triple, [side]: withPath(record, paths.get(key), document) }]
        }),
      )
    const { page, file, reusable } = separated
    separated = { ...separated, page: separate(page), file: separate(file), reusable: separate(reusable) }
  }
  return { triples: separated, documents }
}

export const placedIn = ({ file, page, reusable }: Triples): PlacedTriples =>
  new Map<Key, Triple<Placed>>([...file, ...page, ...reusable])

/** The record with a new path and a new text, if it has them. */
const withPath = <T extends Placed>(
  record: T,
  file: string | undefined,
  document: StoredObject | undefined,
): T => ({ ...withDocument(record, document), ...(file === undefined ? {} : { file }) })

export const withDocument = <T extends Placed>(record: T, document: StoredObject | undefined): T =>
  document === undefined ? record : { ...record, ...namesOf(document) }

/** The document of a record if the side wrote it. */
function writtenIn(triple: Triple<Placed>, side: SideName): Hash | undefined {
  const document = triple[side]?.document
  return document != null && document !== triple.base?.document ? document : undefined
}

/** The documents that a side wrote. */
const readWritten = (
  store: ObjectReads,
  triples: PlacedTriples,
  side: SideName,
): Promise<Map<Hash, string>> =>
  readTexts(
    store,
    [...triples.values()].flatMap(triple => writtenIn(triple, side) ?? []),
  )

/** Documents that are not valid text are left out. */
export async function readTexts(store: ObjectReads, hashes: readonly Hash[]): Promise<Map<Hash, string>> {
  const bodies = await store.getMany([...new Set(hashes)])
  const texts = new Map<Hash, string>()
  for (const [hash, body] of bodies) {
    const text = decodeDocument(body)
    if (encodeDocument(text).hash === hash) texts.set(hash, text)
  }
  return texts
}

/** Of two records newly put at one path, the one with the greater key, so that swapping the sides changes nothing. */
function findDoubled(triples: PlacedTriples): Doubled[] {
  const claims = { ours: new Map<string, Key>(), theirs: new Map<string, Key>() }
  for (const [key, triple] of triples) {
    for (const side of ['ours', 'theirs'] as const) {
      const file = triple[side]?.file
      if (file !== undefined && file !== triple.base?.file) claims[side].set(file, key)
    }
  }
  const doubled: Doubled[] = []
  for (const [from, ours] of claims.ours) {
    const theirs = claims.theirs.get(from)
    if (theirs === undefined || theirs === ours) continue
    const [key, side] = ours > theirs ? [ours, 'ours' as const] : [theirs, 'theirs' as const]
    doubled.push({ key, side, from, to: withSuffix(from, splitKey(key)[1]) })
  }
  return doubled.sort((a, b) => (a.from < b.from ? -1 : 1))
}

// Enough of an id to make the path unique.
const ID_DIGITS = 8

/** `img/a.png` becomes `img/a-<id>.png`. */
function withSuffix(path: string, id: string): string {
  const slash = path.lastIndexOf('/')
  const dot = path.lastIndexOf('.')
  const end = dot > slash + 1 ? dot : path.length
  return `${path.slice(0, end)}-${id.slice(0, ID_DIGITS)}${path.slice(end)}`
}
