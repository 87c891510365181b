// Integrations and installations as answers: rows with their owners and the caller's role.
import { roleOnSpace } from '../../access/visits.ts'
import { missing } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import { type List, toList } from '../../http/list.ts'
import type { Page } from '../../platform/db/page.ts'
import { countInSpaces, findSpaces } from '../spaces/rows.ts'
import type { Space } from '../spaces/schema.ts'
import { toSpace } from '../spaces/wire.ts'
import type { InstallationRow, SpaceInstallationRow } from './installation-rows.ts'
import { rolesOnIntegrations } from './place.ts'
import { findIntegrations, findOrganizations, type IntegrationRow } from './rows.ts'
import type { Integration, SpaceInstallation } from './schema.ts'
import { toInstallation, toIntegration, toSpaceInstallation } from './wire.ts'

/** In the order of the rows. One query for any number of them. */
export async function readIntegrations(
  context: Context,
  rows: readonly IntegrationRow[],
): Promise<Integration[]> {
  const owners = await findOrganizations(
    context.db,
    rows.map(row => row.organization_id),
  )
  const roleOf = rolesOnIntegrations(context.principal)
  return rows.flatMap(row => {
    const owner = owners.get(row.organization_id)
    return owner === undefined ? [] : [toIntegration(context, row, owner, roleOf(row))]
  })
}

export async function readIntegration(context: Context, row: IntegrationRow): Promise<Integration> {
  const [integration] = await readIntegrations(context, [row])
  if (integration === undefined) throw missing('integration')
  return integration
}

export async function readInstallationsWithIntegrations(context: Context, page: Page<InstallationRow>) {
  const names = page.items.map(row => row.integration)
  const integrations = await readIntegrations(context, await findIntegrations(context.db, names))
  const byName = new Map(integrations.map(one => [one.name, one]))
  const items = page.items.flatMap(row => {
    const integration = byName.get(row.integration)
    return integration === undefined ? [] : [{ row, integration }]
  })
  return toList({ ...page, items }, ({ row, integration }) => ({
    installation: toInstallation(context.urls, row),
    integration,
  }))
}

export const readOnSpaces = async (
  context: Context,
  integration: IntegrationRow,
  page: Page<SpaceInstallationRow>,
  extended: boolean | undefined,
): Promise<List<SpaceInstallation>> =>
  toList(page, await onSpaceWire(context, integration, page.items, extended))

export const readOnSpace = async (
  context: Context,
  integration: IntegrationRow,
  row: SpaceInstallationRow,
  extended: boolean | undefined,
): Promise<SpaceInstallation> => (await onSpaceWire(context, integration, [row], extended))(row)

/** `extended`: with the whole space, where the caller may see it. */
async function onSpaceWire(
  context: Context,
  { manifest }: IntegrationRow,
  rows: readonly SpaceInstallationRow[],
  extended = false,
): Promise<(row: SpaceInstallationRow) => SpaceInstallation> {
  const spaces = extended ? await readSeenSpaces(context, rows) : new Map<string, Space>()
  return row => toSpaceInstallation(context.urls, row, manifest, spaces.get(row.space_id) ?? row.space_id)
}

async function readSeenSpaces(
  context: Context,
  rows: readonly SpaceInstallationRow[],
): Promise<ReadonlyMap<string, Space>> {
  const ids = rows.map(row => row.space_id)
  const [spaces, counts] = await Promise.all([findSpaces(context.db, ids), countInSpaces(context.db, ids)])
  const seen = new Map<string, Space>()
  for (const space of spaces) {
    const role = await roleOnSpace(context.db, context, space)
    if (role !== null) seen.set(space.id, toSpace(context.urls, role, space, counts.get(space.id)))
  }
  return seen
}
