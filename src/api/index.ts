// Everything that the resources provide: operations and their groups, listeners, job handlers and scheduled work. The
// composition root, the OpenAPI document and the tests read it.

import type { Services } from '../http/context.ts'
import { removeOldKeys } from '../http/idempotency-rows.ts'
import type { Operation } from '../http/operation.ts'
import type { Events } from '../platform/events/append.ts'
import { placeEvents } from '../platform/events/positions.ts'
import type { Jobs } from '../platform/jobs/queue.ts'
import type { JobHandler } from '../platform/jobs/runner.ts'
import { removeOldUse } from '../platform/model/use.ts'
import { flushTokenUses, purgeExpiredTokens } from './accounts/jobs.ts'
import { accountOperations } from './accounts/routes.ts'
import { listenAsAgentTasks } from './agent-tasks/listeners.ts'
import { agentTaskOperations } from './agent-tasks/routes.ts'
import { askOperations } from './ask/routes.ts'
import { auditOperations } from './audit/routes.ts'
import { listenAsChangeRequests } from './change-requests/listeners.ts'
import { changeRequestOperations } from './change-requests/routes.ts'
import { changeOperations } from './changes/routes.ts'
import { collectionOperations } from './collections/routes.ts'
import { listenAsComments } from './comments/follow.ts'
import { commentOperations } from './comments/routes.ts'
import { contentJobs, listenAsContent } from './content/jobs.ts'
import { sweepFiles } from './content/name-blobs.ts'
import { removeUnusedRows } from './content/own-rows.ts'
import { rebuildLinks } from './content/rebuild-links.ts'
import { rebuildWords } from './content/rebuild-words.ts'
import { contentOperations } from './content/routes.ts'
import { sweepObjectsWhenDue } from './content/sweep.ts'
import { conversationJobs } from './conversations/jobs.ts'
import { conversationOperations } from './conversations/routes.ts'
import { removeOldUploads } from './edits/request/uploads.ts'
import { editOperations } from './edits/routes.ts'
import { embeddingJobs, prepareEmbeddings } from './embeddings/jobs.ts'
import { eventOperations } from './events/routes.ts'
import { removeLostRemotes } from './git-remote/jobs.ts'
import { removeLostRepositories } from './git-sync/jobs.ts'
import { markInterrupted } from './git-sync/operation.ts'
import { gitOperations } from './git-sync/routes.ts'
import { glossaryOperations } from './glossary/routes.ts'
import { listenAsGrants } from './grants/listeners.ts'
import { grantOperations } from './grants/routes.ts'
import { removeOldEvents } from './integrations/jobs.ts'
import { listenAsIntegrations } from './integrations/listeners.ts'
import { integrationOperations } from './integrations/routes.ts'
import { invitationJobs } from './invitations/jobs.ts'
import { listenAsInvitations } from './invitations/listeners.ts'
import { invitationOperations } from './invitations/routes.ts'
import { signInLinkOperations } from './invitations/sign-in-link-routes.ts'
import { finishRotations } from './keys/rotate.ts'
import { linkOperations } from './links/routes.ts'
import { liveOperations } from './live/routes.ts'
import { listenAsMembers } from './members/listeners.ts'
import { memberOperations } from './members/routes.ts'
import { knownConflictJobs, listenAsKnownConflicts } from './merges/known-conflicts.ts'
import { mergeOperations } from './merges/routes.ts'
import { moveOperations } from './moves/routes.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { listenAsNotifications } from './notifications/listeners.ts'
import { notificationOperations } from './notifications/routes.ts'
import { removeOldNotifications } from './notifications/rows.ts'
import { watchOperations } from './notifications/watch-routes.ts'
import { purgeOauth } from './oauth/jobs.ts'
import { oauthOperations } from './oauth/routes.ts'
import { openapiJobs, refreshSpecs } from './openapi-specs/jobs.ts'
import { openapiOperations } from './openapi-specs/routes.ts'
import { organizationOperations } from './organizations/routes.ts'
import { peopleJobs } from './people/jobs.ts'
import { letGo } from './people/retention.ts'
import { peopleOperations } from './people/routes.ts'
import { printOperations } from './print/routes.ts'
import { renderingOperations } from './rendering/routes.ts'
import { listenAsReviews } from './reviews/listeners.ts'
import { reviewOperations } from './reviews/routes.ts'
import { listenAsScim } from './scim/listeners.ts'
import { scimOperations } from './scim/routes.ts'
import { searchOperations } from './search/routes.ts'
import { factorOperations } from './sessions/factor-routes.ts'
import { flushSessionUses, purgeSessions, sessionJobs } from './sessions/jobs.ts'
import { sessionOperations } from './sessions/routes.ts'
import { purgeSpaces } from './spaces/jobs.ts'
import { spaceOperations } from './spaces/routes.ts'
import { removeOldRequests } from './sso/requests.ts'
import { ssoOperations } from './sso/routes.ts'
import { listenAsSyncs } from './syncs/listeners.ts'
import { syncOperations } from './syncs/routes.ts'
import { runDueSyncs } from './syncs/run.ts'
import { teamOperations } from './teams/routes.ts'
import { templateOperations } from './templates/routes.ts'
import { timelineOperations } from './timelines/routes.ts'
import { flushLinkUses } from './visitors/jobs.ts'
import { listenAsVisitors } from './visitors/listeners.ts'
import { visitorOperations } from './visitors/routes.ts'
import { sweepDeliveries } from './webhooks/jobs.ts'
import { listenAsWebhooks } from './webhooks/listeners.ts'
import { webhookOperations } from './webhooks/routes.ts'

