// Fetches one commit of a remote into its cache, alone or with its history: `git fetch` of one ref, with bounds on
// time and size.
import { createHash } from 'node:crypto'
import { monotonicMs } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import { type AddressGuard, type CheckedHost, canonicalHost } from '../addresses.ts'
import { distrustCache, dropCache, inTurn, packBytes, prepareCache } from './cache.ts'
import { DEADLINE, type ReadOptions, runGit, TOO_MUCH_MEMORY } from './command.ts'
import { gitFailure, readFailure } from './failures.ts'
import { ObjectReader } from './object-reader.ts'
import type { Commit } from './objects.ts'
import { type ProgressReport, progressReader } from './progress.ts'
import { fullRef, type Remote } from './remote.ts'

export type FetchRequest = {
  /** The folder of this remote's cache; made if missing. Nobody else may use it during the fetch. */
  readonly directory: string
  readonly remote: Remote
  /** `refs/heads/main`, `main`, a tag's full name, `HEAD`, or a commit id. */
  readonly ref: string
  /** Includes its ancestors. Objects that git finds broken are then refused, since they are served to others. */
  readonly withHistory?: boolean
  readonly guard: AddressGuard
  readonly deadlineMs: number
  /** Limits the packed repository. */
  readonly bytesMax: number
  readonly signal?: AbortSignal
  readonly onProgress?: (report: ProgressReport) => void
}

// Failures of the remote or of this machine, after which the cache is kept.
const NOT_THE_CACHE = new Set([
  ...[
    'git_unauthorized',
    'git_repository_missing',
    'git_ref_missing',
    'git_redirect_refused',
    'git_unreachable',
  ],
  ...['git_certificate_refused', 'git_host_failed', 'git_unsupported', 'git_timeout', 'git_too_large'],
  ...['git_not_installed', 'git_not_started'],
])
const WATCH_MILLISECONDS = 200
const HEADS_BYTES_MAX = 256 * 1024
const HEADS_NAMED_MAX = 5

/** A fetched commit, and a reader of the objects in its cache until it is closed. */
export type OpenedCommit = { readonly commit: Commit; readonly objects: ObjectReader }

/**
 * Leaves the commit open, to be read by the git process that resolved it. `reading` is for that process.
 *
 * @throws Failure invalid: `git_unauthorized`, `git_repository_missing`, `git_repository_empty`, `git_ref_missing`,
 * `git_ref_invalid`, `git_redirect_refused`, `git_unsupported`, `address_refused`; too_large: `git_too_large`;
 * unavailable: `git_unreachable`, `host_unresolved`, `git_timeout`, `git_interrupted`, `git_host_failed`,
 * `git_certificate_refused`, `git_not_installed`, `git_not_started`, `git_failed`. After an abort: the reason of the
 * signal.
 */
export function openCommit(request: FetchRequest, reading: ReadOptions): Promise<OpenedCommit> {
  const ref = fullRef(request.ref)
  const until = monotonicMs() + request.deadlineMs
  return inTurn(request.directory, async () => {
    request.signal?.throwIfAborted()
    const host = await request.guard.check(request.remote.host)
    const isKept = await prepareCache(request.directory, request.remote.url, request.bytesMax)
    const fetch = new Fetch(request, reading, ref, host, until)
    try {
      return await fetch.run()
    } catch (reason) {
      if (!isKept || request.signal?.aborted) throw reason
      // A cache that grew with its history is emptied before its repository is called too large.
      const mayBeTheCache = !(reason instanceof Failure) || !NOT_THE_CACHE.has(reason.code)
      if (!mayBeTheCache && !(reason instanceof Failure && reason.code === 'git_too_large')) throw reason
      await dropCache(request.directory)
      await prepareCache(request.directory, request.remote.url, request.bytesMax)
      return await fetch.run()
    }
  })
}

class Fetch {
  readonly #request: FetchRequest
  readonly #reading: ReadOptions
  readonly #ref: string
  readonly #config: readonly string[]
  readonly #until: number

  constructor(request: FetchRequest, reading: ReadOptions, ref: string, host: CheckedHost, until: number) {
    this.#request = request
    this.#reading = reading
    this.#ref = ref
    this.#until = until
    this.#config = [...ALWAYS, ...pinnedTo(request.remote, host)]
  }

  async run(): Promise<OpenedCommit> {
    const name = `refs/octavo/${createHash('sha256').update(this.#ref).digest('hex').slice(0, 16)}`
    await this.#fetch(name)
    return this.#open(name)
  }

