// Teams on the wire of SCIM (RFC 7643 §4.2).
import type { Urls } from '../../http/urls.ts'
import { GROUP_SCHEMA } from './group-draft.ts'
import type { GroupRow, MemberOfGroup } from './group-rows.ts'
import { groupUrlOf } from './user-wire.ts'

export const toScimGroup = (
  urls: Urls,
  organizationId: string,
  row: GroupRow,
  members: readonly MemberOfGroup[],
): Record<string, unknown> => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
  displayName: row.title,
  ...(members.length === 0
    ? {}
    : {
        members: members.map(({ id, display_name }) => ({ value: id, display: display_name, type: 'User' })),
      }),
  meta: {
    resourceType: 'Group',
    created: row.created_at.toISOString(),
    lastModified: row.changed_at.toISOString(),
    location: groupUrlOf(urls, organizationId, row.id),
  },
})
