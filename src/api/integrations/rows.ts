// SQL over integrations and their published versions.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/database.ts'
import { page } from '../../platform/db/page.ts'
import type { Integrations, IntegrationVersions } from '../../platform/db/tables.ts'
import type { OrganizationRow } from '../organizations/rows.ts'
import type { Manifest } from './manifest.ts'
import type { Integration, ListIntegrations } from './schema.ts'

declare module '../../platform/db/tables.ts' {
  interface ColumnValues {
    'integrations.manifest': Manifest
    'integrations.scopes': Integration['scopes']
  }
}

/** An integration, with the images of its last version. */
export type IntegrationRow = Selectable<Integrations> & {
  readonly has_icon: boolean
  readonly previews: number
}

const selectIntegrations = (db: Db | Trx) =>
  db
    .selectFrom('integrations')
    .innerJoin('integration_versions', join =>
      join
        .onRef('integration_versions.integration', '=', 'integrations.name')
        .onRef('integration_versions.version', '=', 'integrations.version'),
    )
    .selectAll('integrations')
    .select([
      sql<boolean>`integration_versions.icon is not null`.as('has_icon'),
      sql<number>`cardinality(integration_versions.previews)`.as('previews'),
    ])

export const findIntegration = (db: Db | Trx, name: string): Promise<IntegrationRow | undefined> =>
  selectIntegrations(db).where('integrations.name', '=', name).executeTakeFirst()

export const findIntegrations = (db: Db, names: readonly string[]): Promise<IntegrationRow[]> =>
  selectIntegrations(db)
    .where(sql<boolean>`integrations.name = any(${[...names]}::text[])`)
    .execute()

/** Active on a space: installed for all spaces or this one. By name, at most `limit`. */
export const listIntegrationsOn = (
  db: Db,
  space: { readonly id: string; readonly organization_id: string },
  search: string | undefined,
  limit: number,
): Promise<IntegrationRow[]> =>
  selectIntegrations(db)
    .innerJoin('installations', 'installations.integration', 'integrations.name')
    .where('installations.organization_id', '=', space.organization_id)
    .where('installations.status', '=', 'active')
    .where(
      sql<boolean>`(installations.space_selection = 'all' or exists (select 1 from installation_spaces
        where installation_spaces.installation_id = installations.id and installation_spaces.space_id = ${space.id}))`,
    )
    .where(search === undefined ? sql<boolean>`true` : contains(search))
    .orderBy('integrations.name')
    .limit(limit)
    .execute()

/** An organization by its id or its subdomain. */
export const findOrganizationNamed = (db: Db, text: string): Promise<OrganizationRow | undefined> =>
  db
    .selectFrom('organizations')
    .selectAll()
    .where(({ or, eb }) => or([eb('id', '=', text), eb('hostname', '=', text)]))
    // The id wins over a subdomain that equals it.
    .orderBy(sql<boolean>`id = ${text}`, 'desc')
    .executeTakeFirst()

export async function findOrganizations(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OrganizationRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('organizations')
    .selectAll()
    .where(sql<boolean>`id = any(${[...new Set(ids)]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** What a list of integrations shows besides public ones: those of these organizations, and those installed there. */
export type Audience = {
  /** Organizations whose private integrations they may see. */
  readonly owners: readonly string[]
  /** Organizations whose installations they may see. */
  readonly installedIn: readonly string[]
  /** The integration that asks, if one does. */
  readonly self: string | null
}

/** By name. The query filters by access, so that pages are full and counts are right. */
export function listIntegrations(db: Db, audience: Audience, query: ListIntegrations) {
  const { page: after, limit, ...filters } = query
  const { owners, installedIn, self } = audience
  const seen = selectIntegrations(db).where(
    sql<boolean>`(integrations.visibility = 'public' or integrations.organization_id = any(${[...owners]}::text[])
      or integrations.name = ${self}
      or (${installedIn.length > 0} and exists (select 1 from installations where installations.integration = integrations.name
        and installations.organization_id = any(${[...installedIn]}::text[]))))`,
  )
  return page(seen.where(fits(filters)), {
    question: { list: 'integrations', owners: [...owners], installedIn: [...installedIn], self, ...filters },
    by: [['name', 'asc']],
    page: after,
    limit,
  })
}

function fits(filters: Omit<ListIntegrations, 'page' | 'limit'>) {
  const { search, category, blockDomain, blocks, contentSources, owner, scope, target } = filters
  const conditions = [
    ...(search === undefined ? [] : [contains(search)]),
    ...(category === undefined
      ? []
      : [sql`manifest -> 'categories' @> ${JSON.stringify([category])}::jsonb`]),
    ...(blockDomain === undefined
      ? []
      : [
          sql`exists (select 1 from jsonb_array_elements(manifest -> 'blocks') as block,
            jsonb_array_elements_text(block -> 'urlUnfurl') as pattern
            where strpos(lower(pattern), ${blockDomain.toLowerCase()}) > 0)`,
        ]),
    ...(blocks === undefined ? [] : [sql`${blocks} = ${hasSome('blocks')}`]),
    ...(contentSources === undefined ? [] : [sql`${contentSources} = ${hasSome('contentSources')}`]),
    ...(owner === undefined ? [] : [sql`integrations.organization_id = ${owner}`]),
    ...(scope === undefined ? [] : [sql`${scope} = any(integrations.scopes)`]),
    ...(target === undefined ? [] : [sql`(integrations.target = ${target} or integrations.target = 'all')`]),
  ]
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Case-insensitive, without wildcards. */
export const contains = (text: string) =>
  sql<boolean>`strpos(lower(integrations.name || ' ' || integrations.title), ${text.toLowerCase()}) > 0`

const hasSome = (field: string) => sql`coalesce(jsonb_array_length(manifest -> ${sql.lit(field)}) > 0, false)`

/** Undefined when the name belongs to another organization. */
export const upsertIntegration = (
  trx: Trx,
  row: Insertable<Integrations>,
): Promise<Selectable<Integrations> | undefined> =>
  trx
    .insertInto('integrations')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet(({ ref }) => ({
          title: ref('excluded.title'),
          description: ref('excluded.description'),
          visibility: ref('excluded.visibility'),
          target: ref('excluded.target'),
          scopes: ref('excluded.scopes'),
          manifest: ref('excluded.manifest'),
          version: sql<number>`integrations.version + 1`,
          updated_at: ref('excluded.updated_at'),
        }))
        .whereRef('integrations.organization_id', '=', 'excluded.organization_id'),
    )
    .returningAll()
    .executeTakeFirst()

export const insertVersion = (trx: Trx, row: Insertable<IntegrationVersions>) =>
  trx.insertInto('integration_versions').values(row).execute()

export const removeVersionsBefore = (trx: Trx, integration: string, version: number) =>
  trx
    .deleteFrom('integration_versions')
    .where('integration', '=', integration)
    .where('version', '<', version)
    .execute()

export const findImages = (db: Db, { name, version }: IntegrationRow) =>
  db
    .selectFrom('integration_versions')
    .select(['icon', 'previews'])
    .where('integration', '=', name)
    .where('version', '=', version)
    .executeTakeFirst()

export const removeIntegration = (trx: Trx, name: string) =>
  trx.deleteFrom('integrations').where('name', '=', name).returning('name').executeTakeFirst()
