// Converts rows of collections to their wire format.
import { permissions, type RoleOn } from '../../access/policy.ts'
import { findEffectiveRole } from '../../access/roles.ts'
import type { Context } from '../../http/context.ts'
import type { Urls } from '../../http/urls.ts'
import type { CollectionRow } from './rows.ts'
import { COLLECTION_PERMISSIONS, type Collection } from './schema.ts'

export const toCollection = (
  urls: Urls,
  role: RoleOn<'collection'> | null,
  row: CollectionRow,
): Collection => ({
  object: 'collection',
  id: row.id,
  title: row.title,
  ...(row.description === '' ? {} : { description: row.description }),
  organization: row.organization_id,
  ...(row.parent_id === null ? {} : { parent: row.parent_id }),
  defaultLevel: row.default_level === 'none' ? null : row.default_level,
  urls: { location: urls.api(`/collections/${row.id}`), app: urls.root('/') },
  permissions: permissions('collection', role, COLLECTION_PERMISSIONS),
})

/** A collection that was just written, which may have changed the caller's role. */
export async function readWrittenCollection(
  { db, urls, principal }: Pick<Context, 'db' | 'urls' | 'principal'>,
  row: CollectionRow,
): Promise<Collection> {
  const thing = { kind: 'collection', id: row.id } as const
  return toCollection(urls, (await findEffectiveRole(db, principal, row.organization_id, thing)).role, row)
}
