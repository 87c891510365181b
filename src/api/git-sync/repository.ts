// The repository of a space: its cache in the home folder, and git for it.
import { join } from 'node:path'
import type { Services } from '../../http/context.ts'
import { createGit } from '../../platform/git/git.ts'
import type { Commit } from '../../platform/git/objects.ts'
import type { TreeSource } from '../../platform/tree-source.ts'
import type { Problem } from './layout/problems.ts'
import type { SyncRequest } from './request.ts'
import type { Layout } from './schema.ts'

export type OpenedTree = {
  readonly tree: TreeSource
  /** Absent for a folder. */
  readonly commit?: Pick<Commit, 'oid' | 'message' | 'author'>
  /** ISO 8601. */
  readonly madeAt: string
  /** Only for a folder or an archive. */
  readonly layout?: Layout
  /** What could not be converted from another layout. */
  readonly problems?: readonly Problem[]
  /** The new path of each file that was converted, by its old one. */
  readonly paths?: ReadonlyMap<string, string>
  /** Ends the git process that reads it. */
  close?(): void
}

// Its only state is whether git was found, so the process needs one.
export const git = createGit()

export const repositoriesFolder = (config: Pick<Services['config'], 'home'>): string =>
  join(config.home, 'repositories')

/** One cache per space, so that no space reads what was fetched for another. */
export const cacheOf = (config: Pick<Services['config'], 'home'>, spaceId: string): string =>
  join(repositoriesFolder(config), spaceId)

/** Fetches the commit into the cache of the space, and leaves it open. */
export async function openRepository(
  { config, guard }: Pick<Services, 'config' | 'guard'>,
  spaceId: string,
  { remote, ref }: Pick<SyncRequest, 'remote' | 'ref'>,
  signal: AbortSignal,
  onProgress: (dispatched: number, completed: number) => void,
): Promise<OpenedTree & { readonly commit: NonNullable<OpenedTree['commit']> }> {
  const { commit, tree, close } = await git.openCommit({
    directory: cacheOf(config, spaceId),
    remote,
    ref,
    guard,
    deadlineMs: config.gitSecondsMax * 1000,
    bytesMax: config.repositoryBytesMax,
    signal,
    onProgress: ({ done, total }) => onProgress(total, done),
  })
  return { commit, tree, madeAt: commit.authoredAt, close }
}