/** In the order of the modules (tools/layers.ts). */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...organizationOperations,
  ...memberOperations,
  ...sessionOperations,
  ...factorOperations,
  ...oauthOperations,
  ...teamOperations,
  ...collectionOperations,
  ...spaceOperations,
  ...moveOperations,
  ...grantOperations,
  ...invitationOperations,
  ...signInLinkOperations,
  ...visitorOperations,
  ...changeRequestOperations,
  ...contentOperations,
  ...changeOperations,
  ...linkOperations,
  ...printOperations,
  ...editOperations,
  ...templateOperations,
  ...commentOperations,
  ...reviewOperations,
  ...mergeOperations,
  ...timelineOperations,
  ...glossaryOperations,
  ...searchOperations,
  ...openapiOperations,
  ...renderingOperations,
  ...gitOperations,
  ...ssoOperations,
  ...scimOperations,
  ...integrationOperations,
  ...syncOperations,
  ...agentTaskOperations,
  ...conversationOperations,
  ...askOperations,
  ...auditOperations,
  ...eventOperations,
  ...liveOperations,
  ...webhookOperations,
  ...notificationOperations,
  ...watchOperations,
  ...peopleOperations,
]

/** The groups of the API reference. */
export const tags = Object.entries({
  Accounts:
    'Who you are, your tokens, the programs that act for you, and the browsers you are signed in with.',
  Notifications: 'What you are told of, and what you watch.',
  Organizations: 'Where people and spaces belong.',
  Members: 'The people of an organization, guests included.',
  Teams: 'Groups of people in an organization that roles are granted to.',
  Collections: 'Ordered groups of spaces and other collections.',
  Spaces: 'A space is a tree of pages with its files and its history.',
  Permissions: 'Who has which role on a space or a collection, and why.',
  Visitors: 'Opening a space to people who do not belong to it.',
  Invitations: 'How people join: by email address, by link, or by email domain.',
  Content: 'The pages, files and documents of a space, at its head or at any revision.',
  'Change requests':
    'Proposals: a branch of a space with its own head, to be discussed, reviewed and merged.',
  Comments: 'Comments on a space, a change request or a place in them, and replies.',
  Reviews: 'Reviewing a change request before it is merged.',
  Merging: 'Merging a change request into its space, or updating it from the space.',
  Glossary: 'The terms of an organization in each language.',
  Search: 'Finding a page by its words.',
  Ask: 'Questions answered from the documentation.',
  OpenAPI: 'Descriptions of HTTP interfaces, and their versions.',
  Templates: 'Pages to start with, made by an organization.',
  Git: 'Importing a space from a repository, exporting it, and keeping both in sync.',
  'Single sign-on': 'Identity providers that people of an organization sign in with.',
  Integrations: 'Programs with their own tokens, and their installations.',
  Conversations: 'Conversations of customers with support, their issues, and content to write about them.',
  Audit: 'Who did what in an organization, and from where.',
  Events: 'What happens, as a feed and as webhooks.',
}).map(([name, description]) => ({ name, description }))

