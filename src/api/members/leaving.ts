// Ending all memberships of a person at once, when their account ends.
import { sql } from 'kysely'
import { conflict } from '../../base/errors.ts'
import type { Services } from '../../http/context.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { lockMemberAndAdmins, removeMember } from './rows.ts'

/** The titles of the organizations in which they are the only active admin. */
export async function findLastAdminships(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select organizations.title from members join organizations on organizations.id = members.organization_id
    where members.user_id = ${userId} and members.role = 'admin' and not members.disabled
      and not exists (select from members as others
        where others.organization_id = members.organization_id and others.user_id <> ${userId}
          and others.role = 'admin' and not others.disabled)
    order by organizations.title, organizations.id`.execute(db)
  return rows.map(({ title }) => title)
}

/** `titles`: of organizations whose only admin somebody is. */
export const lastAdminOf = (titles: readonly string[]) =>
  conflict(
    'only_admin',
    `This is the only admin of ${titles.map(title => JSON.stringify(title)).join(', ')}. Make someone else an admin there first.`,
  ).withValues({ organizations: [...titles] })

/**
 * `actorId`: who ends them; null: the operator.
 *
 * @throws {Failure} conflict `only_admin`, naming every organization that would be left without an admin.
 */
export async function removeMemberships(
  trx: Trx,
  { events }: Pick<Services, 'events'>,
  userId: string,
  actorId: string | null,
): Promise<void> {
  const memberships = await trx
    .selectFrom('members')
    .select(['organization_id', 'role'])
    .where('user_id', '=', userId)
    .orderBy('organization_id')
    .execute()
  // Two admins who leave at once take turns.
  for (const { organization_id, role } of memberships)
    if (role === 'admin') await lockMemberAndAdmins(trx, organization_id, userId)
  const titles = await findLastAdminships(trx, userId)
  if (titles.length > 0) throw lastAdminOf(titles)
  for (const { organization_id: organizationId, role } of memberships) {
    await removeMember(trx, organizationId, userId)
    await events.append(trx, {
      type: 'member.removed',
      organizationId,
      actorId,
      payload: { user: userId, role },
    })
  }
}
