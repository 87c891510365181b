// Reading files of the project from the source.
import { unavailable } from '../../../base/errors.ts'
import { gitBlobOid } from '../../../base/git-blob.ts'
import type { Hash } from '../../../engines/content/records.ts'
import type { TreeEntry } from '../../../platform/tree-source.ts'
import type { Inventory } from './inventory.ts'
import type { Source } from './source.ts'

export type ReadFile = { readonly path: string; readonly bytes: Buffer }

/**
 * The bytes of files by their paths from the project root, one after the other. Missing paths are skipped.
 *
 * @throws Failure unavailable `repository_unreadable` if a listed file cannot be read: a page that is empty because of
 * a broken disk must not replace the existing one.
 */
export async function* readFiles(
  source: Source,
  { byPath }: Inventory,
  paths: readonly string[],
  bytesMax: number,
): AsyncGenerator<ReadFile> {
  const wanted = new Map<TreeEntry, string>()
  for (const path of paths) {
    const entry = byPath.get(path)
    if (entry !== undefined && entry.size <= bytesMax) wanted.set(entry, path)
  }
  if (wanted.size === 0) return
  for await (const { entry, bytes } of source.read([...wanted.keys()], bytesMax)) {
    const path = wanted.get(entry)
    if (path === undefined) continue
    wanted.delete(entry)
    yield { path, bytes }
  }
  for (const path of wanted.values()) {
    throw unavailable('repository_unreadable', `The file ${path} could not be read. Import again.`)
  }
}

/** One file, or undefined if it does not exist. */
export async function readFile(
  source: Source,
  inventory: Inventory,
  path: string,
  bytesMax: number,
): Promise<Buffer | undefined> {
  for await (const { bytes } of readFiles(source, inventory, [path], bytesMax)) return bytes
  return undefined
}

/** The same for a file that may be stored already, under `kept`; equal bytes are taken from there. */
export async function readKeptFile(
  source: Source,
  inventory: Inventory,
  path: string,
  bytesMax: number,
  kept: Hash | null,
): Promise<Uint8Array | undefined> {
  const entry = inventory.byPath.get(path)
  if (entry !== undefined && kept !== null) {
    const bytes = (await source.readDocuments([kept])).get(kept)
    if (bytes?.length === entry.size && gitBlobOid(bytes) === entry.oid) return bytes
  }
  return readFile(source, inventory, path, bytesMax)
}

export const BOM = '\ufeff'

export const hasByteOrderMark = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 3)).toString() === BOM

/** UTF-8 bytes as text without BOM; undefined for other bytes. */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}
