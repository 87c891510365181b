// The position among siblings that a request asks for.

import { sql } from 'kysely'
import type { UserPrincipal } from '../../access/principal.ts'
import { MAY_SEE_SPACE, personOf, type Resource, spacesWithEffectiveRole } from '../../access/roles.ts'
import { invalid } from '../../base/errors.ts'
import type { Db } from '../../platform/db/database.ts'
import { collectionsWithEffectiveRole, RANK_ON_COLLECTION } from '../collections/rows.ts'
import type { Parent } from '../collections/tree.ts'
import type { SiblingPosition } from '../spaces/order.ts'
import type { ContentPosition, Sibling } from './schema.ts'

/**
 * The sibling of a position, undefined for the last place. Throws `invalid` unless the caller may see it in the new
 * parent, and for the moved resource itself.
 */
export async function findSibling(
  db: Db,
  principal: UserPrincipal,
  parent: Parent,
  moved: Resource,
  position: ContentPosition | undefined,
): Promise<SiblingPosition | undefined> {
  if (position === undefined) return undefined
  const { before, after } = position
  const named = before ?? after
  if (named === undefined || (before !== undefined && after !== undefined))
    throw invalid(
      'position_ambiguous',
      'body.position: send either before or after; leave position out to be last.',
    )
  const side = before === undefined ? 'after' : 'before'
  const sibling = toResource(named)
  if (sibling.id === moved.id || !(await isIn(db, principal, parent, sibling)))
    throw invalid(
      'sibling_unknown',
      `body.position.${side}.${sibling.kind}: there is no such ${sibling.kind} in the place that this goes to, or you may not see it.`,
    )
  return { side, id: sibling.id }
}

const toResource = (sibling: Sibling): Resource =>
  sibling.type === 'space'
    ? { kind: 'space', id: sibling.space }
    : { kind: 'collection', id: sibling.collection }

async function isIn(
  db: Db,
  principal: UserPrincipal,
  { organizationId, parentId }: Parent,
  { kind, id }: Resource,
): Promise<boolean> {
  const person = personOf(principal)
  const is = parentId === null ? 'is' : '='
  const found =
    kind === 'space'
      ? await spacesWithEffectiveRole(db, person, organizationId)
          .select('spaces.id')
          .where('spaces.organization_id', '=', organizationId)
          .where('spaces.id', '=', id)
          .where('spaces.parent_id', is, parentId)
          .where(MAY_SEE_SPACE)
          .executeTakeFirst()
      : await collectionsWithEffectiveRole(db, organizationId, person)
          .select('collections.id')
          .where('collections.id', '=', id)
          .where('collections.parent_id', is, parentId)
          .where(sql<boolean>`${RANK_ON_COLLECTION} > 0`)
          .executeTakeFirst()
  return found !== undefined
}
