// Makes commits in a repository's cache with `git fast-import`, which reads and writes only the folders that change.
import { once } from 'node:events'
import { assert } from '../../base/assert.ts'
import { Failure, unavailable } from '../../base/errors.ts'
import { inTurn } from './cache.ts'
import { DEADLINE, startGit } from './command.ts'

/** A file after the commit. Paths start at the top of the repository. */
export type FileChange =
  | {
      readonly path: string
      readonly isExecutable: boolean
      /** Bytes. */
      readonly size: number
      /** Exactly `size` bytes. */
      readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
    }
  | { readonly path: string; readonly removed: true }

export type Person = { readonly name: string; readonly email: string }

export type NewCommit = {
  /**
   * 40 hex digits of a commit in the cache, or the index of an earlier one in this request. The changes apply to the
   * first.
   */
  readonly parents: readonly (string | number)[]
  readonly author: Person
  readonly committer: Person
  readonly at: Date
  readonly message: string
  /** `changes` are all of its files; nothing of its first parent stays. */
  readonly isWhole?: boolean
  readonly changes: Iterable<FileChange> | AsyncIterable<FileChange>
}

export type CommitRequest = {
  /** The cache that contains the parents. */
  readonly directory: string
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

const REF = 'refs/octavo/written'
const OID = /^[0-9a-f]{40}$/

/** The id of the commit; see `writeCommits`. */
export async function writeCommit(searchPath: string, request: CommitRequest & NewCommit): Promise<string> {
  const [oid] = await writeCommits(searchPath, { ...request, commits: [request] })
  assert(oid !== undefined, 'git answers an id for each commit')
  return oid
}

/**
 * The ids of the commits, in order. They exist only in the cache so far.
 *
 * @throws Failure unavailable: `git_failed`, `git_timeout`, `git_interrupted`, `git_not_installed`. After an abort:
 * the reason of the signal. What `changes` throws.
 */
export function writeCommits(
  searchPath: string,
  request: CommitRequest & { readonly commits: Iterable<NewCommit> | AsyncIterable<NewCommit> },
): Promise<string[]> {
  return inTurn(request.directory, async () => {
    request.signal?.throwIfAborted()
    const running = startGit({
      // A pack, like everything in a cache, so that its size is seen.
      args: [
        '-c',
        'fastimport.unpackLimit=1',
        'fast-import',
        '--quiet',
        '--force',
        '--done',
        '--date-format=raw',
      ],
      directory: request.directory,
      searchPath,
      deadlineMs: request.deadlineMs,
      signal: request.signal,
    })
    const oids: string[] = []
    let line = ''
    running.stdout.setEncoding('latin1').on('data', (text: string) => {
      const lines = (line + text).split('\n')
      line = lines.pop() ?? ''
      oids.push(...lines.filter(answer => OID.test(answer)))
    })
    // A git that ends early closes the pipe; how it ended says more.
    let isClosed = false
    running.stdin.on('error', () => {
      isClosed = true
    })
    let count = 0
    let failure: unknown
    try {
      for await (const commit of request.commits) {
        count += 1
        for await (const piece of commandsOf(commit, count)) {
          if (isClosed || running.stdin.destroyed) break
          if (!running.stdin.write(piece)) await Promise.race([once(running.stdin, 'drain'), running.ended])
        }
        if (isClosed || running.stdin.destroyed) break
      }
      running.stdin.end('done\n')
    } catch (error) {
      failure = error
      running.stop(error)
    }
    const ended = await running.ended
    if (failure !== undefined) throw failure
    request.signal?.throwIfAborted()
    if (ended.stopped === DEADLINE) throw unavailable('git_timeout', 'The commit could not be made in time.')
    if (ended.code === 0 && oids.length === count) return oids
    const message = 'The commit could not be made. The log of this server has the details.'
    throw new Failure('unavailable', 'git_failed', message, new Error(ended.stderr))
  })
}

/** `mark`: the commit's name within the stream, from 1. */
async function* commandsOf(
  { parents, author, committer, at, message, isWhole = false, changes }: NewCommit,
  mark: number,
): AsyncGenerator<Uint8Array | string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const text = Buffer.from(message)
  const nameOf = (parent: string | number) => (typeof parent === 'string' ? parent : `:${parent + 1}`)
  const [first, ...others] = parents.map(nameOf)
  // Otherwise the previous commit would be its parent.
  if (first === undefined) yield `reset ${REF}\n`
  yield `commit ${REF}\nmark :${mark}\n`
  yield `author ${signature(author)} ${seconds} +0000\n`
  yield `committer ${signature(committer)} ${seconds} +0000\n`
  yield `data ${text.length}\n`
  yield text
  yield '\n'
  if (first !== undefined) yield `from ${first}\n`
  for (const other of others) yield `merge ${other}\n`
  if (isWhole) yield 'deleteall\n'
  for await (const change of changes) {
    const path = quoted(change.path)
    if ('removed' in change) {
      yield `D ${path}\n`
      continue
    }
    yield `M ${change.isExecutable ? '100755' : '100644'} inline ${path}\ndata ${change.size}\n`
    let sent = 0
    for await (const piece of change.content) {
      sent += piece.length
      if (sent > change.size) break
      yield piece
    }
    if (sent !== change.size) throw new Error(`${change.path} has ${sent} bytes and not ${change.size}`)
    yield '\n'
  }
  yield `get-mark :${mark}\n`
}

/** Git ends a name at `<`, `>` and line ends, and strips dots and the like from both ends. */
const signature = ({ name, email }: Person): string => {
  const clean = (text: string) => text.replace(/[<>\u0000-\u001f\u007f]/g, '').trim()
  return `${clean(name) || 'Octavo'} <${clean(email)}>`
}

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
