// Makes a commit upon another in the cache of a repository: one `git fast-import`, which reads of the parent only the
// folders that change, and nothing else is written anew.
import { once } from 'node:events'
import { Failure, unavailable } from '../../base/errors.ts'
import { inTurn } from './cache.ts'
import { DEADLINE, startGit } from './command.ts'

/** What a file is after the commit; one that is there keeps its mode. Paths are from the top of the repository. */
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

export type CommitRequest = {
  /** The cache, with the parent in it. */
  readonly directory: string
  /** 40 hex digits; absent for the first commit of a repository. */
  readonly parent: string | undefined
  readonly author: Person
  readonly committer: Person
  readonly at: Date
  readonly message: string
  readonly changes: AsyncIterable<FileChange>
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

const REF = 'refs/octavo/written'
const ANSWER_BYTES_MAX = 1024

/**
 * The id of the commit, which nothing but the cache knows yet.
 *
 * @throws Failure unavailable: `git_failed`, `git_timeout`, `git_interrupted`, `git_not_installed`. After an abort: the
 * reason of the signal. What `changes` throws.
 */
export function writeCommit(searchPath: string, request: CommitRequest): Promise<string> {
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
    let answer = ''
    running.stdout.setEncoding('latin1').on('data', (text: string) => {
      answer = (answer + text).slice(0, ANSWER_BYTES_MAX)
    })
    // A git that ends early closes the pipe; how it ended says more.
    let isClosed = false
    running.stdin.on('error', () => {
      isClosed = true
    })
    let failure: unknown
    try {
      for await (const piece of commands(request)) {
        if (isClosed || running.stdin.destroyed) break
        if (!running.stdin.write(piece)) await Promise.race([once(running.stdin, 'drain'), running.ended])
      }
      running.stdin.end()
    } catch (error) {
      failure = error
      running.stop(error)
    }
    const ended = await running.ended
    if (failure !== undefined) throw failure
    request.signal?.throwIfAborted()
    if (ended.stopped === DEADLINE)
      throw unavailable('git_timeout', 'The commit could not be made in the time that is given to it.')
    const [oid] = /^[0-9a-f]{40}$/m.exec(answer) ?? []
    if (ended.code === 0 && oid !== undefined) return oid
    const message = 'The commit could not be made. The log of this server has what git said.'
    throw new Failure('unavailable', 'git_failed', message, new Error(ended.stderr))
  })
}

async function* commands({
  parent,
  author,
  committer,
  at,
  message,
  changes,
}: CommitRequest): AsyncGenerator<Uint8Array | string> {
  const seconds = Math.floor(at.getTime() / 1000)
  const text = Buffer.from(message)
  yield `commit ${REF}\nmark :1\n`
  yield `author ${signature(author)} ${seconds} +0000\n`
  yield `committer ${signature(committer)} ${seconds} +0000\n`
  yield `data ${text.length}\n`
  yield text
  yield '\n'
  if (parent !== undefined) yield `from ${parent}\n`
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
  yield 'get-mark :1\ndone\n'
}

/** Git ends a name at `<`, `>` and the end of a line, and takes off dots and the like at its ends. */
const signature = ({ name, email }: Person): string => {
  const clean = (text: string) => text.replace(/[<>\u0000-\u001f\u007f]/g, '').trim()
  return `${clean(name) || 'Octavo'} <${clean(email)}>`
}

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
