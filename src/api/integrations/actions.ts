// Publishing and unpublishing integrations, and their tokens. Each verb is one transaction.
import { allows, weakestRole } from '../../access/policy.ts'
import { roleInOrganization } from '../../access/roles.ts'
import { sealSecrets } from '../../access/sealed-secrets.ts'
import { now } from '../../base/clock.ts'
import { conflict, forbidden, invalid, missing, tooLarge } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { describeFile } from '../../platform/images.ts'
import { boundExpiry, newTokenSecret, readExpiry } from '../accounts/actions.ts'
import {
  countIntegrationTokens,
  insertToken,
  removeIntegrationToken,
  type TokenRow,
} from '../accounts/rows.ts'
import type { OrganizationRow } from '../organizations/rows.ts'
import { listInstallationIds } from './installation-rows.ts'
import {
  type ConfigurationSlot,
  MANIFEST_CHARACTERS_MAX,
  type Manifest,
  type PublishIntegration,
} from './manifest.ts'
import {
  findIntegration,
  findOrganizationNamed,
  type IntegrationRow,
  insertVersion,
  removeIntegration,
  removeVersionsBefore,
  upsertIntegration,
} from './rows.ts'
import type { CreateIntegrationToken } from './schema.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'integration.published': { integration: string; version: number; scopes: string[] }
    'integration.unpublished': { integration: string }
    'integration_token.created': { integration: string; token: string; label: string }
    'integration_token.deleted': { integration: string; token: string; label: string }
  }
}

/** Older versions are removed: their scripts may be large, and nothing reads them. */
const VERSIONS_KEPT = 10
export const TOKENS_MAX = 50
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

/** The first publication takes the name; each later one is a new version of everything. */
export async function publishIntegration(
  context: SignedInContext,
  name: string,
  body: PublishIntegration,
): Promise<IntegrationRow> {
  const owner = await findPublisher(context, body.organization)
  const manifest = toManifest(body)
  const images = {
    icon: body.icon === undefined ? null : readImage('body.icon', body.icon),
    previews: (body.previewImages ?? []).map((image, at) => readImage(`body.previewImages.${at}`, image)),
  }
  return context.transaction(async trx => {
    const row = await upsertIntegration(trx, {
      name,
      organization_id: owner.id,
      title: body.title,
      description: body.description,
      visibility: body.visibility ?? 'private',
      target: body.target ?? 'all',
      scopes: [...new Set(body.scopes)].sort(),
      manifest: JSON.stringify(manifest),
      updated_at: now(),
    })
    if (row === undefined)
      throw conflict(
        'integration_name_taken',
        `The name ${name} belongs to another organization. Take another.`,
      )
    await insertVersion(trx, {
      integration: name,
      version: row.version,
      runtime: body.runtime ?? 'v1',
      script: body.script,
      secrets: body.secrets === undefined ? null : sealSecrets(context.signingKey, body.secrets),
      ...images,
      published_by: context.principal.user.id,
    })
    await removeVersionsBefore(trx, name, row.version - VERSIONS_KEPT + 1)
    await context.events.append(trx, {
      type: 'integration.published',
      organizationId: owner.id,
      actorId: context.principal.user.id,
      payload: { integration: name, version: row.version, scopes: row.scopes },
    })
    return { ...row, has_icon: images.icon !== null, previews: images.previews.length }
  })
}

/** The organization named in the body, if the caller may publish there. */
async function findPublisher({ db, principal }: SignedInContext, named: string): Promise<OrganizationRow> {
  const organization = await findOrganizationNamed(db, named)
  const role = organization === undefined ? null : roleInOrganization(principal, organization.id)
  if (organization === undefined || role === null)
    throw invalid('organization_unknown', 'body.organization: you belong to no such organization.')
  if (!allows('organization', 'admin', role)) {
    const needed = weakestRole('organization', 'admin')
    throw forbidden(
      `body.organization: publishing needs the role ${needed} in this organization; yours is ${role}.`,
    )
  }
  return organization
}

