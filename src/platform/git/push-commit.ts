// Sends one commit to a branch of a remote: `git push`, which never rewrites what is there.
import { monotonicMs } from '../../base/clock.ts'
import { conflict, type Failure, invalid } from '../../base/errors.ts'
import type { AddressGuard } from '../addresses.ts'
import { inTurn } from './cache.ts'
import { DEADLINE, runGit, TOO_MUCH_MEMORY } from './command.ts'
import { gitFailure, readFailure, redact } from './failures.ts'
import { memoryFor, pinnedTo, tooMuchMemory } from './fetch-commit.ts'
import type { Remote } from './remote.ts'

export type PushRequest = {
  /** The cache that has the commit. */
  readonly directory: string
  readonly remote: Remote
  readonly oid: string
  /** Its full name: `refs/heads/main`. */
  readonly ref: string
  readonly guard: AddressGuard
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

// A host that runs its own hooks is silent meanwhile; the deadline limits how long.
const WITHOUT_SPEED_LIMIT = ['-c', 'http.lowSpeedTime=0']
const STDOUT_BYTES_MAX = 64 * 1024
const REASON_CHARACTERS_MAX = 200

/**
 * @throws Failure conflict `git_remote_moved` if the branch has commits that are not ancestors of this one; invalid:
 * `git_push_refused` with the host's reason, `git_push_forbidden`, and those of a fetch.
 */
export function pushCommit(searchPath: string, request: PushRequest): Promise<void> {
  const { remote, signal, directory, oid, ref } = request
  const until = monotonicMs() + request.deadlineMs
  return inTurn(directory, async () => {
    signal?.throwIfAborted()
    const host = await request.guard.check(remote.host)
    const { stdout, stderr, code, stopped } = await runGit({
      args: [
        ...pinnedTo(remote, host),
        ...WITHOUT_SPEED_LIMIT,
        'push',
        '--porcelain',
        '--no-verify',
        '--',
        remote.url,
        `${oid}:${ref}`,
      ],
      directory,
      searchPath,
      secretConfig:
        remote.credentials === undefined
          ? []
          : [['http.extraHeader', `Authorization: ${remote.credentials.header()}`]],
      memoryBytesMax: memoryFor(0),
      deadlineMs: Math.max(1, until - monotonicMs()),
      signal,
      stdoutBytesMax: STDOUT_BYTES_MAX,
    })
    signal?.throwIfAborted()
    if (stopped === DEADLINE) {
      const seconds = Math.round(request.deadlineMs / 1000)
      throw gitFailure('unavailable', 'git_timeout', remote.url, `took no commit within ${seconds} seconds.`)
    }
    if (stopped === TOO_MUCH_MEMORY) throw tooMuchMemory(remote.url)
    if (code === 0) return
    throw failureOf(request, stdout.toString('utf8'), stderr)
  })
}

/** One line per ref: `!\t<from>:<to>\t[rejected] (fetch first)`. */
function failureOf({ remote, ref }: PushRequest, stdout: string, stderr: string): Failure {
  const said = new Error(redact(stderr, remote.credentials))
  const [, summary = ''] = /^!\t[^\t\n]*\t(.*)$/m.exec(stdout) ?? []
  if (
    /^\[rejected\]|\(fetch first\)|non-fast-forward|\(failed to update ref\)|cannot lock ref/i.test(summary)
  )
    return conflict('git_remote_moved', `The branch ${ref} has changed in the meantime. Export again.`, said)
  if (summary !== '') {
    const [, reason = summary] = /\(([^()]*)\)$/.exec(summary) ?? []
    // A host may repeat the credentials, and its answer is stored and shown.
    const why = redact(reason.replace(/[\u0000-\u001f\u007f]+/g, ' '), remote.credentials)
      .slice(0, REASON_CHARACTERS_MAX)
      .toWellFormed()
    const message = `The repository ${remote.url} refused the commit on ${ref}: ${why}.`
    return invalid('git_push_refused', message, said)
  }
  if (/requested URL returned error: 403/i.test(stderr)) {
    const message = `The repository ${remote.url} cannot be written with these credentials (the host answered 403).`
    return invalid('git_push_forbidden', message, said)
  }
  return readFailure(remote.url, stderr, remote.credentials)
}
