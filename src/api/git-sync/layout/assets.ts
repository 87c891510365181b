// The files of a space: which are new, which are known, and how documents find them.

import { nameOf } from '../../../base/paths.ts'
import { type FileRecord, fileKey, type Key } from '../../../engines/content/records.ts'
import type { TreeEntry } from '../../../platform/tree-source.ts'
import type { Inventory } from './inventory.ts'
import { modeOfEntry } from './modes.ts'
import type { Problems } from './problems.ts'
import type { Source } from './source.ts'

export interface Assets {
  readonly records: ReadonlyMap<Key, FileRecord>
  readonly idByPath: ReadonlyMap<string, string>
}

/**
 * A file keeps its id by its path, else by its git blob id. A file whose blob id is known is not read again; any other
 * is put into the blob store.
 *
 * @param bytesMax larger files are left out
 * @param onDispatch called with the number of files to keep, and `onKept` after each
 */
export async function planAssets(
  source: Source,
  inventory: Inventory,
  previous: ReadonlyMap<string, FileRecord>,
  options: {
    newId: () => string
    /** Files of the head: a path added on both sides is one file. */
    here: ReadonlyMap<string, FileRecord> | undefined
    bytesMax: number
    /** When the commit was made: the `updatedAt` of files that it changes. ISO 8601. */
    committedAt: string
    onDispatch: (count: number) => void
    onKept: () => void
    problems: Problems
  },
): Promise<Assets> {
  const { problems } = options
  const paths = inventory.files.filter(path => {
    const isSmall = (inventory.byPath.get(path)?.size ?? 0) <= options.bytesMax
    if (!isSmall)
      problems.add({
        code: 'file_too_large',
        message: `A file holds at most ${options.bytesMax} bytes; this one was left out.`,
        values: { max: options.bytesMax },
        file: path,
      })
    return isSmall
  })
  const { ids, known } = recogniseFiles(paths, inventory, previous)
  const idHere = new Map(
    [...(options.here ?? [])].flatMap(([id, { file }]) => (previous.has(id) ? [] : [[file, id] as const])),
  )
  const changed = { updatedAt: options.committedAt }
  const records = new Map<Key, FileRecord>()
  const idByPath = new Map<string, string>()
  const unknown = new Map<TreeEntry, string>()
  const settle = (path: string, { isExecutable: _, ...record }: FileRecord) => {
    const id = ids.get(path) ?? idHere.get(path) ?? options.newId()
    idByPath.set(path, id)
    records.set(fileKey(id), { ...record, ...modeOfEntry(inventory.byPath.get(path)) })
  }
  for (const path of paths) {
    // The paths are of this inventory.
    const entry = inventory.byPath.get(path) as TreeEntry
    const before = known.get(path)
    if (before === undefined) unknown.set(entry, path)
    else
      settle(path, before.file === path ? before : { ...before, ...changed, file: path, name: nameOf(path) })
  }
  options.onDispatch(unknown.size)
  if (unknown.size > 0) {
    for await (const { entry, kept } of source.keep([...unknown.keys()])) {
      const path = unknown.get(entry)
      if (path === undefined) continue
      unknown.delete(entry)
      const dated = ids.has(path) ? changed : {}
      settle(path, { name: nameOf(path), ...kept, file: path, oid: entry.oid, ...dated })
      options.onKept()
    }
  }
  const message = 'This file could not be kept and was left out.'
  for (const file of unknown.values()) problems.add({ code: 'file_unreadable', message, file })
  return { records, idByPath }
}

/** Ids by path, and the records whose bytes are the same as before. */
function recogniseFiles(
  paths: readonly string[],
  inventory: Inventory,
  previous: ReadonlyMap<string, FileRecord>,
): { ids: Map<string, string>; known: Map<string, FileRecord> } {
  const idByFile = new Map<string, string>()
  for (const [id, record] of previous) idByFile.set(record.file, id)
  const ids = new Map<string, string>()
  for (const path of paths) {
    const id = idByFile.get(path)
    if (id !== undefined) ids.set(path, id)
  }
  const stays = new Set(ids.values())
  // By blob id: a record of these bytes, and the ids that have lost their path.
  const byOid = new Map<string, { record: FileRecord; free: string[] }>()
  for (const [id, record] of previous) {
    if (record.oid === undefined) continue
    const entry = byOid.get(record.oid) ?? { record, free: [] }
    if (!stays.has(id)) entry.free.push(id)
    byOid.set(record.oid, entry)
  }
  for (const entry of byOid.values()) entry.free.sort().reverse()
  const known = new Map<string, FileRecord>()
  for (const path of paths) {
    const oid = inventory.byPath.get(path)?.oid ?? ''
    const own = ids.get(path)
    const before = own === undefined ? undefined : previous.get(own)
    const same = byOid.get(oid)
    if (before?.oid === oid) known.set(path, before)
    // The type depends on the name too, so bytes with another extension are read again.
    else if (same !== undefined && endingOf(same.record.file) === endingOf(path)) known.set(path, same.record)
    if (own === undefined) {
      const free = same?.free.pop()
      if (free !== undefined) ids.set(path, free)
    }
  }
  return { ids, known }
}

const endingOf = (path: string): string => {
  const name = nameOf(path)
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase()
}
