// A space that is kept with its repository no longer.
import type { UserPrincipal } from '../../access/principal.ts'
import { missing } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import { lockSpace } from '../spaces/rows.ts'
import { deleteLink, disconnectRunning } from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.repository_disconnected': Record<string, never>
  }
}

/**
 * Its content stays, and so does the repository. Idempotent: succeeds if there is none. What is under way goes on, and
 * connects the space no more.
 */
export const disconnectRepository = (
  services: Services,
  principal: UserPrincipal,
  spaceId: string,
): Promise<void> =>
  services.transaction(async trx => {
    const space = await lockSpace(trx, spaceId)
    if (space === undefined) throw missing('space')
    const isStopped = await disconnectRunning(trx, spaceId)
    if (!(await deleteLink(trx, spaceId)) && !isStopped) return
    await services.events.append(trx, {
      type: 'space.repository_disconnected',
      organizationId: space.organization_id,
      spaceId,
      actorId: principal.user.id,
      payload: {},
    })
  })
