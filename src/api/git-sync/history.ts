// The history of a repository that a space is imported from. An import reads a single commit; earlier ones are fetched
// afterwards, up to a bound, and stored as a pack, for those who clone the space. Their ids are recorded, so that a
// repository that is behind is recognized.
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { now } from '../../base/clock.ts'
import { Failure, invalid, tooLarge } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { dropCache, inTurn } from '../../platform/git/cache.ts'
import { evictCaches, USED_FILE } from '../../platform/git/cache-eviction.ts'
import type { Commit } from '../../platform/git/objects.ts'
import type { HistoryRequest } from '../../platform/git/pack-history.ts'
import type { ImportPlan } from './layout.ts'
import { git } from './repository.ts'
import type { SyncRequest } from './request.ts'
import { type HistoryRow, joinHistories, keepHistory, leaveOutHistory, listHistories } from './rows.ts'
import { insertAncestors, type TipRow } from './tips.ts'

// The same as for a push.
const BYTES_MAX = 200 * 1024 * 1024
const COMMITS_MAX = 5_000
// Each import leaves a pack, and a clone without a cache reads all of them, some 30 ms each.
const PACKS_MAX = 50
const PACK_TYPE = 'application/x-git-packed-objects'
const TOO_LARGE: ReadonlySet<string> = new Set(['git_too_large', 'commits_too_many'])

export const historiesFolder = (config: Pick<Services['config'], 'home'>): string =>
  join(config.home, 'histories')

type RemoteRef = Pick<SyncRequest, 'remote' | 'ref' | 'projectDirectory'>

// Some megabytes of rows.
const ANCESTORS_MAX = 20_000

/**
 * A history contains every directory of a repository. If the documentation is in one of them, its readers may not be
 * allowed to read the others.
 */
export const hasHistory = ({ root }: Pick<ImportPlan, 'root'>): boolean => root === ''

/**
 * Fetches the history of an imported commit, after the import and in the same process, because credentials are not
 * stored. The row that announces it exists already.
 */
export const fetchHistoryLater = (
  services: Services,
  spaceId: string,
  asked: RemoteRef,
  oid: string,
  packsMax = PACKS_MAX,
): Promise<void> =>
  readLater(services, spaceId, oid, async signal => {
    const { sha256, holds } = await fetchHistory(services, spaceId, asked, oid, { packsMax, signal })
    await services.transaction(async trx => {
      await keepHistory(trx, spaceId, oid, sha256)
      await joinHistories(trx, spaceId, holds, sha256)
    })
  })

/** The same for a history that is not stored: only the ids of its commits are. */
export const fetchAncestorsLater = (
  services: Services,
  spaceId: string,
  asked: RemoteRef,
  oid: string,
): Promise<void> =>
  readLater(services, spaceId, oid, async signal => {
    const before = (await listHistories(services.db, spaceId)).filter(row => row.oid !== oid)
    refuseTooLarge(before, asked.remote.url)
    const { directory } = await fetchAll(services, spaceId, asked, signal)
    await recordAncestors(services, spaceId, asked, { directory, oid, signal })
  })

// By space.
const running = new Map<string, Set<Promise<void>>>()

/** Resolves once the histories of the space that this process fetches are read. */
export const awaitHistories = async (spaceId: string): Promise<void> => {
  await Promise.all(running.get(spaceId) ?? [])
}

function readLater(
  services: Services,
  spaceId: string,
  oid: string,
  read: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ofSpace = running.get(spaceId) ?? new Set()
  running.set(spaceId, ofSpace.add(promise))
  const end = () => {
    ofSpace.delete(promise)
    if (ofSpace.size === 0) running.delete(spaceId)
    resolve()
  }
  services.tasks.startAside(`git-history:${spaceId}`, async signal => {
    try {
      await read(signal)
    } catch (error) {
      const known = error instanceof Failure ? error.code : 'internal'
      const code = signal.aborted ? 'interrupted' : known
      const level = code === 'internal' ? 'error' : 'info'
      services.log[level]({ err: error, space: spaceId, code }, 'the history of a repository is left out')
      await leaveOutHistory(services.db, spaceId, oid, code)
      // It is not fetched again.
      if (TOO_LARGE.has(code)) await dropCache(join(historiesFolder(services.config), spaceId))
    } finally {
      await evictHistories(services).finally(end)
    }
  })
  return promise
}

