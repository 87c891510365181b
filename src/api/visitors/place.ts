// A share link of a space, for those who belong to the space.
import { allows } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import { below, type Place } from '../../http/place.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { findShareLink, type ShareLinkRow } from './rows.ts'

export type ShareLinkAt = SpaceAt & { readonly link: ShareLinkRow }

export const onShareLink: Place<'space', ShareLinkAt> = below(onSpace, {
  name: 'shareLink',
  subject: 'space',
  path: '/share-links/{shareLinkId}',
  params: { shareLinkId: Id('A share link of the space.') },
  noun: 'share link',
  async find({ db }, at, { shareLinkId }) {
    const link = await findShareLink(db, at.space.id, shareLinkId)
    return link && { ...at, link }
  },
  role: (_principal, { role }) => (allows('space', 'access', role) ? role : null),
})
