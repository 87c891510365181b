// The source of an import: a commit of a repository or a local folder, and the stores that have some of it already. The
// layout reads from nothing else.
import type { Compute } from '../../../compute/compute.ts'
import type { Hash } from '../../../engines/content/records.ts'
import type { TreeEntry, TreeFile } from '../../../platform/tree-source.ts'

/** What is known about a file once its bytes are in the blob store. */
export type KeptFile = {
  readonly blob: Hash
  readonly size: number
  readonly contentType: string
  readonly dimensions?: { readonly width: number; readonly height: number }
}

export interface Source {
  /** Runs tasks on what was read, on behalf of the space. */
  readonly compute: Pick<Compute, 'run'>
  readonly spaceId: string
  /** Everything below the project directory, with paths from the top of the repository. */
  readonly entries: readonly TreeEntry[]
  /** The bytes of entries, in the order asked for, without those larger than `bytesMax`. */
  read(entries: readonly TreeEntry[], bytesMax: number): AsyncIterable<TreeFile>
  /** Puts the bytes of entries into the blob store, in any order; skips those that cannot be stored. */
  keep(entries: readonly TreeEntry[]): AsyncIterable<{ readonly entry: TreeEntry; readonly kept: KeptFile }>
  /** Documents stored already, to recognise those that were moved and edited at once. */
  readDocuments(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>>
}
