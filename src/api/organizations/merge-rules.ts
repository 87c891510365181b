// Merge rules when they are saved: the people they name must exist, and computed rules must be valid expressions.
import { sql } from 'kysely'
import { invalid } from '../../base/errors.ts'
import { checkExpression } from '../../engines/expressions/evaluate.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SpaceMergeRules } from './schema.ts'

/**
 * Throws `invalid` for the first rule that names somebody who is no active member of the organization
 * or whose expression cannot be read. At most one query.
 */
export async function checkMergeRules(
  db: Db,
  organizationId: string,
  mergeRules: SpaceMergeRules | undefined,
): Promise<void> {
  const rules = mergeRules?.type === 'rules' ? mergeRules.rules : []
  const members = await findMembers(
    db,
    organizationId,
    rules.flatMap(rule => ('users' in rule ? rule.users : [])),
  )
  for (const [index, rule] of rules.entries()) {
    const field = `body.mergeRules.rules.${index}`
    if ('users' in rule) {
      const at = rule.users.findIndex(id => !members.has(id))
      if (at !== -1)
        throw invalid(
          'member_unknown',
          `${field}.users.${at}: ${rule.users[at]} is not a member of this organization.`,
        )
    } else if ('expression' in rule) {
      const problem = await checkExpression(rule.expression)
      if (problem !== undefined)
        throw invalid('expression_invalid', `${field}.expression: ${problem.message}`)
    }
  }
}

async function findMembers(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('disabled', '=', false)
    .where(sql<boolean>`user_id = any(${[...new Set(userIds)]}::text[])`)
    .execute()
  return new Set(rows.map(row => row.user_id))
}
