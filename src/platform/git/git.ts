// The rest of the program's interface to git: commits, trees, files and packs, and nothing about pages.
import type { Readable } from 'node:stream'
import { Failure, unavailable } from '../../base/errors.ts'
import type { ListOptions, ReadOptions, TreeEntry, TreeSource } from '../tree-source.ts'
import { inTurn } from './cache.ts'
import { runGit, SEARCH_PATH } from './command.ts'
import { type FetchRequest, openCommit } from './fetch-commit.ts'
import { type Blob, readBlobs } from './object-reader.ts'
import type { Commit } from './objects.ts'
import { countHistory, type HistoryRequest, listHistory, packHistory } from './pack-history.ts'
import { type PushRequest, pushCommit } from './push-commit.ts'
import { listTree, streamBlob } from './read-tree.ts'
import { type PackArrival, type ReceivedPack, receivePack } from './receive-pack.ts'
import { listRemoteRefs, type RefsRequest, type RemoteRefs } from './remote-refs.ts'
import { BOUNDS, type PackRequest, readCapabilities, servePack } from './serve-pack.ts'
import { addPack, type PackIntake, type TakenPack, takePack } from './take-pack.ts'
import {
  type Ancestry,
  findGained,
  findIndependent,
  findMergeBase,
  findPresent,
  isAncestor,
  readCommit,
  requireWhole,
  walkHistory,
} from './walk-history.ts'
import { type CommitRequest, type NewCommit, writeCommit, writeCommits } from './write-commit.ts'

export type GitSettings = {
  /** The PATH for finding git. */
  readonly searchPath?: string
  /** How long listing or reading one commit may take. */
  readonly readDeadlineMs?: number
}

