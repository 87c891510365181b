// People on the wire of SCIM (RFC 7643 §4.1).
import { sha256 } from '../../base/canonical.ts'
import type { Urls } from '../../http/urls.ts'
import { EMAIL_TYPE, USER_SCHEMA } from './user-draft.ts'
import type { GroupOfPerson, PersonRow } from './user-rows.ts'
import { baseUrlOf } from './wire.ts'

const VERSION_CHARACTERS = 16

/** Weak: equal versions mean that nothing that a directory can write differs (RFC 7644 §3.14). */
export const toVersion = (said: unknown): string =>
  `W/"${sha256(JSON.stringify(said)).slice(0, VERSION_CHARACTERS)}"`

export function versionOf(row: PersonRow): string {
  const { joined_at: _joined, changed_at: _changed, made_account: _made, ...said } = row
  return toVersion(said)
}

export function toScimUser(
  urls: Urls,
  organizationId: string,
  row: PersonRow,
  groups: readonly GroupOfPerson[],
): Record<string, unknown> {
  const name = {
    ...(row.given_name === null ? {} : { givenName: row.given_name }),
    ...(row.family_name === null ? {} : { familyName: row.family_name }),
  }
  const formatted = [row.given_name, row.family_name].filter(part => part !== null).join(' ')
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name,
    ...(formatted === '' ? {} : { name: { formatted, ...name } }),
    displayName: row.display_name,
    emails: [{ value: row.email, type: EMAIL_TYPE, primary: true }],
    active: !row.disabled,
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map(({ id, title }) => ({
            value: id,
            $ref: groupUrlOf(urls, organizationId, id),
            display: title,
            type: 'direct',
          })),
        }),
    meta: {
      resourceType: 'User',
      created: row.joined_at.toISOString(),
      lastModified: row.changed_at.toISOString(),
      location: userUrlOf(urls, organizationId, row.id),
      version: versionOf(row),
    },
  }
}

export const userUrlOf = (urls: Urls, organizationId: string, id: string): string =>
  `${baseUrlOf(urls, organizationId)}/Users/${id}`
export const groupUrlOf = (urls: Urls, organizationId: string, id: string): string =>
  `${baseUrlOf(urls, organizationId)}/Groups/${id}`
