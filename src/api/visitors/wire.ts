// Converts share links and visitor keys to their wire format. Keys are derived here and stored nowhere.
import type { VisitorKey } from '../../access/proofs.ts'
import { toShareKey, toVisitorKey } from '../../access/visitor-secrets.ts'
import { assert } from '../../base/assert.ts'
import type { Context } from '../../http/context.ts'
import type { ContentTokenRow } from '../accounts/content-tokens.ts'
import type { SpaceRow } from '../spaces/rows.ts'
import { withKey } from '../spaces/wire.ts'
import type { ShareLinkRow } from './rows.ts'
import type { ContentTokenDetails, PublishingAuth, ShareLink } from './schema.ts'

type AddressContext = Pick<Context, 'urls' | 'signingKey'>

const shareLinkUrl = ({ urls }: AddressContext, { id, space_id }: ShareLinkRow): string =>
  urls.api(`/spaces/${space_id}/share-links/${id}`)

export const toShareLink = (context: AddressContext, row: ShareLinkRow): ShareLink => ({
  object: 'share-link',
  id: row.id,
  createdAt: row.created_at.toISOString(),
  name: row.name,
  active: row.is_active,
  ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at.toISOString() }),
  urls: {
    location: shareLinkUrl(context, row),
    published: withKey(context.urls.page(row.space_id, ''), toShareKey(context.signingKey, row.id)),
  },
})

/** `keys`: those that are not retired, newest first. */
export function toPublishingAuth(
  { signingKey }: AddressContext,
  { visitor_fallback_url }: Pick<SpaceRow, 'visitor_fallback_url'>,
  keys: readonly VisitorKey[],
): PublishingAuth {
  const [current, ...earlier] = keys
  assert(current !== undefined, 'a space has a key at any time')
  return {
    object: 'publishing-auth',
    backend: 'custom',
    privateKey: toVisitorKey(signingKey, current.id),
    ...(visitor_fallback_url === null ? {} : { fallbackURL: visitor_fallback_url }),
    retiringKeys: earlier.flatMap(({ retires_at }) =>
      retires_at === null ? [] : [{ retiresAt: retires_at.toISOString() }],
    ),
  }
}

export function toContentToken(row: ContentTokenRow): ContentTokenDetails {
  const { id, created_at, expires_at, created_by, last_used_at } = row
  assert(expires_at !== null && created_by !== null, 'a content token has an end and a maker')
  return {
    ...{ object: 'content-token', id, createdBy: created_by },
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    ...(last_used_at === null ? {} : { lastUsedAt: last_used_at.toISOString() }),
  }
}
