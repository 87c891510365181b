// Teams on the wire of SCIM (RFC 7643 §4.2).
import type { Urls } from '../../http/urls.ts'
import { GROUP_SCHEMA } from './group-draft.ts'
import type { GroupRow, MemberOfGroup } from './group-rows.ts'
import { groupUrlOf, toVersion } from './user-wire.ts'

/** Of all that a directory can write. */
export const versionOfGroup = ({ title, external_id }: GroupRow, memberIds: readonly string[]): string =>
  toVersion([title, external_id, memberIds.toSorted()])

/** `members`: undefined if they were not read, so that its version is not known. */
export const toScimGroup = (
  urls: Urls,
  organizationId: string,
  row: GroupRow,
  members: readonly MemberOfGroup[] | undefined,
): Record<string, unknown> => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
  displayName: row.title,
  ...(members === undefined || members.length === 0
    ? {}
    : {
        members: members.map(({ id, display_name }) => ({ value: id, display: display_name, type: 'User' })),
      }),
  meta: {
    resourceType: 'Group',
    created: row.created_at.toISOString(),
    lastModified: row.changed_at.toISOString(),
    location: groupUrlOf(urls, organizationId, row.id),
    ...(members === undefined
      ? {}
      : {
          version: versionOfGroup(
            row,
            members.map(({ id }) => id),
          ),
        }),
  },
})
