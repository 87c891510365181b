// Commits with their ancestors as one pack, to be stored elsewhere.
import { GitExit, type ReadOptions, readGit, runGit } from './command.ts'
import { BOUNDS } from './serve-pack.ts'

export type HistoryRequest = {
  readonly directory: string
  readonly oid: string
  /** Further commits, with their ancestors. */
  readonly also?: readonly string[]
  /** Commits of the repository that are stored already, with their ancestors. */
  readonly without: readonly string[]
}

/** The number of commits, up to `max`. */
export async function countHistory(
  { directory, oid, without }: HistoryRequest,
  max: number,
  options: ReadOptions,
): Promise<number> {
  const { code, stdout, stderr } = await runGit({
    args: ['rev-list', '--count', `--max-count=${max}`, '--stdin'],
    input: linesOf(oid, without),
    ...{ directory, stdoutBytesMax: 1000, ...options },
  })
  options.signal?.throwIfAborted()
  if (code !== 0) throw new GitExit(code, stderr)
  return Number(stdout.toString('latin1'))
}

const ID_BYTES = 41

/** The newest commits, up to `max`. */
export async function listHistory(
  { directory, oid, without }: HistoryRequest,
  max: number,
  options: ReadOptions,
): Promise<string[]> {
  const { code, stdout, stderr } = await runGit({
    args: ['rev-list', `--max-count=${max}`, '--stdin'],
    input: linesOf(oid, without),
    ...{ directory, stdoutBytesMax: max * ID_BYTES, ...options },
  })
  options.signal?.throwIfAborted()
  if (code !== 0) throw new GitExit(code, stderr)
  return stdout
    .toString('latin1')
    .split('\n')
    .filter(line => line !== '')
}

/** A self-contained pack: no object in it is a delta of an object elsewhere. */
export const packHistory = (
  { directory, oid, also = [], without }: HistoryRequest,
  options: ReadOptions,
): AsyncIterable<Uint8Array> =>
  readGit({
    args: [...BOUNDS, 'pack-objects', '--revs', '--stdout', '--delta-base-offset', '-q'],
    input: also.map(commit => `${commit}\n`).join('') + linesOf(oid, without),
    ...{ directory, ...options },
  })

const linesOf = (oid: string, without: readonly string[]): string =>
  [oid, ...without.map(known => `^${known}`), ''].join('\n')
