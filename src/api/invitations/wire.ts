// Converts invitations, with their targets, to their wire format.
import { rankOf } from '../../access/roles.ts'
import { type List, toList } from '../../http/list.ts'
import type { SignedInContext } from '../../http/operation.ts'
import type { Urls } from '../../http/urls.ts'
import type { Page } from '../../platform/db/page.ts'
import type { Collection } from '../collections/schema.ts'
import { toCollection } from '../collections/wire.ts'
import { readSpace } from '../spaces/reads.ts'
import { countInSpaces, findSpaces } from '../spaces/rows.ts'
import type { Space } from '../spaces/schema.ts'
import { toSpace } from '../spaces/wire.ts'
import type { Target } from './place.ts'
import { findCollections, type InviteRow } from './rows.ts'
import type { InviteLink } from './schema.ts'

/** The target; empty for the organization. */
type TargetOnWire = { readonly space?: Space; readonly collection?: Collection }

const toInvite = (urls: Urls, row: InviteRow, redundant: boolean, led: TargetOnWire): InviteLink => {
  const path = `/orgs/${row.organization_id}`
  const common = {
    object: 'invite' as const,
    id: row.id,
    redundant,
    createdAt: row.created_at.toISOString(),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at.toISOString() }),
    uses: row.uses,
    ...(row.uses_max === null ? {} : { usesMax: row.uses_max }),
    urls: {
      location: urls.api(`${path}/link-invites/${row.id}`),
      app: urls.root(`/invitations/${row.organization_id}/${row.id}`),
    },
  }
  if (led.space !== undefined) return { ...common, level: row.role, space: led.space }
  if (led.collection !== undefined) return { ...common, level: row.role, collection: led.collection }
  return { ...common, role: row.role }
}

export async function readInvite(
  context: SignedInContext,
  row: InviteRow,
  target: Target,
): Promise<InviteLink> {
  const { urls, principal } = context
  const isMember = principal.memberships.has(row.organization_id)
  const redundant = isMember && rankOf(roleOf(target)) >= rankOf(row.role)
  if (target.kind === 'space')
    return toInvite(urls, row, redundant, { space: await readSpace(context, target) })
  if (target.kind === 'collection')
    return toInvite(urls, row, redundant, {
      collection: toCollection(urls, target.role, target.collection),
    })
  return toInvite(urls, row, redundant, {})
}

const roleOf = ({ role }: Target) => (role === 'visitor' || role === 'guest' ? null : role)

/** The caller administrates them, and therefore has the roles that they grant. */
export async function readInvites(
  { db, urls }: SignedInContext,
  page: Page<InviteRow>,
): Promise<List<InviteLink>> {
  const idsOf = (column: 'space_id' | 'collection_id') => [
    ...new Set(page.items.flatMap(row => row[column] ?? [])),
  ]
  const spaceIds = idsOf('space_id')
  const [spaces, counts, collections] = await Promise.all([
    findSpaces(db, spaceIds),
    countInSpaces(db, spaceIds),
    findCollections(db, idsOf('collection_id')),
  ])
  const spaceById = new Map(
    spaces.map(row => [row.id, toSpace(urls, 'admin', row, counts.get(row.id))] as const),
  )
  const collectionById = new Map(collections.map(row => [row.id, toCollection(urls, 'admin', row)] as const))
  return toList(page, row => {
    const space = spaceById.get(row.space_id ?? '')
    const collection = collectionById.get(row.collection_id ?? '')
    return toInvite(urls, row, true, {
      ...(space === undefined ? {} : { space }),
      ...(collection === undefined ? {} : { collection }),
    })
  })
}
