// Ingesting and deleting conversations. Each verb is one transaction; jobs find their issues.
import { actorIdOf, type Principal } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { invalid, tooLarge } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { pause } from '../../base/slices.ts'
import type { Context } from '../../http/context.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import { storable } from '../../platform/db/text.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { findQuoting } from './issue-rows.ts'
import type { ConversationAt } from './place.ts'
import { type NewConversation, removeConversation, upsertConversations } from './rows.ts'
import { CONVERSATION_CHARACTERS_MAX, type ConversationInput, type IngestConversations } from './schema.ts'
import { forgetWordsOf, lockClusters } from './written-clusters.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    // Without any content: events are never rewritten, but conversations can be deleted for good.
    'conversations.ingested': { source: string; count: number }
    'conversation.deleted': { conversation: string }
  }
}

/** Reads ingested conversations, and describes changed clusters. One pending job for each organization. */
export const READ_CONVERSATIONS = jobType<{ organization: string }>('conversations.read')

export const enqueueReading = (
  trx: Trx,
  { jobs }: Pick<Context, 'jobs'>,
  organization: string,
): Promise<void> => jobs.enqueue(trx, READ_CONVERSATIONS, { organization }, { key: organization })

/** The source of a conversation: an installation of an integration, or email for a person. */
const sourceOf = (principal: Principal): string =>
  principal.kind === 'installation'
    ? `integration:${principal.integration}:${principal.installationId}`
    : 'email'

/** All or none. Of two with the same id, the later one wins. */
export async function ingest(
  context: Context,
  organizationId: string,
  body: IngestConversations,
): Promise<void> {
  const source = sourceOf(context.principal)
  const rows = await toRows(body)
  if (rows.length === 0) return
  await context.transaction(async trx => {
    for (const portion of portionsOf(rows)) {
      await upsertConversations(trx, organizationId, source, portion)
      await pause()
    }
    await enqueueReading(trx, context, organizationId)
    await context.events.append(trx, {
      type: 'conversations.ingested',
      organizationId,
      actorId: actorIdOf(context.principal),
      payload: { source, count: rows.length },
    })
  })
}

/** In the order of their ids, so that concurrent requests do not deadlock. */
async function toRows(body: IngestConversations): Promise<NewConversation[]> {
  const byId = new Map<string, NewConversation>()
  const isList = Array.isArray(body)
  for (const [at, one] of (isList ? body : [body]).entries()) {
    const row = toRow(one, isList ? `body.${at}` : 'body')
    byId.set(row.external_id, row)
    await pause()
  }
  return [...byId.values()].sort((a, b) => (a.external_id < b.external_id ? -1 : 1))
}

// In one statement: more would block the thread.
const PORTION_CHARACTERS = 500_000

function* portionsOf(rows: readonly NewConversation[]): Generator<NewConversation[]> {
  let portion: NewConversation[] = []
  let characters = 0
  for (const row of rows) {
    portion.push(row)
    characters += row.characters
    if (characters < PORTION_CHARACTERS) continue
    yield portion
    portion = []
    characters = 0
  }
  if (portion.length > 0) yield portion
}

function toRow({ id, subject, metadata = {}, parts }: ConversationInput, where: string): NewConversation {
  const { createdAt, url, attributes } = metadata
  const date = createdAt === undefined ? undefined : readDate(createdAt, `${where}.metadata.createdAt`)
  const kept = parts.map(({ type, role, body }) => ({ type, role, body: storable(body) }))
  const characters = kept.reduce((sum, { body }) => sum + body.length, subject?.length ?? 0)
  if (characters > CONVERSATION_CHARACTERS_MAX)
    throw tooLarge(
      'conversation_too_large',
      `${where}.parts: at most ${CONVERSATION_CHARACTERS_MAX} characters in all. Leave out what is quoted.`,
    )
  return {
    id: newId(),
    external_id: storable(id),
    subject: subject === undefined ? null : storable(subject),
    url: url ?? null,
    attributes:
      attributes === undefined
        ? null
        : Object.fromEntries(
            Object.entries(attributes).map(([name, value]) => [storable(name), storable(value)]),
          ),
    parts: kept,
    characters,
    created_at: (date ?? now()).toISOString(),
    is_dated: date !== undefined,
  }
}

// Tolerates clock skew and confused time zones.
const AHEAD_MS_MAX = 24 * 60 * 60 * 1000
const EARLIEST = new Date('1970-01-01T00:00:00Z')

function readDate(text: string, where: string): Date {
  const date = new Date(text)
  if (Number.isNaN(date.getTime()) || date < EARLIEST || date.getTime() > now().getTime() + AHEAD_MS_MAX)
    throw invalid('date_invalid', `${where}: this has to be a time since 1970 that is not in the future.`)
  return date
}

/**
 * With its issues and what clusters quote of it; a job describes those clusters anew. Idempotent: succeeds if already
 * deleted.
 */
export async function deleteConversation(
  context: SignedInContext,
  { organization, conversation }: ConversationAt,
): Promise<void> {
  await context.transaction(async trx => {
    // A clustering under way may put its issues into clusters that quote them then.
    await lockClusters(trx, organization.id)
    const clusters = await findQuoting(trx, conversation)
    if ((await removeConversation(trx, conversation.id)) === undefined) return
    await forgetWordsOf(trx, clusters)
    await enqueueReading(trx, context, organization.id)
    await context.events.append(trx, {
      type: 'conversation.deleted',
      organizationId: organization.id,
      actorId: context.principal.user.id,
      payload: { conversation: conversation.id },
    })
  })
}
