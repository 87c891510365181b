// An organization, for its members and guests.
import { Type } from 'typebox'
import { roleInOrganization } from '../../access/roles.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/place.ts'
import { findOrganization, type OrganizationRow } from './rows.ts'

export type OrganizationAt = { readonly organization: OrganizationRow }

export const inOrganization: Place<'organization', OrganizationAt> = {
  name: 'organization',
  subject: 'organization',
  path: '/orgs/{organizationId}',
  params: Type.Object({ organizationId: Id('An organization.') }),
  noun: 'organization',
  async find({ db, rowCache }, { organizationId = '' }) {
    const load = () => findOrganization(db, organizationId)
    const organization = await rowCache.get(`organization:${organizationId}`, load, ({ id }) => [id])
    return organization && { organization }
  },
  role: (principal, { organization }) => roleInOrganization(principal, organization.id),
}
