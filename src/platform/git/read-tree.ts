// Lists a commit and reads its blobs. Both stream, so a hostile repository is cut off where a bound says so.
import { type Failure, invalid, tooLarge, unavailable } from '../../base/errors.ts'
import { type ListOptions, readPath, type TreeEntry } from '../tree-source.ts'
import { distrustCache } from './cache.ts'
import { GitExit, readGit } from './command.ts'

export type ReadOptions = {
  readonly searchPath: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

const KINDS = new Map<string, TreeEntry['kind']>([
  ['100644', 'file'],
  ['100664', 'file'],
  ['100755', 'executable'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
])
// Mode, type, id and size before the path.
const HEAD_BYTES_MAX = 128
// What a crafted tree may name a path at most before the listing is given up.
const ENTRY_BYTES_MAX = 64 * 1024

/** Every file below a commit (or below one of its folders), in git's order. */
export async function listTree(
  directory: string,
  oid: string,
  { entriesMax, subdirectory = '' }: ListOptions,
  options: ReadOptions,
): Promise<TreeEntry[]> {
  const folder = subdirectory.replace(/^\/+|(?<!\/)\/+$/g, '')
  if (folder !== '' && readPath(Buffer.from(folder)).oddity !== undefined) throw directoryMissing(folder)
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', folder === '' ? oid : `${oid}:${folder}`]
  const entries: TreeEntry[] = []
  const seen = new Set<string>()
  const prefix = Buffer.from(folder === '' ? '' : `${folder}/`)
  try {
    for await (const line of splitAtNul(readGit({ args, directory, ...options }))) {
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

export type Blob = {
  readonly oid: string
  readonly size: number
  /** Absent when the blob is larger than was asked for. */
  readonly bytes?: Buffer
}

/** Blobs in the order asked for, read as they are consumed; leaving early ends git. */
export async function* readBlobs(
  directory: string,
  oids: Iterable<string>,
  bytesMax: number,
  options: ReadOptions,
): AsyncGenerator<Blob> {
  const wanted = [...oids]
  if (wanted.length === 0) return
  const input = `${wanted.join('\n')}\n`
  const answers = new Answers(
    readGit({ args: ['cat-file', '--batch', '--buffer'], input, directory, ...options }),
  )
  try {
    for (const oid of wanted) {
      const line = await answers.line()
      const [, size] = /^[0-9a-f]{40} blob (\d+)$/.exec(line) ?? []
      if (size === undefined) throw new GitExit(0, `cat-file: ${line}`)
      const bytes = await answers.body(Number(size), Number(size) <= bytesMax)
      yield { oid, size: Number(size), ...(bytes === undefined ? {} : { bytes }) }
    }
    await answers.end()
  } catch (reason) {
    throw await explain(directory, reason)
  } finally {
    await answers.leave()
  }
}

/** The bytes of one blob piece by piece. */
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

// What `cat-file --batch` answers: a line, as many bytes as it says, a line end.
class Answers {
  readonly #chunks: AsyncGenerator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(chunks: AsyncGenerator<Buffer>) {
    this.#chunks = chunks
  }

  async line(): Promise<string> {
    let line = ''
    for (;;) {
      if (this.#at >= this.#chunk.length) await this.#next()
      const end = this.#chunk.indexOf(10, this.#at)
      const stop = end === -1 ? this.#chunk.length : end
      line += this.#chunk.toString('latin1', this.#at, stop)
      this.#at = stop + 1
      if (end !== -1) return line
      if (line.length > HEAD_BYTES_MAX) throw new GitExit(0, 'cat-file: a line without an end')
    }
  }

  /** Takes `size` bytes and the line end after them; keeps them only if asked to. */
  async body(size: number, isKept: boolean): Promise<Buffer | undefined> {
    const bytes = isKept ? Buffer.allocUnsafeSlow(size) : undefined
    for (let done = 0; done < size; ) {
      if (this.#at >= this.#chunk.length) await this.#next()
      const length = Math.min(size - done, this.#chunk.length - this.#at)
      if (bytes !== undefined) this.#chunk.copy(bytes, done, this.#at, this.#at + length)
      done += length
      this.#at += length
    }
    if (this.#at >= this.#chunk.length) await this.#next()
    this.#at += 1
    return bytes
  }

  /** Throws when git did not end well. */
  async end(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async leave(): Promise<void> {
    await this.#chunks.return(undefined)
  }

  async #next(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done === true) throw new GitExit(0, 'cat-file broke off')
    this.#chunk = value
    this.#at = 0
  }
}

const tooManyFiles = (entriesMax: number): Failure =>
  tooLarge('too_many_files', `There are more than ${entriesMax} files, which is the most that are read.`)

const directoryMissing = (folder: string): Failure =>
  invalid(
    'directory_missing',
    `There is no folder ${JSON.stringify(folder.slice(0, 200))} in the repository.`,
  )

// git ended with an error over objects that were fetched whole: the cache was damaged since.
async function explain(directory: string, reason: unknown): Promise<unknown> {
  if (!(reason instanceof GitExit)) return reason
  await distrustCache(directory)
  const message = 'The local copy of the repository was damaged. It is fetched anew the next time.'
  return unavailable('git_cache_damaged', message, reason)
}
