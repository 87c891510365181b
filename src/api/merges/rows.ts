// SQL of merges over what others own.
import type { Db, Trx } from '../../platform/db/database.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import type { MergeRule } from './rules.ts'

/** The rules that hold for a space: its own, or those of its organization. */
export async function findMergeRules(db: Db | Trx, space: SpaceRow): Promise<readonly MergeRule[]> {
  const own = space.merge_rules
  if (own.type !== 'inherit') return own.type === 'rules' ? own.rules : []
  const organization = await db
    .selectFrom('organizations')
    .select('merge_rules')
    .where('id', '=', space.organization_id)
    .executeTakeFirstOrThrow()
  const inherited = organization.merge_rules
  return inherited.type === 'rules' ? inherited.rules : []
}

/** Names of people, by id; unknown ids are absent. */
export async function findNames(
  db: Db | Trx,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'display_name', 'email'])
    .where('id', 'in', [...userIds])
    .execute()
  return new Map(rows.map(row => [row.id, row.display_name || row.email]))
}
