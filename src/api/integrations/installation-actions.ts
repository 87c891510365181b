// How integrations are installed, changed and removed. Each verb is one transaction.
import { allows, weakestRole } from '../../access/policy.ts'
import { actorIdOf } from '../../access/principal.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden, invalid, orMissing, throttled } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Context } from '../../http/context.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { EventPayloads } from '../../platform/events/append.ts'
import { newTokenSecret } from '../accounts/actions.ts'
import { countInstallationTokens, insertToken } from '../accounts/rows.ts'
import { lockOrganization } from '../organizations/rows.ts'
import { checkConfiguration, isConfigured, slotOf } from './configuration.ts'
import {
  countInstallations,
  findInstallation,
  type InstallationRow,
  insertInstallation,
  lockInstallation,
  removeInstallation,
  updateInstallation,
} from './installation-rows.ts'
import { insertInstallationEvent } from './integration-events.ts'
import type { InstallationAt } from './place.ts'
import type { IntegrationRow } from './rows.ts'
import type { UpdateInstallation } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'installation.created': { installation: string; integration: string; scopes: string[] }
    'installation.changed': { installation: string; integration: string; fields: string[] }
    'installation.deleted': { installation: string; integration: string }
    'installation_token.created': { installation: string; integration: string; token: string }
  }
}

/** Of one organization: each event of a space that they may read becomes one of each of them. */
export const INSTALLATIONS_MAX = 100
const TOKEN_HOURS = 1
/** Valid at the same time, of one installation. */
export const TOKENS_ALIVE_MAX = 1000
const HOUR_MS = 3_600_000

/** Appends an event about an installation. */
export async function appendInstallationEvent<T extends keyof EventPayloads & `installation${string}`>(
  trx: Trx,
  { events, principal }: Pick<Context, 'events' | 'principal'>,
  type: T,
  { id, integration, organization_id }: Pick<InstallationRow, 'id' | 'integration' | 'organization_id'>,
  more: Omit<EventPayloads[T], 'installation' | 'integration'>,
  spaceId?: string,
): Promise<void> {
  await events.append(trx, {
    type,
    organizationId: organization_id,
    spaceId,
    actorId: actorIdOf(principal),
    // TypeScript cannot tell that Omit<T, K> with the fields K is T.
    payload: { installation: id, integration, ...more } as never,
  })
}

export async function installIntegration(
  context: SignedInContext,
  integration: IntegrationRow,
  organizationId: string,
): Promise<InstallationRow> {
  const role = roleInOrganization(context.principal, organizationId)
  if (role === null)
    throw invalid('organization_unknown', 'body.organization: you belong to no such organization.')
  if (!allows('organization', 'installIntegration', role)) {
    const needed = weakestRole('organization', 'installIntegration')
    throw forbidden(
      `body.organization: installing needs the role ${needed} in this organization; yours is ${role}.`,
    )
  }
  if (integration.visibility === 'private' && integration.organization_id !== organizationId)
    throw invalid(
      'integration_private',
      'body.organization: a private integration is installed in the organization that owns it, and in no other.',
    )
  return context.transaction(async trx => {
    // Two at the same time would each count without the other.
    await lockOrganization(trx, organizationId)
    const row = await insertInstallation(trx, {
      id: newId(),
      integration: integration.name,
      organization_id: organizationId,
      status: isConfigured(slotOf(integration.manifest, 'account'), {}) ? 'active' : 'pending',
      created_by: context.principal.user.id,
    })
    if (row === undefined)
      throw conflict(
        'already_installed',
        'This organization has the integration already. To allow what a newer version asks for, remove it first.',
      )
    if ((await countInstallations(trx, organizationId)) > INSTALLATIONS_MAX)
      throw conflict(
        'installations_too_many',
        `This organization has ${INSTALLATIONS_MAX} installations. Remove one first.`,
      )
    await appendInstallationEvent(trx, context, 'installation.created', row, { scopes: row.scopes })
    return getInstallation(trx, row)
  })
}

async function getInstallation(
  trx: Trx,
  { integration, id }: Pick<InstallationRow, 'integration' | 'id'>,
): Promise<InstallationRow> {
  return orMissing(await findInstallation(trx, integration, id), 'installation')
}

/** An installation may configure itself; what it reaches is for admins of its organization. */
export async function changeInstallation(
  context: Context,
  { integration, installation, role }: InstallationAt,
  body: UpdateInstallation,
): Promise<InstallationRow> {
  for (const field of ['space_selection', 'status'] as const)
    if (body[field] !== undefined && !allows('installation', 'manage', role))
      throw forbidden(`body.${field}: this is for admins of the organization that installed the integration.`)
  const fields = Object.keys(body).sort()
  const slot = slotOf(integration.manifest, 'account')
  if (body.configuration !== undefined) checkConfiguration(slot, body.configuration)
  if (fields.length === 0) return installation
  return context.transaction(async trx => {
    const current = orMissing(await lockInstallation(trx, installation.id), 'installation')
    const configuration = body.configuration ?? current.configuration
    const isPaused = body.status === undefined ? current.status === 'paused' : body.status === 'paused'
    const status = isPaused ? 'paused' : isConfigured(slot, configuration) ? 'active' : 'pending'
    await updateInstallation(trx, installation.id, {
      configuration: JSON.stringify(configuration),
      external_ids: body.externalIds === undefined ? current.external_ids : [...new Set(body.externalIds)],
      space_selection: body.space_selection ?? current.space_selection,
      status,
      updated_at: now(),
    })
    const previous = { status: current.status, configuration: current.configuration }
    await insertInstallationEvent(trx, installation, { type: 'installation_setup', status, previous })
    await appendInstallationEvent(trx, context, 'installation.changed', installation, { fields })
    return getInstallation(trx, installation)
  })
}

/** Revokes its tokens too. Idempotent: succeeds if already uninstalled. */
export async function uninstallIntegration(context: Context, installation: InstallationRow): Promise<void> {
  await context.transaction(async trx => {
    const removed = await removeInstallation(trx, installation.id)
    if (removed === undefined) return
    const previous = { configuration: removed.configuration }
    await insertInstallationEvent(trx, installation, { type: 'installation_deleted', previous })
    await appendInstallationEvent(trx, context, 'installation.deleted', installation, {})
  })
}

export async function createInstallationToken(
  context: Context,
  installation: InstallationRow,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newTokenSecret()
  const expiresAt = new Date(now().getTime() + TOKEN_HOURS * HOUR_MS)
  return context.transaction(async trx => {
    const current = orMissing(await lockInstallation(trx, installation.id), 'installation')
    if (current.status !== 'active')
      throw conflict(
        'installation_inactive',
        current.status === 'paused'
          ? 'This installation is paused. An admin of its organization can let it go on.'
          : 'This installation waits for its configuration. Give what is required first.',
      )
    if ((await countInstallationTokens(trx, installation.id)) >= TOKENS_ALIVE_MAX)
      throw throttled(
        `This installation has ${TOKENS_ALIVE_MAX} tokens that have not ended. Use one of them, for an hour each.`,
      )
    const id = newId()
    const subject = { kind: 'installation', installation_id: installation.id } as const
    await insertToken(trx, { id, ...subject, label: 'installation', expires_at: expiresAt }, token)
    await appendInstallationEvent(trx, context, 'installation_token.created', installation, { token: id })
    return { token, expiresAt }
  })
}