/** The tip that the commit continues: the last one among its ancestors. Undefined also if its history cannot be read. */
export async function findContinued(
  services: Services,
  spaceId: string,
  asked: RemoteRef & { readonly oid: string },
  tips: readonly TipRow[],
  signal: AbortSignal,
): Promise<TipRow | undefined> {
  const commits = [...new Set(tips.flatMap(tip => tip.commit_oid ?? []))]
  if (commits.length === 0) return undefined
  try {
    const { directory } = await fetchAll(services, spaceId, asked, signal)
    const asking = git.commitsIn(directory, signal)
    const ancestors: string[] = []
    for (const commit of await asking.findPresent(commits))
      if (await asking.isAncestor(commit, asked.oid)) ancestors.push(commit)
    const [last] = ancestors.length === 0 ? [] : await asking.findIndependent(ancestors)
    return tips.find(tip => last !== undefined && tip.commit_oid === last)
  } catch (error) {
    signal.throwIfAborted()
    services.log.info({ err: error, space: spaceId }, 'the history of a repository was not read')
    return undefined
  }
}

type StoredHistory = {
  /** The blob of the pack. */
  readonly sha256: string
  /** The commits of earlier packs that it contains with their ancestors. */
  readonly holds: readonly string[]
}

async function fetchAll(
  { config, guard }: Services,
  spaceId: string,
  { remote, ref }: RemoteRef,
  signal: AbortSignal,
): Promise<{ readonly directory: string; readonly tip: Commit }> {
  const directory = join(historiesFolder(config), spaceId)
  const tip = await git.fetchCommit({
    ...{ directory, remote, ref, guard, signal, withHistory: true },
    deadlineMs: config.gitSecondsMax * 1000,
    bytesMax: Math.min(BYTES_MAX, config.repositoryBytesMax),
  })
  await utimes(join(directory, USED_FILE), now(), now())
  return { directory, tip }
}

async function recordAncestors(
  { db }: Services,
  spaceId: string,
  { projectDirectory }: RemoteRef,
  { directory, oid, signal }: { directory: string; oid: string; signal: AbortSignal },
): Promise<void> {
  const ancestors = await git.listHistory({ directory, oid, without: [] }, ANCESTORS_MAX, signal)
  await insertAncestors(db, spaceId, projectDirectory, oid, ancestors)
}

async function fetchHistory(
  services: Services,
  spaceId: string,
  asked: RemoteRef,
  oid: string,
  { packsMax, signal }: { readonly packsMax: number; readonly signal: AbortSignal },
): Promise<StoredHistory> {
  const { db, blobs } = services
  const before = (await listHistories(db, spaceId)).filter(row => row.oid !== oid)
  refuseTooLarge(before, asked.remote.url)
  const { directory, tip } = await fetchAll(services, spaceId, asked, signal)
  const kept = before.filter(row => row.blob_hash !== null)
  const others = [oid, ...kept.map(row => row.oid)].filter(each => each !== tip.oid)
  const present = (await git.commitsIn(directory, signal).findPresent(others)).add(tip.oid)
  if (!present.has(oid)) throw invalid('git_ref_missing', 'The branch does not have the commit any more.')
  await recordAncestors(services, spaceId, asked, { directory, oid, signal })
  if ((await git.countHistory({ directory, oid, without: [] }, COMMITS_MAX + 1, signal)) > COMMITS_MAX)
    throw tooLarge('commits_too_many', `The repository has more than ${COMMITS_MAX} commits.`)
  const known = kept.filter(row => present.has(row.oid))
  const request = { directory, oid, without: known.map(row => row.oid) }
  const [newest] = known
  // A branch that was reset to an older commit.
  if (newest?.blob_hash && (await git.countHistory(request, 1, signal)) === 0)
    return { sha256: newest.blob_hash.toString('hex'), holds: [] }
  const put = async (wanted: HistoryRequest) =>
    (await blobs.put(git.packHistory(wanted, signal), { contentType: PACK_TYPE, bytesMax: BYTES_MAX })).sha256
  if (new Set(kept.map(row => row.blob_hash?.toString('hex'))).size >= packsMax) {
    const whole = await put({ directory, oid, also: request.without, without: [] }).catch(error => {
      // Together, rewritten branches can have more than the repository.
      if (error instanceof Failure && error.code === 'blob_too_large') return undefined
      throw error
    })
    if (whole !== undefined) return { sha256: whole, holds: request.without }
  }
  return { sha256: await put(request), holds: [] }
}

/** Nothing else uses these caches: one history is fetched at a time. */
async function evictHistories({ config, log }: Services): Promise<void> {
  const room = { bytesMax: config.remotesBytesMax, inUseMs: 0, alone: inTurn }
  const histories = await evictCaches(historiesFolder(config), room)
  if (histories > 0) log.info({ histories }, 'removed histories of repositories that were fetched long ago')
}

/** Repositories only grow: one that was too large is not fetched again at each import. */
function refuseTooLarge([newest]: readonly HistoryRow[], url: string): void {
  const before = newest?.url === url ? newest.left_out : null
  if (before !== null && TOO_LARGE.has(before))
    throw tooLarge(before, 'The history of the repository was too large before.')
}
