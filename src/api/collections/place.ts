// A collection, for whoever has a role on it.
import { Type } from 'typebox'
import type { RoleOn } from '../../access/policy.ts'
import { findStanding } from '../../access/roles.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import type { Place } from '../../http/operation.ts'
import { type CollectionRow, findCollection } from './rows.ts'

/** A collection, with the role of the one who asks. */
export type CollectionAt = { readonly collection: CollectionRow; readonly role: RoleOn<'collection'> | null }

export const inCollection: Place<'collection', CollectionAt> = {
  name: 'collection',
  subject: 'collection',
  path: '/collections/{collectionId}',
  params: Type.Object({ collectionId: Id('A collection.') }),
  noun: 'collection',
  find: (context, { collectionId = '' }) => findCollectionFor(context, collectionId),
  role: (_principal, { role }) => role,
}

/** A collection with the role of the one who asks, which may be none. */
export async function findCollectionFor(
  { db, principal }: Pick<Context, 'db' | 'principal'>,
  id: string,
): Promise<CollectionAt | undefined> {
  const collection = await findCollection(db, id)
  if (collection === undefined) return undefined
  const { role } = await findStanding(db, principal, collection.organization_id, { kind: 'collection', id })
  return { collection, role }
}
