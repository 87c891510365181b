// The two-sided merges of files in the history of a repository: every file that both parents of a merge changed since
// their common ancestor, in its three versions, with what the people who merged it made of it.
import { execFileSync, spawn } from 'node:child_process'

export type FileMerge = {
  readonly commit: string
  readonly path: string
  readonly base: string
  readonly ours: string
  readonly theirs: string
  /** What is in the merge commit; null where the file is not there. */
  readonly people: string | null
}

type Blobs = { readonly base: string; readonly side: string }

const FILE_BYTES_MAX = 1_000_000
const MARKDOWN = /\.(?:md|mdx|markdown)$/i

/** In the order of `git log`, each combination of three texts once. Texts that are no UTF-8 are left out. */
export async function* readFileMerges(repository: string): AsyncGenerator<FileMerge> {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', repository, '-c', 'core.quotepath=off', ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const blobs = new BlobReader(repository)
  const seen = new Set<string>()
  try {
    for (const line of git('log', '--all', '--merges', '--format=%H %P').split('\n')) {
      const [commit, first, second, ...more] = line.split(' ')
      if (commit === undefined || first === undefined || second === undefined || more.length > 0) continue
      const base = findBase(git, first, second)
      if (base === undefined) continue
      const [a, b] = [changesOf(git, base, first), changesOf(git, base, second)]
      for (const [path, { base: before, side: ours }] of a) {
        const theirs = b.get(path)?.side
        if (theirs === undefined || theirs === ours) continue
        const key = `${before} ${ours} ${theirs}`
        if (seen.has(key)) continue
        seen.add(key)
        const [base, left, right, people] = await Promise.all([
          blobs.read(before),
          blobs.read(ours),
          blobs.read(theirs),
          blobs.read(`${commit}:${path}`),
        ])
        if (base === null || left === null || right === null) continue
        yield { commit, path, base, ours: left, theirs: right, people }
      }
    }
  } finally {
    blobs.close()
  }
}

/** The common ancestor; undefined where there is none, and where one side is the ancestor of the other. */
function findBase(git: (...args: string[]) => string, first: string, second: string): string | undefined {
  try {
    const base = git('merge-base', first, second).trim()
    return base === first || base === second ? undefined : base
  } catch {
    return undefined
  }
}

/** Markdown files that are there on both ends and differ. */
function changesOf(git: (...args: string[]) => string, from: string, to: string): Map<string, Blobs> {
  const changes = new Map<string, Blobs>()
  const told = git(
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--diff-filter=M',
    '--raw',
    '--no-abbrev',
    from,
    to,
  )
  const parts = told.split('\0')
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [mode, , base, side] = (parts[at] as string).split(' ')
    const path = parts[at + 1] as string
    if (mode === ':100644' && base !== undefined && side !== undefined && MARKDOWN.test(path))
      changes.set(path, { base, side })
  }
  return changes
}

/** `git cat-file --batch` for as long as it is asked. */
class BlobReader {
  readonly #child
  readonly #waiting: ((text: string | null) => void)[] = []
  #buffer = Buffer.alloc(0)

  constructor(repository: string) {
    this.#child = spawn('git', ['-C', repository, 'cat-file', '--batch'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#buffer = Buffer.concat([this.#buffer, chunk])
      while (this.#take());
    })
  }

  read(name: string): Promise<string | null> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#child.stdin.write(`${name.replaceAll('\n', ' ')}\n`)
    })
  }

  close(): void {
    this.#child.stdin.end()
  }

  /** Whether a whole answer was there. */
  #take(): boolean {
    const end = this.#buffer.indexOf(10)
    if (end === -1) return false
    const words = this.#buffer.subarray(0, end).toString().split(' ')
    const isThere = words.at(-2) === 'blob' || words.at(-2) === 'tree' || words.at(-2) === 'commit'
    const size = isThere ? Number(words.at(-1)) : 0
    const from = end + 1
    const until = isThere ? from + size + 1 : from
    if (this.#buffer.length < until) return false
    const body = this.#buffer.subarray(from, from + size)
    const isText = words.at(-2) === 'blob' && size <= FILE_BYTES_MAX
    const text = isText ? body.toString() : null
    const isWhole = text !== null && Buffer.compare(Buffer.from(text), body) === 0
    this.#buffer = this.#buffer.subarray(until)
    this.#waiting.shift()?.(isWhole ? text : null)
    return true
  }
}
