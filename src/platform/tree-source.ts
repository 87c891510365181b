// A tree of files to import from, wherever it is: a commit of a repository (git/), a folder on this machine or an
// archive (trees/). All have paths from the top, git's ids, git's order, and the same bounds.
import { isUtf8 } from 'node:buffer'

export type TreeEntry = {
  /** From the top, with forward slashes. In a name that is not UTF-8, U+FFFD replaces unreadable bytes. */
  readonly path: string
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule'
  /** The git id of the blob (of the commit, for a submodule): equal bytes have equal ids. */
  readonly oid: string
  /** Bytes; 0 for a submodule. For a symlink, those of its target path. */
  readonly size: number
  /** Why the path must not be used as a name: see `oddityOf`. */
  readonly oddity?: PathOddity
}

export type PathOddity =
  | 'not_utf8' // the bytes are no text
  | 'unsafe' // empty, `.`, `..` or `.git` as a part, absolute, or with a control character or backslash
  | 'too_long' // more than PATH_BYTES_MAX
  | 'duplicate' // the same path occurs earlier in the tree

export type ListOptions = {
  /** More entries end the listing with a Failure `too_many_files`. */
  readonly entriesMax: number
  /** Only entries below this folder; paths still start at the top. '' is everything. */
  readonly subdirectory?: string
  readonly signal?: AbortSignal
}

export type ReadOptions = { readonly bytesMax: number; readonly signal?: AbortSignal }

export type TreeFile = { readonly entry: TreeEntry; readonly bytes: Buffer }

export interface TreeSource {
  /**
   * Every entry, in git's order (by the bytes of the path).
   * @throws Failure too_large `too_many_files`; invalid `directory_missing`.
   */
  list(options: ListOptions): Promise<TreeEntry[]>
  /**
   * The bytes of entries of `list`, in the requested order, read as they are consumed. Files larger than `bytesMax`
   * are left out, as are files of a folder that changed since they were listed.
   */
  read(entries: Iterable<TreeEntry>, options: ReadOptions): AsyncIterable<TreeFile>
  /** The bytes of one entry in pieces, for files too large to hold. */
  stream(entry: TreeEntry, options?: { signal?: AbortSignal }): AsyncIterable<Uint8Array>
}

export const PATH_BYTES_MAX = 4096

/** A path as git or the file system spells it, and what is odd about it. */
export function readPath(bytes: Buffer): { path: string; oddity?: PathOddity } {
  const path = bytes.toString('utf8')
  const oddity = oddityOf(bytes, path)
  return oddity === undefined ? { path } : { path: path.slice(0, PATH_BYTES_MAX), oddity }
}

// git refuses most of these, but a tree can be crafted.
function oddityOf(bytes: Buffer, path: string): PathOddity | undefined {
  if (!isUtf8(bytes)) return 'not_utf8'
  if (bytes.length > PATH_BYTES_MAX) return 'too_long'
  return UNSAFE.test(path) ? 'unsafe' : undefined
}

const UNSAFE = /[\u0000-\u001f\u007f\\]|(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i
