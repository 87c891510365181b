// Background jobs on the caches of repositories.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../http/context.ts'
import { dropCache } from '../../platform/git/cache.ts'
import { historiesFolder } from './history.ts'
import { dropLeftProbes } from './probe.ts'
import { repositoriesFolder } from './repository.ts'
import { findSpaces } from './rows.ts'

// Per query.
const SPACES_AT_ONCE = 500

type JobServices = Pick<Services, 'config' | 'db' | 'log'>

/** Removes what was fetched for purged spaces, or to look at it; returns the number of caches. */
export const removeLostRepositories = async (services: JobServices): Promise<number> =>
  (await dropLeftProbes(services.config)) +
  (await removeLostCaches(services, repositoriesFolder(services.config))) +
  (await removeLostCaches(services, historiesFolder(services.config)))

/** Removes caches named after purged spaces. */
export async function removeLostCaches(
  services: Pick<JobServices, 'db' | 'log'>,
  folder: string,
): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (let start = 0; start < names.length; start += SPACES_AT_ONCE) {
    const some = names.slice(start, start + SPACES_AT_ONCE)
    const there = await findSpaces(services.db, some)
    for (const name of some) {
      if (there.has(name)) continue
      await dropCache(join(folder, name))
      removed += 1
    }
  }
  if (removed > 0)
    services.log.info({ folder, repositories: removed }, 'removed repositories of purged spaces')
  return removed
}
