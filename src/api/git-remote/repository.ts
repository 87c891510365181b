// The repository of a space on the disk: a cache of commits that are made from its revisions when somebody fetches, and
// can be made again.
import { appendFile, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { dropCache, prepareCache } from '../../platform/git/cache.ts'
import { createTurns } from '../../platform/turns.ts'
import { git } from '../git-sync/repository.ts'
import { createSource, EMPTY_TREE } from '../git-sync/sources.ts'
import { CommitMaker, findMissing } from './commits.ts'
import {
  type Branch,
  findCommits,
  type HistoryRow,
  insertCommits,
  listBranches,
  listHistory,
  replaceCommit,
} from './rows.ts'

export const remotesFolder = (config: Pick<Services['config'], 'home'>): string =>
  join(config.home, 'remotes')

// Ids of the revisions whose commits are in the cache, a line each.
const REVISIONS_FILE = 'octavo-revisions'
const REFS_FILE = 'packed-refs'
const HEAD = 'ref: refs/heads/main\n'
// Commits that are made in one step: what is interrupted goes on with the next one.
const STEP = 1_000
// Each step leaves a pack, and a cache of more than 50 is made anew.
const PACKS_MAX = 20
// The first clone of a long history takes long. Clients that wait for longer are told to come again.
const { takeTurn } = createTurns(60_000)

/**
 * Brings the repository to what the space is now, and answers its folder.
 *
 * @throws Failure unavailable: `busy`, `git_failed`, `git_timeout`, `git_not_installed`, `content_unreadable`.
 */
export function updateRemote(services: Services, spaceId: string): Promise<string> {
  const directory = join(remotesFolder(services.config), spaceId)
  return takeTurn(directory, async () => {
    const branches = await listBranches(services.db, spaceId)
    if ((await readText(join(directory, REFS_FILE))) === refsOf(branches)) return directory
    try {
      await makeMissing(services, spaceId, directory, branches)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'git_failed') throw error
      services.log.warn({ err: error, space: spaceId }, 'a repository is made anew')
      await dropCache(directory)
      await makeMissing(services, spaceId, directory, branches)
    }
    return directory
  })
}

async function makeMissing(
  services: Services,
  spaceId: string,
  directory: string,
  branches: readonly Branch[],
): Promise<void> {
  await prepareCache(directory, `space:${spaceId}`, Number.POSITIVE_INFINITY)
  const signal = new AbortController().signal
  const source = createSource(services, spaceId, EMPTY_TREE, [], signal)
  const history = new Map((await listHistory(services.db, spaceId)).map(row => [row.id, row]))
  const there = new Set((await readText(join(directory, REVISIONS_FILE))).split('\n'))
  const isThere = (id: string) => there.has(id) && history.get(id)?.commit != null
  const tips = branches.map(({ revisionId }) => revisionId)
  const missing = findMissing(history, tips, isThere)
  const maker = new CommitMaker(services, source, history)
  const made = new Map<string, string>()
  const oidOf = (id: string) => made.get(id) ?? history.get(id)?.commit?.oid
  for (let from = 0; from < missing.length; from += STEP) {
    const step = missing.slice(from, from + STEP)
    const oids = await git.writeCommits({
      directory,
      commits: maker.commits(step, oidOf),
      deadlineMs: services.config.gitSecondsMax * 1000,
    })
    for (const [at, { id }] of step.entries()) made.set(id, oids[at]!)
    await record(services, spaceId, step, maker, made)
    await appendFile(join(directory, REVISIONS_FILE), step.map(({ id }) => `${id}\n`).join(''))
  }
  await replaceFile(join(directory, 'HEAD'), HEAD)
  const packs = (await readdir(join(directory, 'objects', 'pack'))).filter(name => name.endsWith('.pack'))
  if (packs.length > PACKS_MAX)
    await git.repack({ directory, deadlineMs: services.config.gitSecondsMax * 1000 })
  const refs = branches.map(branch => ({ ...branch, oid: oidOf(branch.revisionId) ?? null }))
  await replaceFile(join(directory, REFS_FILE), refsOf(refs))
}

/** Writes down what made the commits. */
async function record(
  { db, log }: Services,
  spaceId: string,
  step: readonly HistoryRow[],
  maker: CommitMaker,
  made: ReadonlyMap<string, string>,
): Promise<void> {
  const fresh = step.filter(({ commit }) => commit === null).map(({ id }) => id)
  if (fresh.length > 0) {
    await insertCommits(
      db,
      fresh.map(id => ({
        revision_id: id,
        space_id: spaceId,
        oid: made.get(id)!,
        ...maker.wordsOf(id),
      })),
    )
    const rows = await findCommits(db, fresh)
    // Another process made them at the same moment, and somebody changed their name between the two.
    if (rows.some(({ revision_id, oid }) => made.get(revision_id) !== oid))
      throw new Failure('unavailable', 'git_failed', 'The repository changed while it was made. Try again.')
  }
  for (const { id, commit } of step) {
    const oid = made.get(id)!
    if (commit === null || commit.oid === oid) continue
    log.warn({ space: spaceId, revision: id, was: commit.oid, oid }, 'a commit is another than before')
    await replaceCommit(db, { revision_id: id, oid })
  }
}

/** In the form of `git pack-refs`. A branch without its commit is in no file. */
const refsOf = (branches: readonly Branch[]): string => {
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