  async #fetch(name: string): Promise<void> {
    const { remote, onProgress, directory, bytesMax, withHistory = false } = this.#request
    const tooLarge = new AbortController()
    const watch = setInterval(() => {
      void packBytes(directory).then(bytes => bytes > bytesMax && tooLarge.abort(TOO_LARGE))
    }, WATCH_MILLISECONDS)
    try {
      const ended = await this.#git(
        [
          ...(withHistory ? ['-c', 'fetch.fsckObjects=true', 'fetch'] : ['fetch', '--depth=1']),
          ...['--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'],
          ...['--no-recurse-submodules', onProgress === undefined ? '--quiet' : '--progress'],
          ...['--', remote.url, `+${this.#ref}:${name}`],
        ],
        {
          stop: tooLarge.signal,
          ...(onProgress === undefined ? {} : { onStderr: progressReader(onProgress) }),
        },
      )
      if (ended.code !== 0) throw await this.#failure(ended.stderr)
    } finally {
      clearInterval(watch)
    }
    if ((await packBytes(directory)) > bytesMax) throw this.#tooLarge()
  }

  async #open(name: string): Promise<OpenedCommit> {
    const { directory, remote } = this.#request
    const objects = new ObjectReader(directory, this.#reading)
    const commit = await objects.findCommit(name)
    if (commit !== undefined) return { commit, objects }
    const failure = readFailure(remote.url, await objects.finish(), remote.credentials)
    if (failure.code !== 'git_ref_missing') await distrustCache(directory)
    throw failure
  }

  async #git(args: readonly string[], { stop, onStderr, tracesPackets = false }: FetchOptions) {
    const { remote, directory, signal } = this.#request
    const signals = [signal, stop].filter(each => each !== undefined)
    const ended = await runGit({
      args: [...this.#config, ...args],
      directory,
      searchPath: this.#reading.searchPath,
      secretConfig:
        remote.credentials === undefined
          ? []
          : [['http.extraHeader', `Authorization: ${remote.credentials.header()}`]],
      memoryBytesMax: memoryFor(this.#request.bytesMax),
      tracesPackets,
      deadlineMs: this.#remaining(),
      signal: AbortSignal.any(signals),
      stdoutBytesMax: HEADS_BYTES_MAX,
      ...(onStderr === undefined ? {} : { onStderr }),
    })
    signal?.throwIfAborted()
    if (ended.stopped === DEADLINE) {
      const seconds = Math.round(this.#request.deadlineMs / 1000)
      throw gitFailure('unavailable', 'git_timeout', remote.url, `was not read within ${seconds} seconds.`)
    }
    if (ended.stopped === TOO_LARGE) throw this.#tooLarge()
    if (ended.stopped === TOO_MUCH_MEMORY) throw tooMuchMemory(remote.url)
    return ended
  }

  // git says the same of an empty repository, a page that is no repository, and a wrong ref; only then is the host
  // queried again. Its answer names the branches, and a host that speaks git answers in packets.
  async #failure(stderr: string): Promise<Failure> {
    const { remote } = this.#request
    const failure = readFailure(remote.url, stderr, remote.credentials)
    if (failure.code !== 'git_ref_missing') return failure
    const asking = { tracesPackets: true }
    const answer = await this.#git(['ls-remote', '--heads', '--', remote.url], asking)
    const { code, stdout } = answer
    if (code !== 0) return failure
    if (!answer.stderr.includes(' packet: ')) {
      const message = 'is not a git repository: its server does not speak the git protocol.'
      return gitFailure('invalid', 'git_repository_missing', remote.url, message, stderr)
    }
    const heads = stdout.toString('utf8').match(/refs\/heads\/\S+/g) ?? []
    if (heads.length === 0) {
      return gitFailure(
        'invalid',
        'git_repository_empty',
        remote.url,
        'is empty: it has no branch yet.',
        stderr,
      )
    }
    const some = heads.slice(0, HEADS_NAMED_MAX).join(', ')
    const more = heads.length > HEADS_NAMED_MAX ? ` and ${heads.length - HEADS_NAMED_MAX} more` : ''
    const message = `has no ref ${this.#ref}. Its branches are ${some}${more}.`
    return gitFailure('invalid', 'git_ref_missing', remote.url, message, stderr)
  }

  #tooLarge(): Failure {
    const mebibytes = Math.round(this.#request.bytesMax / 1024 / 1024)
    const message = `is larger than the ${mebibytes} MiB that are read.`
    return gitFailure('too_large', 'git_too_large', this.#request.remote.url, message)
  }

  #remaining(): number {
    return Math.max(1, this.#until - monotonicMs())
  }
}

const TOO_LARGE = Symbol('too large')

type FetchOptions = {
  readonly stop?: AbortSignal
  readonly onStderr?: (text: string) => void
  readonly tracesPackets?: boolean
}

// Files of more than 512 MiB pass through git without being held in memory; its lists and caches are small beside
// that.
const MEMORY_BYTES_MIN = 512 * 1024 * 1024
const MEMORY_BYTES_MAX = 2 * MEMORY_BYTES_MIN

/** As much memory as the packed repository may have bytes, within bounds. */
export const memoryFor = (bytesMax: number): number =>
  Math.min(Math.max(MEMORY_BYTES_MIN, bytesMax), MEMORY_BYTES_MAX)

export const tooMuchMemory = (url: string): Failure =>
  gitFailure('too_large', 'git_too_large', url, 'needs more memory to be read than there is for one.')

// Every fetch becomes a pack, so that its size can be watched in one place.
const ALWAYS = ['-c', 'fetch.unpackLimit=1', '-c', 'transfer.unpackLimit=1']

/** Connects to the checked addresses, whatever the name resolves to by then. */
export function pinnedTo(remote: Remote, { isLiteral, addresses }: CheckedHost): readonly string[] {
  if (isLiteral) return []
  const list = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(',')
  const host = canonicalHost(remote.host) ?? remote.host
  return ['-c', `http.curloptResolve=${host}:${remote.port}:${list}`]
}
