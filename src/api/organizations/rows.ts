// SQL over organizations.
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { MemberRole } from '../../access/policy.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { type PageQuery, page } from '../../platform/db/page.ts'
import type { Organizations } from '../../platform/db/tables.ts'
import type { Organization, OrganizationMergeRules } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'organizations.default_content': Organization['defaultContent'] & {}
    'organizations.default_role': MemberRole
    'organizations.merge_rules': OrganizationMergeRules
  }
}

export type OrganizationRow = Selectable<Organizations>

export const findOrganization = (db: Db, id: string): Promise<OrganizationRow | undefined> =>
  db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()

/** The row, which nobody else changes until the transaction ends. Rows that only refer to it do not wait. */
export const lockOrganization = (trx: Trx, id: string): Promise<OrganizationRow | undefined> =>
  trx.selectFrom('organizations').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Those a person is a member of, oldest first; `onlyIn`: of these, only one. */
export const listOrganizations = (db: Db, userId: string, onlyIn: string | null, query: PageQuery) =>
  page(
    db
      .selectFrom('organizations')
      .selectAll('organizations')
      .where('organizations.id', 'in', eb =>
        eb
          .selectFrom('members')
          .select('organization_id')
          .where('user_id', '=', userId)
          .where('disabled', '=', false)
          .$if(onlyIn !== null, theirs => theirs.where('organization_id', '=', onlyIn)),
      ),
    {
      question: { list: 'organizations', user: userId, onlyIn },
      by: [
        ['created_at', 'asc'],
        ['id', 'asc'],
      ],
      ...query,
    },
  )

export const insertOrganization = (trx: Trx, row: Insertable<Organizations>): Promise<OrganizationRow> =>
  trx.insertInto('organizations').values(row).returningAll().executeTakeFirstOrThrow()

export const updateOrganization = (
  trx: Trx,
  id: string,
  change: Updateable<Organizations>,
): Promise<OrganizationRow> =>
  trx.updateTable('organizations').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
