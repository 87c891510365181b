// Erasing a person. One transaction ends their access and their account; what they wrote stays, by "Deleted person". The
// rest, which may be many rows, follows in batches that can be run again: at once, and by a job after a crash.
import { newId } from '../../base/ids.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { forgetOrigins } from '../../platform/events/letting-go.ts'
import { jobType } from '../../platform/jobs/queue.ts'
import { DELETED_PERSON, lockUser, updateErasedUser } from '../accounts/rows.ts'
import { ERASED_DOMAIN } from '../accounts/wire.ts'
import { replaceMentionsInComments, replaceMentionsInReplies } from '../comments/mentions.ts'
import { replacePushedAuthor } from '../git-remote/rows.ts'
import { removeMemberships } from '../members/leaving.ts'
import { countedBy, forgetTries } from '../sessions/lockout.ts'
import { replaceCommitAuthor } from '../spaces/revisions.ts'
import {
  completeErasure,
  findErasure,
  findOrganizationsActedIn,
  insertErasure,
  listOwnedColumns,
  removeOwned,
} from './rows.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'user.erased': { user: string }
  }
}

export const ERASE_PERSON = jobType<{ user: string }>('people.erase')

type EraseServices = Pick<Services, 'db' | 'transaction' | 'events' | 'jobs' | 'signingKey'>

const AT_ONCE = 1_000
// Rows of these may be many, decide about no access, and go after the transaction.
const MANY: ReadonlySet<string> = new Set(['notifications', 'uploads', 'viewed_pages', 'watches'])
const OWN_TABLE = 'erasures'

/**
 * Ends a person's access, account and memberships; all or nothing. `completeErasing` does the rest, and a job does if
 * the process dies before it. `actorId`: who erases them; null: the operator. Idempotent.
 *
 * @throws {Failure} conflict `only_admin`, naming the organizations that would be left without an admin.
 */
export const beginErasing = (
  services: EraseServices,
  userId: string,
  actorId: string | null,
): Promise<void> =>
  services.transaction(async trx => {
    const user = await lockUser(trx, userId)
    if (user === undefined || (await findErasure(trx, userId)) !== undefined) return
    await removeMemberships(trx, services, userId, actorId)
    const owned = await listOwnedColumns(trx)
    for (const one of owned.filter(({ table }) => !MANY.has(table) && table !== OWN_TABLE))
      await removeAll(trx, one, userId)
    await forgetTries(trx, services, countedBy(user.email, undefined))
    await updateErasedUser(trx, userId, `${newId()}${ERASED_DOMAIN}`)
    await insertErasure(trx, userId, user.display_name)
    await services.events.append(trx, { type: 'user.erased', actorId, payload: { user: userId } })
    await services.jobs.enqueue(trx, ERASE_PERSON, { user: userId }, { key: userId })
  })

/** In the transaction that the statement belongs to, so however many there are. */
async function removeAll(trx: Trx, column: { table: string; column: string }, userId: string): Promise<void> {
  while ((await removeOwned(trx, column, userId, AT_ONCE)) === AT_ONCE);
}

/**
 * What is left after `beginErasing`. Each batch is a transaction, and all of it can be run again, by several processes at
 * once: what is done is found done.
 */
export async function completeErasing(
  services: EraseServices,
  userId: string,
  signal?: AbortSignal,
): Promise<void> {
  const erasure = await findErasure(services.db, userId)
  if (erasure === undefined || erasure.completed_at !== null) return
  /** Until there is nothing after the last. */
  const walk = async <Cursor>(step: (trx: Trx, after: Cursor | undefined) => Promise<Cursor | undefined>) => {
    let after: Cursor | undefined
    do {
      signal?.throwIfAborted()
      const from = after
      after = await services.transaction(trx => step(trx, from))
    } while (after !== undefined)
  }
  // Those that went with the transaction are looked for again: a request that was under way may have written one.
  for (const one of await listOwnedColumns(services.db))
    if (one.table !== OWN_TABLE)
      await walk(async trx => ((await removeOwned(trx, one, userId, AT_ONCE)) === AT_ONCE ? true : undefined))
  for (const organizationId of [null, ...(await findOrganizationsActedIn(services.db, userId))])
    await walk((trx, after: Parameters<typeof forgetOrigins>[3]) =>
      forgetOrigins(trx, userId, organizationId, after),
    )
  const name = erasure.name ?? DELETED_PERSON
  await walk((trx, after: string | undefined) =>
    replaceCommitAuthor(trx, userId, { name, by: DELETED_PERSON }, after),
  )
  await walk((trx, after: string | undefined) => replacePushedAuthor(trx, userId, DELETED_PERSON, after))
  await walk((trx, after: string | undefined) => replaceMentionsInComments(trx, userId, after))
  await walk((trx, after: string | undefined) => replaceMentionsInReplies(trx, userId, after))
  await services.transaction(trx => completeErasure(trx, userId))
}
