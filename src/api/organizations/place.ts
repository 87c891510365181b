// An organization, for its members and guests.
import { roleInOrganization } from '../../access/roles.ts'
import { Id } from '../../http/list.ts'
import { placeOf } from '../../http/place.ts'
import { nameOrganization } from '../../platform/fairness/party.ts'
import { findOrganization, type OrganizationRow } from './rows.ts'

export type OrganizationAt = { readonly organization: OrganizationRow }

export const inOrganization = placeOf('organization', {
  path: '/orgs/{organizationId}',
  params: { organizationId: Id('An organization.') },
  async find({ db, rowCache }, { organizationId }): Promise<OrganizationAt | undefined> {
    const load = () => findOrganization(db, organizationId)
    const organization = await rowCache.get(`organization:${organizationId}`, load, ({ id }) => [id])
    if (organization === undefined) return undefined
    nameOrganization(organization.id)
    return { organization }
  },
  role: (principal, { organization }) => roleInOrganization(principal, organization.id),
})
