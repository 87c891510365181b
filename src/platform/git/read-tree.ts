// Lists the files of a commit, and streams single blobs, within bounds.
import { type Failure, invalid, tooLarge } from '../../base/errors.ts'
import { type ListOptions, readPath, type TreeEntry } from '../tree-source.ts'
import { GitExit, type ReadOptions, readGit } from './command.ts'
import { explain } from './object-reader.ts'

const KINDS = new Map<string, TreeEntry['kind']>([
  ['100644', 'file'],
  ['100664', 'file'],
  ['100755', 'executable'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
])
// Mode, type, id and size before the path.
const HEAD_BYTES_MAX = 128
// The longest path of a crafted tree before the listing is given up.
const ENTRY_BYTES_MAX = 64 * 1024

/** Every file of a commit (or below one of its folders), in git's order. */
export async function listTree(
  directory: string,
  oid: string,
  { entriesMax, subdirectory = '' }: ListOptions,
  options: ReadOptions,
): Promise<TreeEntry[]> {
  const folder = subdirectory.replace(/^\/+|(?<!\/)\/+$/g, '')
  if (folder !== '' && readPath(Buffer.from(folder)).oddity !== undefined) throw directoryMissing(folder)
  const args = ['ls-tree', '-r', '-t', '-z', '-l', '--full-tree', folder === '' ? oid : `${oid}:${folder}`]
  const entries: TreeEntry[] = []
  const seen = new Set<string>()
  const prefix = Buffer.from(folder === '' ? '' : `${folder}/`)
  try {
    let folders = 0
    for await (const line of splitAtNul(readGit({ args, directory, ...options }))) {
      if (isFolder(line)) {
        folders += 1
        if (folders > foldersMax(entriesMax)) throw tooManyFolders(foldersMax(entriesMax))
        continue
      }
      if (entries.length >= entriesMax) throw tooManyFiles(entriesMax)
      const entry = parseEntry(line, prefix)
      entries.push(seen.has(entry.path) ? { ...entry, oddity: entry.oddity ?? 'duplicate' } : entry)
      seen.add(entry.path)
    }
    return entries
  } catch (reason) {
    const isFolderMissing =
      reason instanceof GitExit && /Not a valid object name|not a tree object/i.test(reason.stderr)
    throw folder !== '' && isFolderMissing ? directoryMissing(folder) : await explain(directory, reason)
  }
}

// A mode has six digits.
const isFolder = (line: Buffer) => line.toString('latin1', 7, 12) === 'tree '

// Ten nested trees, each of which names the next ten times, are ten billion folders, perhaps without a file.
const foldersMax = (entriesMax: number) => Math.max(FOLDERS_MIN, 4 * entriesMax)
const FOLDERS_MIN = 1_000

function parseEntry(line: Buffer, prefix: Buffer): TreeEntry {
  const tab = line.indexOf(9)
  const head = line.toString('latin1', 0, Math.min(Math.max(tab, 0), HEAD_BYTES_MAX))
  const [, mode = '', oid, size] = /^(\d+) \w+ ([0-9a-f]{40}) +(\d+|-)$/.exec(head) ?? []
  if (oid === undefined) throw new GitExit(0, `ls-tree: ${head}`)
  const name = line.subarray(tab + 1)
  return {
    ...readPath(prefix.length === 0 ? name : Buffer.concat([prefix, name])),
    kind: KINDS.get(mode) ?? 'file',
    oid,
    size: size === '-' ? 0 : Number(size),
  }
}

async function* splitAtNul(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0, start)) {
      yield data.subarray(start, end)
      start = end + 1
    }
    rest = data.subarray(start)
    if (rest.length > ENTRY_BYTES_MAX) {
      throw tooLarge('path_too_long', `A file has a path of more than ${ENTRY_BYTES_MAX} bytes.`)
    }
  }
}

/** The bytes of one blob, in pieces. */
export async function* streamBlob(
  directory: string,
  oid: string,
  options: ReadOptions,
): AsyncGenerator<Uint8Array> {
  try {
    yield* readGit({ args: ['cat-file', 'blob', oid], directory, ...options })
  } catch (reason) {
    throw await explain(directory, reason)
  }
}

const tooManyFiles = (entriesMax: number): Failure =>
  tooLarge('too_many_files', `There are more than ${entriesMax} files, which is the most that are read.`)

const directoryMissing = (folder: string): Failure =>
  invalid(
    'directory_missing',
    `There is no folder ${JSON.stringify(folder.slice(0, 200))} in the repository.`,
  )

const tooManyFolders = (max: number): Failure =>
  tooLarge('too_many_files', `There are more than ${max} folders, which is the most that are read.`)
