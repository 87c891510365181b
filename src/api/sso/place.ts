// An identity provider of an organization, for its admins.
import { Id } from '../../http/list.ts'
import { rowBelow } from '../../http/place.ts'
import { inOrganization, type OrganizationAt } from '../organizations/place.ts'
import { findProvider, type ProviderRow } from './rows.ts'

export type ProviderAt = OrganizationAt & { readonly provider: ProviderRow }

export const onProvider = rowBelow(inOrganization, 'provider', {
  path: '/saml/{samlProviderId}',
  params: { samlProviderId: Id('An identity provider of the organization.') },
  noun: 'identity provider',
  async find({ db }, { organization }, { samlProviderId }) {
    const provider = await findProvider(db, samlProviderId)
    return provider?.organization_id === organization.id ? provider : undefined
  },
})
