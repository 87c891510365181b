// Background jobs on the repositories of spaces.
import type { Services } from '../../http/context.ts'
import { removeLostCaches } from '../git-sync/jobs.ts'
import { remotesFolder } from './repository.ts'

/** Removes those of purged spaces; returns their number. */
export const removeLostRemotes = (services: Pick<Services, 'config' | 'db' | 'log'>): Promise<number> =>
  removeLostCaches(services, remotesFolder(services.config))
