// The repository of a space on disk: a cache of commits, which are made from its revisions when they are fetched and
// can be made again.
import { appendFile, cp, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert, assertDefined } from '../../base/assert.ts'
import { monotonicMs, now } from '../../base/clock.ts'
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { dropCache, prepareCache } from '../../platform/git/cache.ts'
import { evictCaches, USED_FILE } from '../../platform/git/cache-eviction.ts'
import { createTurns } from '../../platform/turns.ts'
import { git } from '../git-sync/repository.ts'
import { createSource, EMPTY_TREE } from '../git-sync/sources.ts'
import { CommitMaker, findMissing } from './commits.ts'
import { ImportedCommits, isUndecided } from './imported.ts'
import {
  type Branch,
  findCommits,
  findHistoryOnItsWay,
  type HistoryRow,
  insertCommits,
  listBranches,
  listPacks,
  readHistory,
  replaceCommit,
} from './rows.ts'

export const remotesFolder = (config: Pick<Services['config'], 'home'>): string =>
  join(config.home, 'remotes')

// Ids of the revisions whose commits are in the cache, one per line.
const REVISIONS_FILE = 'octavo-revisions'
// The blobs of pushed packs that are in the cache, one per line.
const PACKS_FILE = 'octavo-packs'
const REFS_FILE = 'packed-refs'
// Files of the cache that are not part of the repository.
const OWN_FILE = /\/octavo-[^/]*$/
/** The branch that a clone has checked out. */
export const MAIN_REF = 'refs/heads/main'
const HEAD = `ref: ${MAIN_REF}\n`
// Commits made in one step: after an interruption, the next step continues.
const STEP = 1_000
// Each step leaves a pack, and a cache with more than 50 is rebuilt.
const PACKS_MAX = 20
// The first clone of a long history is slow. Clients that wait longer are asked to try again.
const { takeTurn, awaitTurn } = createTurns(60_000)
const EVICT_EVERY_MS = 600_000
// Clients may still be reading it.
const IN_USE_MS = 3600_000
let evictedAt = Number.NEGATIVE_INFINITY

export type Remote = {
  readonly directory: string
  /** Each with its commit. */
  readonly branches: readonly (Branch & { readonly oid: string })[]
}

/** The commits of branches by their full names. */
export const refsOf = (branches: Remote['branches']): ReadonlyMap<string, string> =>
  new Map(branches.map(({ name, oid }) => [`refs/heads/${name}`, oid]))

/**
 * Updates the repository to the current state of the space.
 *
 * @throws Failure unavailable: `busy`, `git_failed`, `git_timeout`, `git_not_installed`, `content_unreadable`.
 */
export const updateRemote = (services: Services, spaceId: string): Promise<Remote> =>
  withRemote(services, spaceId, async remote => remote)

/** Copies the updated repository to `to`, a path that does not exist. */
export const copyRemote = (services: Services, spaceId: string, to: string): Promise<void> =>
  withRemote(services, spaceId, async ({ directory }) => {
    await cp(directory, to, { recursive: true, filter: path => !OWN_FILE.test(path) })
  })

/** Runs `use` while nobody else uses the repository. */
function withRemote<T>(services: Services, spaceId: string, use: (remote: Remote) => Promise<T>): Promise<T> {
  const directory = join(remotesFolder(services.config), spaceId)
  return takeTurn(directory, async () => use(await updateDirectory(services, spaceId, directory)))
}

async function updateDirectory(services: Services, spaceId: string, directory: string): Promise<Remote> {
  const branches = await listBranches(services.db, spaceId)
  if (areMade(branches) && (await readText(join(directory, REFS_FILE))) === packedRefs(branches)) {
    await utimes(join(directory, USED_FILE), now(), now())
    return { directory, branches }
  }
  evictUnused(services)
  try {
    return { directory, branches: await makeMissing(services, spaceId, directory, branches) }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'git_failed') throw error
    services.log.warn({ err: error, space: spaceId }, 'a repository is rebuilt')
    await dropCache(directory)
    return { directory, branches: await makeMissing(services, spaceId, directory, branches) }
  }
}

/** Evicts the repositories that were not fetched for longest. */
function evictUnused({ tasks, config, log }: Services): void {
  if (monotonicMs() - evictedAt < EVICT_EVERY_MS) return
  evictedAt = monotonicMs()
  tasks.start('git-remotes', async () => {
    const room = { bytesMax: config.remotesBytesMax, inUseMs: IN_USE_MS, alone: awaitTurn }
    const repositories = await evictCaches(remotesFolder(config), room)
    if (repositories > 0) log.info({ repositories }, 'removed repositories that were not fetched lately')
  })
}

