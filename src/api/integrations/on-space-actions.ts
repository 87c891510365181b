// How an installation is set up on single spaces, and taken off them. Each verb is one transaction.
import { now } from '../../base/clock.ts'
import { conflict, invalid, orMissing } from '../../base/errors.ts'
import type { Context } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { lockSpace } from '../spaces/rows.ts'
import { checkConfiguration, slotOf } from './configuration.ts'
import { appendInstallationEvent } from './installation-actions.ts'
import {
  countOnSpaces,
  findOnSpace,
  insertOnSpace,
  lockInstallation,
  removeOnSpace,
  type SpaceInstallationRow,
  updateOnSpace,
} from './installation-rows.ts'
import { insertInstallationEvent } from './integration-events.ts'
import type { InstallationAt, SpaceInstallationAt } from './place.ts'
import type { UpdateSpaceInstallation } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'installation_space.created': { installation: string; integration: string }
    'installation_space.changed': { installation: string; integration: string; fields: string[] }
    'installation_space.deleted': { installation: string; integration: string }
  }
}

/** Spaces that an installation is set up on one by one: each of its tokens lists them all. */
const SPACES_MAX = 1000

export async function installOnSpace(
  context: Context,
  { installation }: InstallationAt,
  spaceId: string,
): Promise<SpaceInstallationRow> {
  return context.transaction(async trx => {
    orMissing(await lockInstallation(trx, installation.id), 'installation')
    const space = await lockSpace(trx, spaceId)
    if (space?.organization_id !== installation.organization_id)
      throw invalid('space_unknown', 'body.space: the organization of this installation has no such space.')
    const ids = { installation_id: installation.id, space_id: spaceId }
    if ((await insertOnSpace(trx, ids)) === undefined)
      throw conflict('already_installed', 'The integration is set up on this space already.')
    if ((await countOnSpaces(trx, installation.id)) > SPACES_MAX)
      throw conflict(
        'spaces_too_many',
        `An installation is set up on at most ${SPACES_MAX} spaces one by one. Give it all of them, by space_selection.`,
      )
    await appendInstallationEvent(trx, context, 'installation_space.created', installation, {}, spaceId)
    return getOnSpace(trx, installation.id, spaceId)
  })
}

async function getOnSpace(trx: Trx, installationId: string, spaceId: string): Promise<SpaceInstallationRow> {
  return orMissing(await findOnSpace(trx, installationId, spaceId), 'installation on a space')
}

export async function changeOnSpace(
  context: Context,
  { integration, installation, onSpace }: SpaceInstallationAt,
  body: UpdateSpaceInstallation,
): Promise<SpaceInstallationRow> {
  const fields = Object.keys(body).sort()
  if (body.configuration !== undefined)
    checkConfiguration(slotOf(integration.manifest, 'space'), body.configuration)
  if (fields.length === 0) return onSpace
  return context.transaction(async trx => {
    await lockInstallation(trx, installation.id)
    const spaceId = onSpace.space_id
    const { status, configuration } = await getOnSpace(trx, installation.id, spaceId)
    await updateOnSpace(trx, onSpace, {
      ...(body.configuration === undefined ? {} : { configuration: JSON.stringify(body.configuration) }),
      ...(body.externalIds === undefined ? {} : { external_ids: [...new Set(body.externalIds)] }),
      updated_at: now(),
    })
    const previous = { status, configuration }
    await insertInstallationEvent(trx, installation, {
      ...{ type: 'space_installation_setup', spaceId, status, previous },
    })
    await appendInstallationEvent(
      trx,
      context,
      'installation_space.changed',
      installation,
      { fields },
      spaceId,
    )
    return getOnSpace(trx, installation.id, spaceId)
  })
}

export async function uninstallOnSpace(
  context: Context,
  { installation, onSpace }: SpaceInstallationAt,
): Promise<void> {
  await context.transaction(async trx => {
    const spaceId = onSpace.space_id
    const removed = await removeOnSpace(trx, installation.id, spaceId)
    if (removed === undefined) return
    const previous = { configuration: removed.configuration }
    await insertInstallationEvent(trx, installation, {
      ...{ type: 'space_installation_deleted', spaceId, previous },
    })
    await appendInstallationEvent(trx, context, 'installation_space.deleted', installation, {}, spaceId)
  })
}
