// A share link of a space, for those who belong to the space.
import { allows } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import { rowBelow } from '../../http/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { findShareLink, type ShareLinkRow } from './rows.ts'

export type ShareLinkAt = SpaceAt & { readonly link: ShareLinkRow }

export const onShareLink = rowBelow(onSpace, 'link', {
  path: '/share-links/{shareLinkId}',
  params: { shareLinkId: Id('A share link of the space.') },
  noun: 'share link',
  find: ({ db }, { space }, { shareLinkId }) => findShareLink(db, space.id, shareLinkId),
  role: (_principal, { role }) => (allows('space', 'access', role) ? role : null),
})
