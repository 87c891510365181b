// Content of a space: its head, one of its revisions, or the head of a change request. All of them support the same
// reads, so the operations are written once and mounted at each.
import { allows, type RoleOn } from '../../access/policy.ts'
import { type SpecSight, specSightOf } from '../../access/spec-sight.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { CachedBody } from '../../http/cached-body.ts'
import type { Context } from '../../http/context.ts'
import { Id } from '../../http/list.ts'
import { below, type Place } from '../../http/place.ts'
import { onChangeRequest } from '../change-requests/place.ts'
import type { ChangeRequestRow } from '../change-requests/rows.ts'
import { onSpace, type SpaceAt } from '../spaces/place.ts'
import { findRevision } from '../spaces/revisions.ts'
import type { SpaceRow } from '../spaces/rows.ts'

/** One revision of a space, loaded and permitted. */
export type ContentAt = {
  readonly space: SpaceRow
  readonly revisionId: string
  readonly root: Hash
  /**
   * Whether the caller belongs to the space. Visitors see what readers see: no repository, no commits, and no document
   * that was taken down.
   */
  readonly isMember: boolean
  readonly role: RoleOn<'space'> | null
  /** Which specifications its texts show: at the head to everybody the same, elsewhere what the caller may see. */
  readonly sight: SpecSight
  /** The change request whose content it is. */
  readonly changeRequest: ChangeRequestRow | null
}

const contentAt = (
  { space, role }: SpaceAt,
  revisionId: string,
  rootHash: Buffer,
  sight: SpecSight,
  changeRequest: ChangeRequestRow | null = null,
): ContentAt => ({
  space,
  revisionId,
  root: rootHash.toString('hex'),
  changeRequest,
  role,
  sight,
  isMember: allows('space', 'access', role),
})

/** The head: what readers see. */
export const onContent = below(onSpace, {
  name: 'content',
  subject: 'space',
  path: '/content',
  find: (_context, at) => contentAt(at, at.space.revision_id, at.space.root_hash, 'published'),
  role: (_principal, { role }) => role,
  revisionOf: ({ revisionId }) => revisionId,
})

/** The head of a change request. */
export const onChangeRequestContent = below(onChangeRequest, {
  name: 'changeRequestContent',
  subject: 'space',
  path: '/content',
  find({ principal }, at) {
    const { changeRequest, space } = at
    const sight = specSightOf(principal, space.organization_id)
    return contentAt(at, changeRequest.revision_id, changeRequest.root_hash, sight, changeRequest)
  },
  role: (_principal, { role }) => role,
  revisionOf: ({ revisionId }) => revisionId,
})

/** The same, mounted at the path of the change request itself. */
export const onChangeRequestHead: Place<'space', ContentAt> = {
  ...onChangeRequestContent,
  name: 'changeRequest',
  path: onChangeRequest.path,
}

/** The head, mounted at the path of the space itself. */
export const onHead: Place<'space', ContentAt> = { ...onContent, name: 'head', path: onSpace.path }

/**
 * A revision in the space's history. Visitors of an open space see its head but not its history: a page that was taken
 * down stays down.
 */
export const onRevision = below(onSpace, {
  name: 'revision',
  subject: 'space',
  path: '/revisions/{revisionId}',
  params: { revisionId: Id('A revision of the space.') },
  noun: 'revision',
  async find(context, at, { revisionId }) {
    const row = await findCachedRevision(context, at.space.id, revisionId)
    const { space } = at
    const sight =
      revisionId === space.revision_id ? 'published' : specSightOf(context.principal, space.organization_id)
    return row && contentAt(at, row.id, row.root_hash, sight)
  },
  role: (_principal, { role, revisionId, space }) =>
    role === 'visitor' && revisionId !== space.revision_id ? null : role,
  revisionOf: ({ revisionId }) => revisionId,
})

/** A revision never changes. */
export const findCachedRevision = (
  { db, rowCache }: Pick<Context, 'db' | 'rowCache'>,
  spaceId: string,
  id: string,
) =>
  rowCache.get(
    `revision:${spaceId}:${id}`,
    () => findRevision(db, spaceId, id),
    () => [],
  )

/**
 * The body that answers `question` about this content, built at most once; equal content has equal answers. Visitors
 * see less than members, and a change request links to its preview, so these have separate answers.
 */
export const cachedAnswer = async (
  context: Context,
  at: ContentAt,
  question: unknown,
  build: () => Promise<unknown>,
): Promise<CachedBody> => {
  const { space, root, isMember, changeRequest, sight } = at
  const computed = await context.contents.digest(space.id, root, sight)
  const key = `${space.id} ${changeRequest?.id ?? ''} ${root} ${computed} ${isMember} ${JSON.stringify(question)}`
  // Awaited here: returning a promise from an async function takes two more microtasks.
  return await context.bodies.get(key, build)
}
