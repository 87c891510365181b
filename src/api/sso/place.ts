// An identity provider of an organization, for its admins.
import { Type } from 'typebox'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findProvider, type ProviderRow } from './rows.ts'

export type ProviderAt = OrganizationAt & { readonly provider: ProviderRow }

export const onProvider: Place<'organization', ProviderAt> = {
  name: 'provider',
  subject: 'organization',
  path: `${inOrganization.path}/saml/{samlProviderId}`,
  params: Type.Object({
    ...inOrganization.params.properties,
    samlProviderId: Id('An identity provider of the organization.'),
  }),
  noun: 'identity provider',
  async find(context, params) {
    const at = await inOrganization.find(context, params)
    const provider = at && (await findProvider(context.db, params.samlProviderId ?? ''))
    if (at === undefined || provider?.organization_id !== at.organization.id) return undefined
    return { ...at, provider }
  },
  role: (principal, at) => inOrganization.role(principal, at),
}
