// Everything the resources offer: three lists, read by the composition root, the OpenAPI document and the tests.

import type { Services } from '../http/context.ts'
import type { Operation } from '../http/operation.ts'
import type { Events } from '../platform/events/append.ts'
import type { Jobs } from '../platform/jobs/queue.ts'
import type { JobHandler } from '../platform/jobs/runner.ts'
import { flushTokenUses } from './accounts/jobs.ts'
import { accountOperations } from './accounts/routes.ts'
import { contentJobs, listenAsContent } from './content/jobs.ts'
import { contentOperations } from './content/routes.ts'
import { sweepObjects } from './content/sweep.ts'
import { markInterrupted } from './git-sync/import.ts'
import { removeLostRepositories } from './git-sync/jobs.ts'
import { gitOperations } from './git-sync/routes.ts'
import { listenAsMembers } from './members/listeners.ts'
import { organizationOperations } from './organizations/routes.ts'
import { searchOperations } from './search/routes.ts'
import { purgeSpaces } from './spaces/jobs.ts'
import { spaceOperations } from './spaces/routes.ts'

/** In the order of the staircase. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...organizationOperations,
  ...spaceOperations,
  ...contentOperations,
  ...searchOperations,
  ...gitOperations,
]

/** The groups of the API reference. */
export const tags = [
  { name: 'Accounts', description: 'Who you are, and your tokens.' },
  { name: 'Organizations', description: 'Where people and spaces belong.' },
  {
    name: 'Spaces',
    description: 'A space is one documentation: a tree of pages and its files, with its history.',
  },
  {
    name: 'Content',
    description: 'The pages, files and documents of a space, at its head or at any revision.',
  },
  { name: 'Search', description: 'Finding a page by its words.' },
  { name: 'Git', description: 'Keeping a space with a repository.' },
] as const

/** Left tells, right listens: what happens within the transaction that tells. */
export function listen(events: Events, jobs: Jobs): void {
  listenAsMembers(events)
  listenAsContent(events, jobs)
}

/** What happens after it, as jobs. */
export const jobHandlers = (services: Services): JobHandler[] => [...contentJobs(services)]

/** What runs by the clock. `everySeconds` is per process; each job is safe to run in several at once. */
export const schedule: readonly {
  readonly name: string
  readonly everySeconds: number
  readonly run: (services: Services) => Promise<unknown>
}[] = [
  { name: 'accounts.flushTokenUses', everySeconds: 60, run: flushTokenUses },
  { name: 'spaces.purge', everySeconds: 3600, run: purgeSpaces },
  { name: 'content.sweep', everySeconds: 24 * 3600, run: sweepObjects },
  { name: 'git.removeLostRepositories', everySeconds: 24 * 3600, run: removeLostRepositories },
  {
    name: 'git.markInterrupted',
    everySeconds: 30,
    run: services => markInterrupted(services, { all: false }),
  },
]