export interface Git {
  /** The branches of a remote; fetches nothing. See remote-refs.ts for its failures. */
  listRemoteRefs(request: RefsRequest): Promise<RemoteRefs>
  /** Fetches one commit into its cache and returns it. See fetch-commit.ts for its failures. */
  fetchCommit(request: FetchRequest): Promise<Commit>
  /** The same, and keeps a git process that reads its files until it is closed. */
  openCommit(request: FetchRequest): Promise<OpenedTree>
  /** Every file of a commit that was fetched into `directory`. */
  listTree(directory: string, oid: string, options: ListOptions): Promise<TreeEntry[]>
  /** Blobs in the requested order; one larger than `bytesMax` comes without bytes. */
  readBlobs(directory: string, oids: Iterable<string>, options: ReadOptions): AsyncIterable<Blob>
  /** Makes a commit in a cache. See write-commit.ts. */
  writeCommit(request: CommitRequest & NewCommit): Promise<string>
  /** Makes many commits, each on top of the one before. */
  writeCommits(
    request: CommitRequest & { readonly commits: Iterable<NewCommit> | AsyncIterable<NewCommit> },
  ): Promise<string[]>
  /** Repacks everything in a cache into one pack. */
  repack(request: { readonly directory: string; readonly deadlineMs: number }): Promise<void>
  /** Answers a fetching client. See serve-pack.ts. */
  servePack(request: PackRequest): Promise<Readable>
  /** The capabilities of this git, which clients of version 2 request first. They are the same for every repository. */
  readCapabilities(request: { readonly directory: string; readonly deadlineMs: number }): Promise<Buffer>
  /** Stores a client's push as it arrives. See receive-pack.ts. */
  receivePack(arrival: PackArrival): Promise<ReceivedPack>
  /** Checks a received push in its folder. See take-pack.ts. */
  takePack(intake: PackIntake): Promise<TakenPack>
  /** Adds a taken pack to a cache. */
  addPack(request: {
    readonly directory: string
    readonly content: AsyncIterable<Uint8Array>
    readonly deadlineMs: number
  }): Promise<void>
  /** Queries about the commits of a repository. See walk-history.ts. */
  commitsIn(directory: string, signal?: AbortSignal): Commits
  /** The number of commits in a history, up to `max`. */
  countHistory(request: HistoryRequest, max: number, signal?: AbortSignal): Promise<number>
  /** The newest commits of a history, up to `max`. */
  listHistory(request: HistoryRequest, max: number, signal?: AbortSignal): Promise<string[]>
  /** A history as a pack. */
  packHistory(request: HistoryRequest, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Sends a commit of a cache to its remote. See push-commit.ts for its failures. */
  pushCommit(request: PushRequest): Promise<void>
  streamBlob(directory: string, oid: string, options?: { signal?: AbortSignal }): AsyncIterable<Uint8Array>
  /** A fetched commit as a tree to import from. */
  tree(directory: string, oid: string): TreeSource
}

/** A fetched commit as a tree to import from. */
export type OpenedTree = {
  readonly commit: Commit
  readonly tree: TreeSource
  close(): void
}

export interface Commits {
  walk(oid: string, isKnown: (oid: string) => boolean, commitsMax: number): Promise<Ancestry>
  findMergeBase(one: string, other: string): Promise<string | undefined>
  isAncestor(ancestor: string, oid: string): Promise<boolean>
  findGained(oid: string, before: string, wanted: ReadonlySet<string>): Promise<Set<string>>
  findIndependent(oids: readonly string[]): Promise<string[]>
  findPresent(oids: readonly string[]): Promise<Set<string>>
  requireWhole(oid: string, tips: readonly string[]): Promise<void>
  read(oid: string): Promise<Commit>
}

const READ_DEADLINE_MILLISECONDS = 10 * 60_000
const VERSION_DEADLINE_MILLISECONDS = 10_000

/** This machine's git. It is located on first use, so that a server without git starts. */
export function createGit(settings: GitSettings = {}): Git {
  const searchPath = settings.searchPath ?? SEARCH_PATH
  const reading = (signal: AbortSignal | undefined) => ({
    searchPath,
    deadlineMs: settings.readDeadlineMs ?? READ_DEADLINE_MILLISECONDS,
    signal,
  })
  let checked: Promise<void> | undefined
  const check = async (): Promise<void> => {
    checked ??= requireVersion(searchPath)
    await checked.catch(reason => {
      // It may be installed while the server runs.
      checked = undefined
      throw reason
    })
  }

  let capabilities: Promise<Buffer> | undefined

  const git: Git = {
    async listRemoteRefs(request) {
      await check()
      return listRemoteRefs(searchPath, request)
    },
    async fetchCommit(request) {
      const { commit, close } = await git.openCommit(request)
      close()
      return commit
    },
    async openCommit(request) {
      await check()
      const { directory, signal } = request
      const { commit, objects } = await openCommit(request, reading(signal))
      const tree = treeOf(git, directory, commit.oid, (oids, { bytesMax }) =>
        objects.readBlobs(oids, bytesMax),
      )
      return { commit, tree, close: () => objects.close() }
    },
    listTree: (directory, oid, options) => listTree(directory, oid, options, reading(options.signal)),
    readBlobs: (directory, oids, { bytesMax, signal }) =>
      readBlobs(directory, oids, bytesMax, reading(signal)),
    writeCommit: request => writeCommit(searchPath, request),
    writeCommits: request => writeCommits(searchPath, request),
    repack: ({ directory, deadlineMs }) => inTurn(directory, () => repack(searchPath, directory, deadlineMs)),
    async servePack(request) {
      await check()
      return servePack(searchPath, request)
    },
    async readCapabilities(request) {
      await check()
      capabilities ??= readCapabilities(searchPath, request)
      return await capabilities.catch(reason => {
        capabilities = undefined
        throw reason
      })
    },
    receivePack,
    async takePack(intake) {
      await check()
      return takePack(searchPath, intake)
    },
    addPack: request => addPack(searchPath, request),
    commitsIn(directory, signal) {
      const asking = { directory, ...reading(signal) }
      return {
        walk: (oid, isKnown, commitsMax) => walkHistory(oid, isKnown, commitsMax, asking),
        findMergeBase: (one, other) => findMergeBase(one, other, asking),
        isAncestor: (ancestor, oid) => isAncestor(ancestor, oid, asking),
        findGained: (oid, before, wanted) => findGained(oid, before, wanted, asking),
        findIndependent: oids => findIndependent(oids, asking),
        findPresent: oids => findPresent(oids, asking),
        requireWhole: (oid, tips) => requireWhole(oid, tips, asking),
        read: oid => readCommit(oid, asking),
      }
    },
    countHistory: (request, max, signal) => countHistory(request, max, reading(signal)),
    listHistory: (request, max, signal) => listHistory(request, max, reading(signal)),
    packHistory: (request, signal) => packHistory(request, reading(signal)),
    pushCommit: request => pushCommit(searchPath, request),
    streamBlob: (directory, oid, options) => streamBlob(directory, oid, reading(options?.signal)),
    tree: (directory, oid) =>
      treeOf(git, directory, oid, (oids, options) => git.readBlobs(directory, oids, options)),
  }
  return git
}

const treeOf = (
  git: Git,
  directory: string,
  oid: string,
  read: (oids: Iterable<string>, options: ReadOptions) => AsyncIterable<Blob>,
): TreeSource => ({
  list: options => git.listTree(directory, oid, options),
  async *read(entries, options) {
    const readable = [...entries].filter(({ kind, size }) => kind !== 'submodule' && size <= options.bytesMax)
    let at = 0
    for await (const { bytes } of read(
      readable.map(({ oid }) => oid),
      options,
    )) {
      const entry = readable[at++]
      if (entry !== undefined && bytes !== undefined) yield { entry, bytes }
    }
  },
  stream: (entry, options) => git.streamBlob(directory, entry.oid, options),
})

/** Keeps objects that no branch leads to: a reopened change request needs its commits. */
async function repack(searchPath: string, directory: string, deadlineMs: number): Promise<void> {
  const { code, stderr } = await runGit({
    args: [...BOUNDS, 'repack', '-a', '-d', '-k', '-q'],
    ...{ directory, searchPath, deadlineMs, stdoutBytesMax: 64 * 1024 },
  })
  if (code === 0) return
  throw new Failure(
    'unavailable',
    'git_failed',
    'The repository could not be packed. The log of this server has the details.',
    new Error(stderr),
  )
}

// http.curloptResolve, which pins the checked address, appeared in 2.37; an older git would ignore it silently.
async function requireVersion(searchPath: string): Promise<void> {
  const { stdout } = await runGit({
    args: ['version'],
    searchPath,
    deadlineMs: VERSION_DEADLINE_MILLISECONDS,
    stdoutBytesMax: 1000,
  })
  const [, major = 0, minor = 0] = (/^git version (\d+)\.(\d+)/.exec(stdout.toString('latin1')) ?? []).map(
    Number,
  )
  if (major > 2 || (major === 2 && minor >= 37)) return
  throw unavailable(
    'git_too_old',
    'Repositories need git 2.37 or newer, and this server has an older one. The operator has to install it.',
    new Error(stdout.toString('latin1')),
  )
}
