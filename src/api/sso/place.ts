// An identity provider of an organization, for its admins.
import { Id } from '../../http/list.ts'
import { below, type Place } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findProvider, type ProviderRow } from './rows.ts'

export type ProviderAt = OrganizationAt & { readonly provider: ProviderRow }

export const onProvider: Place<'organization', ProviderAt> = below(inOrganization, {
  name: 'provider',
  subject: 'organization',
  path: '/saml/{samlProviderId}',
  params: { samlProviderId: Id('An identity provider of the organization.') },
  noun: 'identity provider',
  async find({ db }, at, { samlProviderId }) {
    const provider = await findProvider(db, samlProviderId)
    return provider?.organization_id === at.organization.id ? { ...at, provider } : undefined
  },
  role: inOrganization.role,
})
