// Finds the issues of ingested conversations, in batches.
import { now } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Issue } from '../../engines/conversations/issues.ts'
import type { Services } from '../../http/context.ts'
import { storable } from '../../platform/db/text.ts'
import { findReworded, type NewIssue, replaceIssues } from './issue-rows.ts'
import { findWaiting, markProcessed, type WaitingConversation } from './rows.ts'
import { forgetWordsOf, lockClusters } from './written-clusters.ts'

// In one task of the pool.
const CONVERSATIONS_AT_ONCE = 200
const CHARACTERS_AT_ONCE = 500_000

/** Until no conversation waits. A conversation ingested again meanwhile waits again. */
export async function readConversations(
  services: Services,
  organizationId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const waiting = await findWaiting(services.db, organizationId, CONVERSATIONS_AT_ONCE, CHARACTERS_AT_ONCE)
    if (waiting.length === 0) return
    const issues = await findIssues(services, organizationId, waiting)
    await services.transaction(async trx => {
      await lockClusters(trx, organizationId)
      const current = await markProcessed(trx, waiting, now())
      const found = issues.filter(({ conversation_id }) => current.has(conversation_id))
      const reworded = await findReworded(trx, [...current], found)
      await replaceIssues(trx, organizationId, [...current], found)
      await forgetWordsOf(trx, reworded)
    })
  }
  signal.throwIfAborted()
}

/** A conversation that takes too much to read has no issues, and does not block the others. */
async function findIssues(
  services: Pick<Services, 'compute' | 'log'>,
  organizationId: string,
  waiting: readonly WaitingConversation[],
): Promise<NewIssue[]> {
  const outcome = await services.compute.run('conversationIssues', organizationId, {
    conversations: waiting.map(({ subject, parts }) => ({ subject, messages: parts })),
  })
  if (outcome.kind === 'done')
    return waiting.flatMap((conversation, at) => toRows(conversation, outcome.value[at] ?? []))
  if (waiting.length > 1) {
    const alone: NewIssue[] = []
    for (const one of waiting) alone.push(...(await findIssues(services, organizationId, [one])))
    return alone
  }
  services.log.warn({ conversation: waiting[0]?.id }, 'a conversation was too much to be read')
  return []
}

const toRows = (
  { id: conversation_id, created_at }: WaitingConversation,
  issues: readonly Issue[],
): NewIssue[] =>
  issues.map(({ title, summary, body }, position) => ({
    id: newId(),
    conversation_id,
    position,
    title: storable(title),
    summary: storable(summary),
    body: storable(body),
    created_at,
  }))
