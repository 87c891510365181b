// Conversations that are older than an organization keeps them.
import type { Services } from '../../http/context.ts'
import { enqueueReading } from './ingest.ts'
import { findQuoting } from './issue-rows.ts'
import { removeConversation } from './rows.ts'
import { forgetWordsOf, lockClusters } from './written-clusters.ts'

const AT_ONCE = 50

/**
 * Deletes at most `AT_ONCE` conversations that began before a time, the oldest first, each as if somebody deleted it.
 * Returns how many; fewer than `AT_ONCE`: there are no more.
 */
export const removeConversationsBefore = (
  services: Pick<Services, 'transaction' | 'jobs'>,
  organizationId: string,
  before: Date,
): Promise<{ readonly removed: number; readonly isDone: boolean }> =>
  services.transaction(async trx => {
    await lockClusters(trx, organizationId)
    const old = await trx
      .selectFrom('conversations')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('created_at', '<', before)
      .orderBy('created_at')
      .orderBy('id')
      .limit(AT_ONCE)
      .execute()
    const clusters = new Set<string>()
    for (const conversation of old) {
      for (const cluster of await findQuoting(trx, conversation)) clusters.add(cluster)
      await removeConversation(trx, conversation.id)
    }
    await forgetWordsOf(trx, [...clusters])
    if (old.length > 0) await enqueueReading(trx, services, organizationId)
    return { removed: old.length, isDone: old.length < AT_ONCE }
  })