const areMade = (branches: readonly Branch[]): branches is Remote['branches'] =>
  branches.every(({ oid }) => oid !== null)

async function makeMissing(
  services: Services,
  spaceId: string,
  directory: string,
  branches: readonly Branch[],
): Promise<Remote['branches']> {
  await prepareCache(directory, `space:${spaceId}`, Number.POSITIVE_INFINITY)
  const there = new Set((await readText(join(directory, REVISIONS_FILE))).split('\n'))
  const isThere = (row: HistoryRow) => there.has(row.id) && row.commit !== null
  const tips = branches.map(({ revisionId }) => revisionId)
  const history = await readHistory(services.db, spaceId, tips, isThere)
  const missing = findMissing(history, tips, isThere)
  if (missing.some(isUndecided)) await awaitHistory(services, spaceId)
  const areLost = await addPacks(services, spaceId, directory)
  const made = await makeCommits(services, spaceId, directory, { history, missing, areLost })
  await replaceFile(join(directory, USED_FILE), HEAD)
  const packs = (await readdir(join(directory, 'objects', 'pack'))).filter(name => name.endsWith('.pack'))
  if (packs.length > PACKS_MAX)
    await git.repack({ directory, deadlineMs: services.config.gitSecondsMax * 1000 })
  const refs = branches.map(branch => {
    const oid = made.get(branch.revisionId) ?? history.get(branch.revisionId)?.commit?.oid
    assert(oid !== undefined, 'every branch has its commit')
    return { ...branch, oid }
  })
  await replaceFile(join(directory, REFS_FILE), packedRefs(refs))
  return refs
}

// Without it, cloning right after an import would make commits without the history, permanently.
const HISTORY_MS_MAX = 30_000
const LOOK_MS = 250

const waits = new Map<string, Promise<void>>()

// Histories that did not arrive in time, by space. There are few.
const givenUp = new Map<string, string>()

/** Waits for the history of an import, up to a bound. Requests call it before they take a place among the fetches. */
export function awaitHistory(services: Services, spaceId: string): Promise<void> {
  const wait = waits.get(spaceId) ?? lookForHistory(services, spaceId).finally(() => waits.delete(spaceId))
  waits.set(spaceId, wait)
  return wait
}

async function lookForHistory({ db }: Services, spaceId: string): Promise<void> {
  const until = monotonicMs() + HISTORY_MS_MAX
  for (;;) {
    const oid = await findHistoryOnItsWay(db, spaceId)
    if (oid === undefined || oid === givenUp.get(spaceId)) return
    if (monotonicMs() >= until) {
      givenUp.set(spaceId, oid)
      return
    }
    await sleep(LOOK_MS)
  }
}

/**
 * Adds pushed and imported packs to the repository, before commits that continue them are made. Returns whether some
 * are lost.
 */
async function addPacks(services: Services, spaceId: string, directory: string): Promise<boolean> {
  let areLost = false
  const file = join(directory, PACKS_FILE)
  const there = new Set((await readText(file)).split('\n'))
  for (const sha256 of await listPacks(services.db, spaceId)) {
    if (there.has(sha256)) continue
    const found = await services.blobs.read(sha256)
    if (found === undefined) {
      services.log.warn({ space: spaceId, blob: sha256 }, 'commits that were pushed or imported are lost')
      areLost = true
      continue
    }
    const deadlineMs = services.config.gitSecondsMax * 1000
    try {
      await git.addPack({ directory, content: found.stream, deadlineMs })
    } finally {
      found.stream.destroy()
    }
    await appendFile(file, `${sha256}\n`)
  }
  return areLost
}

/** Those that exist with all of their ancestors. */
async function findWhole(directory: string, oids: readonly string[], areLost: boolean): Promise<Set<string>> {
  const commits = git.commitsIn(directory)
  const present = await commits.findPresent(oids)
  if (!areLost) return present
  const whole = new Set<string>()
  for (const oid of present) {
    const isWhole = await commits.requireWhole(oid, [...whole]).then(
      () => true,
      error => {
        if (error instanceof Failure && error.code === 'objects_missing') return false
        throw error
      },
    )
    if (isWhole) whole.add(oid)
  }
  return whole
}

type MissingCommits = {
  readonly history: ReadonlyMap<string, HistoryRow>
  /** Parents first. */
  readonly missing: readonly HistoryRow[]
  /** Packs are lost, so a commit may exist without its ancestors. */
  readonly areLost: boolean
}

