// SQL over installations and the spaces that they are set up on.
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { countRows } from '../../platform/db/count.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { OLDEST_FIRST, type PageQuery, page } from '../../platform/db/page.ts'
import type { InstallationSpaces, Installations } from '../../platform/db/tables.ts'
import { contains } from './rows.ts'
import type { Installation, SpaceInstallation } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'installation_spaces.configuration': SpaceInstallation['configuration']
    'installations.configuration': Installation['configuration']
    'installations.scopes': Installation['scopes']
  }
}

/** An installation, with how many spaces it reaches. */
export type InstallationRow = Selectable<Installations> & { readonly spaces: number }

/** An installation on a single space, with its integration and status. */
export type SpaceInstallationRow = Selectable<InstallationSpaces> & {
  readonly integration: string
  readonly status: Selectable<Installations>['status']
}

/** Of `installation_spaces`: the space is not deleted. */
const isOnSpace = sql<boolean>`(select deleted_at is null from spaces where spaces.id = installation_spaces.space_id)`

const selectInstallations = (db: Db | Trx) =>
  db
    .selectFrom('installations')
    .selectAll('installations')
    .select(
      sql<number>`case installations.space_selection
        when 'all' then (select count(*)::integer from spaces
          where spaces.organization_id = installations.organization_id and spaces.deleted_at is null)
        else (select count(*)::integer from installation_spaces
          where installation_spaces.installation_id = installations.id and ${isOnSpace}) end`.as('spaces'),
    )

export const findInstallation = (
  db: Db | Trx,
  integration: string,
  id: string,
): Promise<InstallationRow | undefined> =>
  selectInstallations(db)
    .where('installations.integration', '=', integration)
    .where('installations.id', '=', id)
    .executeTakeFirst()

export const findInstallationIn = (db: Db, integration: string, organizationId: string) =>
  db
    .selectFrom('installations')
    .select(['id', 'status'])
    .where('integration', '=', integration)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()

