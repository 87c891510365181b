// Answers git clients that fetch over HTTP: runs this machine's `git upload-pack` on one of our bare repositories
// (https://git-scm.com/docs/http-protocol, https://git-scm.com/docs/protocol-v2).
import type { Readable } from 'node:stream'
import { unavailable } from '../../base/errors.ts'
import { DEADLINE, runGit, startGit } from './command.ts'

export type PackRequest = {
  readonly directory: string
  /** The client's protocol, from the header Git-Protocol: `version=2`. */
  readonly protocol: string | undefined
  /** The client's request; absent if it asks which refs there are. */
  readonly input: Uint8Array | undefined
  readonly deadlineMs: number
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** Called if git fails after the answer has begun. */
  readonly onFailure: (error: Error) => void
}

/** Enough for the whole of a large repository: one thread, and bounded memory for finding deltas. */
export const BOUNDS = [
  ...['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', '-c', 'pack.deltaCacheSize=64m'],
] as const
// Internal refs that commits are made with.
const HIDDEN = ['-c', 'uploadpack.hideRefs=refs/octavo'] as const

/** The answer as it arrives. It breaks off if git fails. */
export function servePack(searchPath: string, request: PackRequest): Readable {
  const { directory, protocol, input, deadlineMs, signal, onFailure } = request
  const running = startGit({
    args: [
      ...BOUNDS,
      ...HIDDEN,
      'upload-pack',
      '--stateless-rpc',
      ...(input === undefined ? ['--advertise-refs'] : []),
      directory,
    ],
    directory,
    searchPath,
    protocol,
    deadlineMs,
    signal,
  })
  // A git that has heard enough closes its end: its answer says more.
  running.stdin.on('error', () => {})
  running.stdin.end(input)
  running.ended.then(
    ({ code, stderr, stopped }) => {
      if (signal.aborted || (code === 0 && stopped === undefined)) return
      const why = stopped === DEADLINE ? 'it took too long' : stderr.trim()
      const error = new Error(`git upload-pack failed: ${why}`)
      onFailure(error)
      running.stdout.destroy(error)
    },
    error => {
      onFailure(error)
      running.stdout.destroy(error)
    },
  )
  return running.stdout
}

const CAPABILITIES_BYTES_MAX = 64 * 1024

/** Throws Failure unavailable `git_failed`. */
export async function readCapabilities(
  searchPath: string,
  { directory, deadlineMs }: Pick<PackRequest, 'directory' | 'deadlineMs'>,
): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit({
    args: ['upload-pack', '--stateless-rpc', '--advertise-refs', directory],
    ...{ directory, searchPath, deadlineMs, protocol: 'version=2', stdoutBytesMax: CAPABILITIES_BYTES_MAX },
  })
  if (code === 0) return stdout
  throw unavailable(
    'git_failed',
    'The repository cannot be read. The log of this server has the details.',
    new Error(stderr),
  )
}
