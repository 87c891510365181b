// The branches of a remote, before anything of it is fetched: `git ls-remote`.
import type { AddressGuard } from '../addresses.ts'
import { DEADLINE, runGit, TOO_MUCH_MEMORY } from './command.ts'
import { gitFailure, readFailure } from './failures.ts'
import { memoryFor, pinnedTo, tooMuchMemory } from './fetch-commit.ts'
import type { Remote } from './remote.ts'

export type RefsRequest = {
  readonly remote: Remote
  /** The full name of a ref to list besides the branches. */
  readonly ref?: string | undefined
  readonly guard: AddressGuard
  readonly deadlineMs: number
  readonly signal?: AbortSignal
}

export type RemoteRefs = {
  /** The full name of the branch that HEAD leads to; undefined if there is no such branch. */
  readonly head: string | undefined
  /** Commits by the full names of branches, and of the ref that was asked for. */
  readonly refs: ReadonlyMap<string, string>
  /** There are more than are read. */
  readonly isCut: boolean
}

// Some 40,000 branches.
const REFS_BYTES_MAX = 4 * 1024 * 1024
const LINE = /^(?:ref: (?<target>\S+)|(?<oid>[0-9a-f]{40,64}))\t(?<name>\S+)$/

/**
 * @throws Failure invalid: `git_unauthorized`, `git_repository_missing`, `git_repository_empty`,
 * `git_redirect_refused`, `address_refused`; unavailable: `git_unreachable`, `host_unresolved`, `git_timeout`,
 * `git_interrupted`, `git_host_failed`, `git_certificate_refused`, `git_not_installed`, `git_not_started`,
 * `git_failed`. After an abort: the reason of the signal.
 */
export async function listRemoteRefs(searchPath: string, request: RefsRequest): Promise<RemoteRefs> {
  const { remote, ref, guard, deadlineMs, signal } = request
  const host = await guard.check(remote.host)
  const patterns = ['HEAD', 'refs/heads/*', ...(ref?.startsWith('refs/') ? [ref] : [])]
  const { code, stdout, stderr, stopped } = await runGit({
    args: [...pinnedTo(remote, host), 'ls-remote', '--symref', '--', remote.url, ...patterns],
    searchPath,
    secretConfig:
      remote.credentials === undefined
        ? []
        : [['http.extraHeader', `Authorization: ${remote.credentials.header()}`]],
    memoryBytesMax: memoryFor(0),
    // A host that speaks git answers in packets, also for a repository without branches.
    tracesPackets: true,
    deadlineMs,
    signal,
    stdoutBytesMax: REFS_BYTES_MAX,
  })
  signal?.throwIfAborted()
  if (stopped === DEADLINE) {
    const seconds = Math.round(deadlineMs / 1000)
    throw gitFailure('unavailable', 'git_timeout', remote.url, `did not answer within ${seconds} seconds.`)
  }
  if (stopped === TOO_MUCH_MEMORY) throw tooMuchMemory(remote.url)
  const isCut = stopped !== undefined
  if (!isCut && code !== 0) throw readFailure(remote.url, stderr, remote.credentials)
  if (!isCut && !stderr.includes(' packet: ')) {
    const message = 'is not a git repository: its server does not speak the git protocol.'
    throw gitFailure('invalid', 'git_repository_missing', remote.url, message, stderr)
  }
  const listed = readRefs(stdout.toString('utf8'))
  if (listed.refs.size > 0) return { ...listed, isCut }
  throw gitFailure('invalid', 'git_repository_empty', remote.url, 'is empty: it has no branch yet.', stderr)
}

function readRefs(text: string): Pick<RemoteRefs, 'head' | 'refs'> {
  const refs = new Map<string, string>()
  let target: string | undefined
  // What follows the last line end was cut.
  for (const line of text.split('\n').slice(0, -1)) {
    const { target: leadsTo, oid, name = '' } = LINE.exec(line)?.groups ?? {}
    if (leadsTo !== undefined && name === 'HEAD') target = leadsTo
    else if (oid !== undefined && name !== 'HEAD') refs.set(name, oid)
  }
  return { head: target !== undefined && refs.has(target) ? target : undefined, refs }
}