/** Whether the integration is installed in one of these organizations. */
export async function isInstalledIn(
  db: Db,
  integration: string,
  organizationIds: readonly string[],
): Promise<boolean> {
  if (organizationIds.length === 0) return false
  const row = await db
    .selectFrom('installations')
    .select('id')
    .where('integration', '=', integration)
    .where(sql<boolean>`organization_id = any(${[...organizationIds]}::text[])`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Oldest first. */
export function listInstallations(
  db: Db,
  integration: string,
  { externalId, ...query }: PageQuery & { externalId?: string },
) {
  const all = selectInstallations(db).where('installations.integration', '=', integration)
  const found =
    externalId === undefined ? all : all.where(sql<boolean>`${externalId} = any(installations.external_ids)`)
  return page(found, {
    question: { list: 'installations', integration, externalId: externalId ?? null },
    by: OLDEST_FIRST,
    ...query,
  })
}

export function listInstallationsIn(
  db: Db,
  organizationId: string,
  { search, ...query }: PageQuery & { search?: string },
) {
  const all = selectInstallations(db)
    .innerJoin('integrations', 'integrations.name', 'installations.integration')
    .where('installations.organization_id', '=', organizationId)
  return page(search === undefined ? all : all.where(contains(search)), {
    question: { list: 'installations', organization: organizationId, search: search ?? null },
    by: OLDEST_FIRST,
    ...query,
  })
}

export const countInstallations = (trx: Trx, organizationId: string): Promise<number> =>
  countRows(trx.selectFrom('installations').where('organization_id', '=', organizationId))

/** Undefined if already installed in the organization. It gets the scopes that the integration asks for now. */
export const insertInstallation = (
  trx: Trx,
  row: Omit<Insertable<Installations>, 'scopes'>,
): Promise<Selectable<Installations> | undefined> =>
  trx
    .insertInto('installations')
    .values({
      ...row,
      scopes: sql<Installation['scopes']>`(select scopes from integrations where name = ${row.integration})`,
    })
    .onConflict(conflict => conflict.columns(['integration', 'organization_id']).doNothing())
    .returningAll()
    .executeTakeFirst()

/** The row, locked until the transaction ends. */
export const lockInstallation = (trx: Trx, id: string): Promise<Selectable<Installations> | undefined> =>
  trx.selectFrom('installations').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const updateInstallation = (trx: Trx, id: string, change: Updateable<Installations>) =>
  trx.updateTable('installations').set(change).where('id', '=', id).execute()

export const removeInstallation = (trx: Trx, id: string) =>
  trx.deleteFrom('installations').where('id', '=', id).returning(['id', 'configuration']).executeTakeFirst()

export const listInstallationIds = (trx: Trx, integration: string) =>
  trx
    .selectFrom('installations')
    .select(['id', 'organization_id'])
    .where('integration', '=', integration)
    .execute()

const installation = sql<Pick<Selectable<Installations>, 'integration' | 'status'>>`(
  select integration, status from installations where installations.id = installation_spaces.installation_id offset 0)`

/** Without deleted spaces. */
const selectOnSpaces = (db: Db | Trx) =>
  db
    .selectFrom('installation_spaces')
    .innerJoinLateral(installation.as('installations'), join => join.onTrue())
    .where(isOnSpace)
    .selectAll('installation_spaces')
    .select(['installations.integration', 'installations.status'])

export const findOnSpace = (
  db: Db | Trx,
  installationId: string,
  spaceId: string,
): Promise<SpaceInstallationRow | undefined> =>
  selectOnSpaces(db)
    .where('installation_spaces.installation_id', '=', installationId)
    .where('installation_spaces.space_id', '=', spaceId)
    .executeTakeFirst()

/** Of one installation, or of all installations of an integration. Oldest first. */
export function listOnSpaces(
  db: Db,
  of: { readonly installation: string } | { readonly integration: string },
  { externalId, ...query }: PageQuery & { externalId?: string },
) {
  const all = selectOnSpaces(db)
  const own =
    'installation' in of
      ? all.where('installation_spaces.installation_id', '=', of.installation)
      : all.where(sql<boolean>`installation_spaces.installation_id = any(array(
          select id from installations where installations.integration = ${of.integration}))`)
  const found =
    externalId === undefined
      ? own
      : own.where(sql<boolean>`${externalId} = any(installation_spaces.external_ids)`)
  return page(found, {
    question: { list: 'installations on spaces', ...of, externalId: externalId ?? null },
    by: [
      ['created_at', 'asc'],
      ['installation_id', 'asc'],
      ['space_id', 'asc'],
    ],
    ...query,
  })
}

/** Undefined if already set up there. */
export const insertOnSpace = (
  trx: Trx,
  row: { installation_id: string; space_id: string },
): Promise<{ space_id: string } | undefined> =>
  trx
    .insertInto('installation_spaces')
    .values(row)
    .onConflict(conflict => conflict.columns(['installation_id', 'space_id']).doNothing())
    .returning('space_id')
    .executeTakeFirst()

export const countOnSpaces = (trx: Trx, installationId: string): Promise<number> =>
  countRows(trx.selectFrom('installation_spaces').where('installation_id', '=', installationId))

export const updateOnSpace = (
  trx: Trx,
  { installation_id, space_id }: SpaceInstallationRow,
  change: Updateable<InstallationSpaces>,
) =>
  trx
    .updateTable('installation_spaces')
    .set(change)
    .where('installation_id', '=', installation_id)
    .where('space_id', '=', space_id)
    .returning('space_id')
    .executeTakeFirst()

export const removeOnSpace = (trx: Trx, installationId: string, spaceId: string) =>
  trx
    .deleteFrom('installation_spaces')
    .where('installation_id', '=', installationId)
    .where('space_id', '=', spaceId)
    .returning(['space_id', 'configuration'])
    .executeTakeFirst()
