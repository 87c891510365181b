// Jobs after an ingestion: finding the issues of conversations, then the clusters of all issues.
import type { Services } from '../../http/context.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { handle, type JobHandler } from '../../platform/jobs/runner.ts'
import { clusterIssues } from './cluster.ts'
import { READ_CONVERSATIONS } from './ingest.ts'
import { countIssues } from './issue-rows.ts'
import { readConversations } from './read.ts'

const CLUSTER_ISSUES = jobType<{ organization: string }>('conversations.cluster')

export const conversationJobs = (services: Services): JobHandler[] => [
  handle(READ_CONVERSATIONS, async ({ organization }, { signal }) => {
    await readConversations(services, organization, signal)
    await services.transaction(async trx => {
      const delaySeconds = delayFor(await countIssues(trx, organization))
      await services.jobs.enqueue(trx, CLUSTER_ISSUES, { organization }, { key: organization, delaySeconds })
    })
  }),
  handle(CLUSTER_ISSUES, ({ organization }, { signal }) => clusterIssues(services, organization, signal)),
]

// All issues are compared anew: the more there are, the longer the delay for further ones.
const ISSUES_AT_ONCE = 2_000
const ISSUES_PER_SECOND = 500
const DELAY_SECONDS_MAX = 60

const delayFor = (issues: number): number =>
  issues <= ISSUES_AT_ONCE ? 0 : Math.min(DELAY_SECONDS_MAX, issues / ISSUES_PER_SECOND)
