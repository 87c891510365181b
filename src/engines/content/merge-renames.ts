// What has another path after the merge: what both sides gave one, and files that one side did. Links of all three
// versions lead to the path of the outcome before anything is merged: otherwise each text that refers to it would be a
// conflict too, and links of the other side would lead nowhere.
import type { Settlement } from './merge-conflicts.ts'
import { isSide } from './merge-conflicts.ts'
import { type Placed, placedIn, type Relink, readTexts, type Triples, withDocument } from './merge-paths.ts'
import { findRename, isDisputed, isTwoSided, type Triple } from './merge-records.ts'
import { encodeDocument } from './objects.ts'
import type { FileKey, Key } from './records.ts'
import type { ObjectReads, StoredObject } from './store.ts'
import { mapVersions, type Versions } from './versions.ts'

type Moves = Versions<Map<string, string>>

/** Returns the triples with the texts that refer to renamed things, and those texts. */
export async function followRenames(
  store: ObjectReads,
  triples: Triples,
  relink: Relink,
  settlement: Settlement,
): Promise<{ triples: Triples; documents: readonly StoredObject[] }> {
  const moves = findMoves(triples, settlement)
  if (Object.values(moves).every(({ size }) => size === 0)) return { triples, documents: [] }
  const written = [...triples.page.values(), ...triples.reusable.values()].filter(isWritten)
  const hashes = written.flatMap(({ base, ours, theirs }) =>
    [base, ours, theirs].flatMap(version => version?.document ?? []),
  )
  const texts = await readTexts(store, hashes)
  const documents: StoredObject[] = []
  const rewritten = (record: Placed, moved: ReadonlyMap<string, string>): StoredObject | undefined => {
    const [text, { file = '' }] = [texts.get(record.document ?? ''), record]
    if (text === undefined) return undefined
    const relinked = relink(text, file, moved, moved.get(file))
    if (relinked === text) return undefined
    const document = encodeDocument(relinked)
    documents.push(document)
    return document
  }
  const follow = <K extends Key, T extends Placed>(some: ReadonlyMap<K, Triple<T>>) =>
    new Map(
      [...some].map(([key, triple]): [K, Triple<T>] => {
        if (!isWritten(triple)) return [key, triple]
        const { base } = triple
        const inBase = base === null ? undefined : rewritten(base, moves.base)
        const side = (name: 'ours' | 'theirs'): T | null => {
          const record = triple[name]
          if (record === null) return null
          const isKept = base !== null && record.document === base.document
          return withDocument(record, isKept ? inBase : rewritten(record, moves[name]))
        }
        return [key, { base: base && withDocument(base, inBase), ours: side('ours'), theirs: side('theirs') }]
      }),
    )
  return {
    triples: { ...triples, page: follow(triples.page), reusable: follow(triples.reusable) },
    documents,
  }
}

/** Whether a side wrote the document; others refer to what they referred to before. */
const isWritten = ({ base, ...sides }: Triple<Placed>): boolean =>
  Object.values(sides).some(side => side?.document != null && side.document !== base?.document)

/** From the path that something has in a version to that of the outcome, which is ours until it is settled. */
function findMoves(triples: Triples, settlement: Settlement): Moves {
  const moves: Moves = { base: new Map(), ours: new Map(), theirs: new Map() }
  for (const [key, triple] of placedIn(triples)) {
    if (!isTwoSided(triple)) continue
    const files = mapVersions<Placed | null, string | undefined>(triple, record => record?.file)
    const rename = isDisputed(files) ? findRename(key, triple) : undefined
    // A page that one side moved is in a folder of its own texts: a repository that moves it writes its links, too.
    if (rename === undefined && !triples.file.has(key as FileKey)) continue
    const take = rename && settlement.take(rename)
    const to =
      rename === undefined
        ? movedTo(files)
        : ((take !== undefined && isSide(take) ? files[take] : undefined) ?? files.ours)
    for (const version of ['base', 'ours', 'theirs'] as const) {
      const from = files[version]
      if (from !== undefined && to !== undefined && from !== to) moves[version].set(from, to)
    }
  }
  return moves
}

const movedTo = ({ base, ours, theirs }: Versions<string | undefined>): string | undefined =>
  ours === base ? theirs : ours
