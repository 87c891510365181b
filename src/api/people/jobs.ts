import type { Services } from '../../http/context.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { completeErasing, ERASE_PERSON } from './erase.ts'

export const peopleJobs = (services: Services): JobHandler[] => [
  handle(ERASE_PERSON, ({ user }, { signal }) => completeErasing(services, user, signal)),
]