/** Subscribes every module that acts within the transaction that appends an event. */
export function listen(events: Events, jobs: Jobs, compute: Services['compute']): void {
  listenAsMembers(events)
  listenAsGrants(events)
  listenAsInvitations(events)
  listenAsVisitors(events)
  listenAsContent(events, jobs)
  listenAsComments(events, compute)
  listenAsChangeRequests(events)
  listenAsReviews(events)
  listenAsKnownConflicts(events, jobs)
  listenAsScim(events)
  listenAsIntegrations(events)
  listenAsSyncs(events)
  listenAsAgentTasks(events)
  listenAsWebhooks(events)
  listenAsNotifications(events, jobs)
}

/** The handlers of the jobs in which modules act after that transaction. */
export const jobHandlers = (services: Services): JobHandler[] => [
  ...sessionJobs(services),
  ...invitationJobs(services),
  ...contentJobs(services),
  ...embeddingJobs(services),
  ...openapiJobs(services),
  ...conversationJobs(services),
  ...knownConflictJobs(services),
  ...notificationJobs(services),
  ...peopleJobs(services),
]

/** Scheduled work. `everySeconds` is per process; each job is safe to run in several at once. */
export const schedule: readonly {
  readonly name: string
  readonly everySeconds: number
  readonly run: (services: Services) => Promise<unknown>
}[] = [
  { name: 'accounts.flushTokenUses', everySeconds: 60, run: flushTokenUses },
  { name: 'accounts.purgeExpiredTokens', everySeconds: 3600, run: purgeExpiredTokens },
  { name: 'http.removeOldKeys', everySeconds: 3600, run: services => removeOldKeys(services.db) },
  { name: 'model.removeOldUse', everySeconds: 3600, run: services => removeOldUse(services.db) },
  { name: 'sessions.flushUses', everySeconds: 60, run: flushSessionUses },
  { name: 'visitors.flushLinkUses', everySeconds: 60, run: flushLinkUses },
  { name: 'sessions.purge', everySeconds: 3600, run: purgeSessions },
  { name: 'oauth.purge', everySeconds: 3600, run: purgeOauth },
  { name: 'spaces.purge', everySeconds: 3600, run: purgeSpaces },
  { name: 'sso.removeOldRequests', everySeconds: 600, run: services => removeOldRequests(services.db) },
  { name: 'content.removeUnusedRows', everySeconds: 3600, run: services => removeUnusedRows(services) },
  { name: 'content.rebuildLinks', everySeconds: 3600, run: rebuildLinks },
  { name: 'content.rebuildWords', everySeconds: 3600, run: rebuildWords },
  { name: 'embeddings.prepare', everySeconds: 24 * 3600, run: prepareEmbeddings },
  { name: 'openapi.refresh', everySeconds: 3600, run: refreshSpecs },
  { name: 'content.sweep', everySeconds: 24 * 3600, run: sweepObjectsWhenDue },
  { name: 'edits.removeOldUploads', everySeconds: 3600, run: removeOldUploads },
  { name: 'content.sweepFiles', everySeconds: 3600, run: sweepFiles },
  { name: 'events.place', everySeconds: 60, run: placeEvents },
  { name: 'integrations.removeOldEvents', everySeconds: 3600, run: removeOldEvents },
  {
    name: 'notifications.removeOld',
    everySeconds: 3600,
    run: services => removeOldNotifications(services.db),
  },
  { name: 'webhooks.sweep', everySeconds: 3600, run: sweepDeliveries },
  { name: 'keys.finishRotations', everySeconds: 3600, run: finishRotations },
  { name: 'people.letGo', everySeconds: 3600, run: letGo },
  { name: 'git.removeLostRepositories', everySeconds: 24 * 3600, run: removeLostRepositories },
  { name: 'git.removeLostRemotes', everySeconds: 24 * 3600, run: removeLostRemotes },
  { name: 'syncs.run', everySeconds: 15, run: runDueSyncs },
  {
    name: 'git.markInterrupted',
    everySeconds: 30,
    run: services => markInterrupted(services, { all: false }),
  },
]
