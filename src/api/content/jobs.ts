// Background jobs of content.
import type { Services } from '../../http/context.ts'
import type { Events } from '../../platform/events/append.ts'
import { type Jobs, jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { takeOwnRows } from './own-rows.ts'
import { PREPARE_DOCUMENTS, prepareDocuments } from './prepare-documents.ts'
import { listenAsPublishedReferences, publishComputed } from './published-references.ts'
import { noteObjectsPurged } from './sweep.ts'

const FORK_PROJECTION = jobType<{ space: string }>('content.fork_projection')
/** Enqueued by the migration that begins to record what heads publish. */
const PUBLISH_COMPUTED = jobType<{ space: string; root: string }>('content.publish_computed')

/** A duplicate shares live rows with its origin; copying them is left to a job, so that duplicating stays cheap. */
export function listenAsContent(events: Events, jobs: Jobs): void {
  events.within('space.duplicated', (trx, { spaceId }) =>
    spaceId ? jobs.enqueue(trx, FORK_PROJECTION, { space: spaceId }, { key: spaceId }) : Promise.resolve(),
  )
  listenAsPublishedReferences(events)
  events.within('space.purged', trx => noteObjectsPurged(trx))
}

export const contentJobs = (services: Services): JobHandler[] => [
  handle(PREPARE_DOCUMENTS, ({ changeRequest }) => prepareDocuments(services, changeRequest)),
  handle(PUBLISH_COMPUTED, ({ space, root }) => publishComputed(services, space, root)),
  handle(FORK_PROJECTION, ({ space }) => takeOwnRows(services, space)),
]