/** Makes the commits of revisions that are not in the repository, by revision. Pushed commits are used as they are. */
async function makeCommits(
  services: Services,
  spaceId: string,
  directory: string,
  { history, missing, areLost }: MissingCommits,
): Promise<ReadonlyMap<string, string>> {
  const source = createSource(services, spaceId, EMPTY_TREE, [], new AbortController().signal)
  const maker = new CommitMaker(services, source, history)
  const pushed = missing.flatMap(({ commit }) => (commit?.is_pushed ? [commit.oid] : []))
  const parts = missing.flatMap(row => [
    ...(isUndecided(row) && row.imported !== null ? [row.imported] : []),
    ...(row.commit?.onto ? [row.commit.onto] : []),
  ])
  const kept = await findWhole(directory, [...new Set([...pushed, ...parts])], areLost)
  const imported = new ImportedCommits(services, directory, history, maker, kept)
  const made = new Map<string, string>()
  const oidOf = (id: string) => made.get(id) ?? history.get(id)?.commit?.oid
  const toMake: HistoryRow[] = []
  for (const row of missing) {
    const { id, commit, parents } = row
    const taken = await imported.decide(row, oidOf)
    if (taken !== undefined) {
      made.set(id, taken)
      continue
    }
    if (commit?.onto && kept.has(commit.onto)) maker.addOnto(id, commit.onto)
    const same = commit?.is_pushed
      ? parents.find(parent => history.get(parent)?.commit?.oid === commit.oid)
      : undefined
    if (commit?.is_pushed && kept.has(commit.oid)) made.set(id, commit.oid)
    else if (same !== undefined) maker.addAlias(id, same)
    else toMake.push(row)
  }
  for (let from = 0; from < toMake.length; from += STEP) {
    const step = toMake.slice(from, from + STEP)
    const oids = await git.writeCommits({
      directory,
      commits: maker.commits(step, oidOf),
      deadlineMs: services.config.gitSecondsMax * 1000,
    })
    for (const [at, { id }] of step.entries())
      made.set(id, assertDefined(oids[at], 'git answers with one id for each commit, in their order'))
    await record(services, spaceId, step, maker, made)
    await keepIds(directory, step)
  }
  const isToMake = new Set(toMake)
  const others = missing.filter(row => !isToMake.has(row))
  for (const { id } of others) {
    if (made.has(id)) continue
    made.set(id, assertDefined(oidOf(maker.originOf(id)), 'the commit of an earlier revision is made by now'))
  }
  await record(services, spaceId, others, maker, made)
  await keepIds(directory, others)
  return made
}

const keepIds = (directory: string, rows: readonly HistoryRow[]): Promise<void> =>
  appendFile(join(directory, REVISIONS_FILE), rows.map(({ id }) => `${id}\n`).join(''))

/** Stores what the commits were made from. */
async function record(
  { db, log }: Services,
  spaceId: string,
  step: readonly HistoryRow[],
  maker: CommitMaker,
  made: ReadonlyMap<string, string>,
): Promise<void> {
  const oidOf = (id: string): string => assertDefined(made.get(id), 'each revision of the step has a commit')
  const fresh = step.filter(({ commit }) => commit === null).map(({ id }) => id)
  if (fresh.length > 0) {
    await insertCommits(
      db,
      fresh.map(id => ({
        revision_id: id,
        space_id: spaceId,
        oid: oidOf(id),
        ...maker.wordsOf(id),
      })),
    )
    const rows = await findCommits(db, fresh)
    // Another process made them at the same time, and somebody changed their name in between.
    if (rows.some(({ revision_id, oid }) => made.get(revision_id) !== oid))
      throw new Failure('unavailable', 'git_failed', 'The repository changed while it was made. Try again.')
  }
  for (const { id, commit } of step) {
    const oid = oidOf(id)
    if (commit === null || commit.oid === oid) continue
    log.warn({ space: spaceId, revision: id, was: commit.oid, oid }, 'a commit differs from before')
    await replaceCommit(db, { revision_id: id, oid })
  }
}

/** In the format of `git pack-refs`. A branch without a commit is left out. */
const packedRefs = (branches: readonly Branch[]): string => {
  const lines = branches.map(({ name, oid }) => `${oid} refs/heads/${name}\n`)
  const sorted = lines.toSorted((one, other) => (one.slice(41) < other.slice(41) ? -1 : 1))
  return `# pack-refs with: peeled fully-peeled sorted \n${sorted.join('')}`
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`
  await writeFile(unfinished, text)
  await rename(unfinished, path)
}
