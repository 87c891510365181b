// Disconnects a space from its repository.
import { orMissing } from '../../base/errors.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { lockSpace } from '../spaces/rows.ts'
import { deleteLink, disconnectRunning } from './rows.ts'
import { forgetTips } from './tips.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.repository_disconnected': Record<string, never>
  }
}

/**
 * Its content and the repository stay. Idempotent: succeeds if there is none. Running operations continue, but do not
 * connect the space again.
 */
export const disconnectRepository = (
  { principal, transaction, events }: Pick<SignedInContext, 'principal' | 'transaction' | 'events'>,
  spaceId: string,
): Promise<void> =>
  transaction(async trx => {
    const space = orMissing(await lockSpace(trx, spaceId), 'space')
    await forgetTips(trx, spaceId)
    const isStopped = await disconnectRunning(trx, spaceId)
    if (!(await deleteLink(trx, spaceId)) && !isStopped) return
    await events.append(trx, {
      type: 'space.repository_disconnected',
      organizationId: space.organization_id,
      spaceId,
      actorId: principal.user.id,
      payload: {},
    })
  })
