// A share link of a space, for those who belong to the space.
import { Type } from 'typebox'
import { allows } from '../../access/policy.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/operation.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { findShareLink, type ShareLinkRow } from './rows.ts'

export type ShareLinkAt = SpaceAt & { readonly link: ShareLinkRow }

export const onShareLink: Place<'space', ShareLinkAt> = {
  name: 'shareLink',
  subject: 'space',
  path: `${onSpace.path}/share-links/{shareLinkId}`,
  params: Type.Object({ ...onSpace.params.properties, shareLinkId: Id('A share link of the space.') }),
  noun: 'share link',
  async find(context, params) {
    const at = await onSpace.find(context, params)
    if (at === undefined) return undefined
    const link = await findShareLink(context.db, at.space.id, params.shareLinkId ?? '')
    return link && { ...at, link }
  },
  role: (_principal, { role }) => (allows('space', 'access', role) ? role : null),
}