/** The shown fields that have no column of their own. */
function toManifest(body: PublishIntegration): { [Field in keyof Manifest]: Manifest[Field] | undefined } {
  const { summary, blocks, contentSources, configurations, contentSecurityPolicy } = body
  const { categories, externalLinks } = body
  checkIds('body.blocks', blocks ?? [])
  checkIds('body.contentSources', contentSources ?? [])
  for (const [name, slot] of Object.entries(configurations ?? {}))
    checkSlot(`body.configurations.${name}`, slot)
  const manifest = {
    ...{ summary, blocks, contentSources, configurations, contentSecurityPolicy },
    categories: [...new Set(categories ?? [])].sort(),
    externalLinks: externalLinks ?? [],
  }
  if (JSON.stringify(manifest).length > MANIFEST_CHARACTERS_MAX)
    throw tooLarge(
      'manifest_too_large',
      `body: without script, secrets and images it has more than ${MANIFEST_CHARACTERS_MAX} characters.`,
    )
  return manifest
}

function checkIds(where: string, items: readonly { readonly id: string }[]): void {
  const seen = new Set<string>()
  for (const [at, { id }] of items.entries()) {
    if (seen.has(id)) throw invalid('id_repeated', `${where}.${at}.id: ${id} is there twice.`)
    seen.add(id)
  }
}

function checkSlot(where: string, slot: ConfigurationSlot): void {
  if (!('properties' in slot)) return
  const unknown = (slot.required ?? []).find(name => !Object.hasOwn(slot.properties, name))
  if (unknown !== undefined)
    throw invalid('property_unknown', `${where}.required: there is no property ${unknown}.`)
  for (const [name, property] of Object.entries(slot.properties)) {
    if (property.type !== 'string' || property.enum === undefined || property.default === undefined) continue
    if (!property.enum.includes(property.default))
      throw invalid('default_invalid', `${where}.properties.${name}.default: it is none of enum.`)
  }
}

function readImage(where: string, base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (!IMAGE_TYPES.includes(describeFile(bytes, '').contentType))
    throw invalid('image_invalid', `${where}: this is no PNG, JPEG, GIF, WebP or AVIF in base64.`)
  return bytes
}

/** Deletes its tokens and installations too, with an event in each of their organizations. */
export async function unpublishIntegration(
  context: SignedInContext,
  { name, organization_id }: IntegrationRow,
): Promise<void> {
  await context.transaction(async trx => {
    const installations = await listInstallationIds(trx, name)
    if ((await removeIntegration(trx, name)) === undefined) return
    const actorId = context.principal.user.id
    for (const { id, organization_id: organizationId } of installations) {
      const payload = { installation: id, integration: name }
      await context.events.append(trx, { type: 'installation.deleted', organizationId, actorId, payload })
    }
    await context.events.append(trx, {
      type: 'integration.unpublished',
      organizationId: organization_id,
      actorId,
      payload: { integration: name },
    })
  })
}

export async function createIntegrationToken(
  context: SignedInContext,
  { name, organization_id }: IntegrationRow,
  body: CreateIntegrationToken,
): Promise<{ row: TokenRow; secret: string }> {
  const expires_at = boundExpiry(context.principal, readExpiry(body.expiresAt ?? null))
  const secret = newTokenSecret()
  return context.transaction(async trx => {
    if ((await findIntegration(trx, name)) === undefined) throw missing('integration')
    if ((await countIntegrationTokens(trx, name)) >= TOKENS_MAX)
      throw conflict('tokens_too_many', `This integration has ${TOKENS_MAX} tokens. Revoke one first.`)
    const token = {
      id: newId(),
      kind: 'integration',
      integration: name,
      label: body.label,
      expires_at,
    } as const
    const row = await insertToken(trx, token, secret)
    await context.events.append(trx, {
      type: 'integration_token.created',
      organizationId: organization_id,
      actorId: context.principal.user.id,
      payload: { integration: name, token: row.id, label: row.label },
    })
    return { row, secret }
  })
}

export async function deleteIntegrationToken(
  context: SignedInContext,
  { name, organization_id }: IntegrationRow,
  id: string,
): Promise<void> {
  await context.transaction(async trx => {
    const removed = await removeIntegrationToken(trx, name, id)
    if (removed === undefined) return
    await context.events.append(trx, {
      type: 'integration_token.deleted',
      organizationId: organization_id,
      actorId: context.principal.user.id,
      payload: { integration: name, token: id, label: removed.label },
    })
  })
}
