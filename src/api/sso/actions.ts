// Creating, changing and deleting identity providers. Each verb is one transaction.
import { now } from '../../base/clock.ts'
import { conflict, invalid, missing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { SignedInContext } from '../../http/operation.ts'
import { isAllowedHost } from '../../platform/addresses.ts'
import type { Config } from '../../platform/config.ts'
import type { Trx } from '../../platform/db/database.ts'
import { findTeam } from '../teams/rows.ts'
import { readCertificates } from './certificates.ts'
import { countProviders, insertProvider, type ProviderRow, removeProvider, updateProvider } from './rows.ts'
import type { ChangeSAMLProvider, CreateSAMLProvider } from './schema.ts'

/** One for each directory of users; more are a mistake. */
export const PROVIDERS_MAX = 20

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'sso.provider_created': { provider: string; label: string }
    'sso.provider_changed': { provider: string; label: string; fields: string[] }
    'sso.provider_deleted': { provider: string; label: string }
  }
}

export async function createProvider(
  context: SignedInContext,
  organizationId: string,
  body: CreateSAMLProvider,
): Promise<ProviderRow> {
  const columns = toColumns(context.config, body)
  return context.transaction(async trx => {
    await checkTeam(trx, organizationId, body.defaultTeam)
    if ((await countProviders(trx, organizationId)) >= PROVIDERS_MAX) {
      const message = `An organization has at most ${PROVIDERS_MAX} identity providers. Delete one first.`
      throw conflict('providers_too_many', message)
    }
    const row = await insertProvider(trx, {
      id: newId(),
      organization_id: organizationId,
      label: body.label,
      ...columns,
    })
    await context.events.append(trx, {
      type: 'sso.provider_created',
      organizationId,
      actorId: context.principal.user.id,
      payload: { provider: row.id, label: row.label },
    })
    return row
  })
}

export async function changeProvider(
  context: SignedInContext,
  provider: ProviderRow,
  body: ChangeSAMLProvider,
): Promise<ProviderRow> {
  const columns = toColumns(context.config, body)
  if (Object.keys(columns).length === 0) return provider
  return context.transaction(async trx => {
    await checkTeam(trx, provider.organization_id, body.defaultTeam)
    const row = await updateProvider(trx, provider.id, { ...columns, updated_at: now() })
    if (row === undefined) throw missing('identity provider')
    await context.events.append(trx, {
      type: 'sso.provider_changed',
      organizationId: row.organization_id,
      actorId: context.principal.user.id,
      payload: { provider: row.id, label: row.label, fields: Object.keys(body).sort() },
    })
    return row
  })
}

/** People who signed in with it stay signed in. Idempotent: succeeds if already deleted. */
export async function deleteProvider(context: SignedInContext, provider: ProviderRow): Promise<void> {
  await context.transaction(async trx => {
    const row = await removeProvider(trx, provider.id)
    if (row === undefined) return
    await context.events.append(trx, {
      type: 'sso.provider_deleted',
      organizationId: row.organization_id,
      actorId: context.principal.user.id,
      payload: { provider: row.id, label: row.label },
    })
  })
}

/** As they are written: JSON is a text. */
type Columns = Omit<Partial<ProviderRow>, 'attributes'> & { attributes?: string }

function toColumns(config: Config, body: ChangeSAMLProvider): Columns {
  const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole, attributes } = body
  return {
    ...(label === undefined ? {} : { label }),
    ...(entityID === undefined ? {} : { entity_id: readEntityId(entityID) }),
    ...(certificate === undefined ? {} : { certificate: readCertificates('body.certificate', certificate) }),
    ...(ssoURL === undefined ? {} : { sso_url: readSsoUrl(config, ssoURL) }),
    ...(defaultTeam === undefined ? {} : { default_team_id: defaultTeam }),
    ...(defaultRole === undefined ? {} : { default_role: defaultRole }),
    ...(attributes === undefined ? {} : { attributes: JSON.stringify(attributes ?? {}) }),
  }
}

/** Compared character by character with the issuer in signed assertions. */
function readEntityId(text: string): string {
  const trimmed = text.trim()
  if (/[\s\u0000-\u001f\u007f]/.test(trimmed))
    throw invalid('entity_id_invalid', 'body.entityID: this must be a URI, without spaces or line breaks.')
  return trimmed
}

/** Browsers are redirected there. The empty text removes it. */
function readSsoUrl({ allowPrivateHosts }: Config, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const url = URL.parse(trimmed)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalid('sso_url_invalid', 'body.ssoURL: this must be an address that begins with https://.')
  if (url.username !== '' || url.password !== '')
    throw invalid('sso_url_invalid', 'body.ssoURL: leave user and password out.')
  if (url.hash !== '') throw invalid('sso_url_invalid', 'body.ssoURL: leave out what follows #.')
  if (url.protocol === 'http:' && !isAllowedHost(allowPrivateHosts, url.hostname)) {
    const message = `body.ssoURL: it has to begin with https://. For ${url.hostname} the operator can allow http with OCTAVO_ALLOW_PRIVATE_HOSTS.`
    throw invalid('sso_url_invalid', message)
  }
  return url.href
}

async function checkTeam(trx: Trx, organizationId: string, id: string | null | undefined): Promise<void> {
  if (id === undefined || id === null) return
  if ((await findTeam(trx, organizationId, id)) === undefined)
    throw invalid('team_unknown', 'body.defaultTeam: there is no such team in this organization.')
}
