// Publishing: one transaction in which a space gets a new head, with everything that must never lag behind it.
import { conflict, invalid, missing } from '../../base/errors.ts'
import { overlay } from '../../engines/content/overlay.ts'
import type { AnyRecord, Hash, Key } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import { checkEdits } from '../../engines/content/tree-check-edits.ts'
import { applyEdits, rememberNodes } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import {
  findRevision,
  insertRevision,
  moveHead,
  type RevisionGit,
  type RevisionRow,
  type RevisionType,
} from '../spaces/head.ts'
import { lockSpace } from '../spaces/rows.ts'
import { insertObjects } from './objects.ts'
import { prepareProjection, project } from './projections.ts'
import { describeTreeProblem } from './tree-messages.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    'space.published': { revision: string; type: RevisionType; commit?: string }
  }
}

/** Edits to one revision of a space. */
export type Publication = {
  readonly spaceId: string
  /** The revision that the edits were made from. */
  readonly base: { readonly revisionId: string; readonly root: Hash }
  readonly edits: ReadonlyMap<Key, AnyRecord | null>
  /** Documents that the edits name and the store may not have. */
  readonly documents: readonly StoredObject[]
  readonly type: RevisionType
  readonly createdBy: string | null
  readonly git?: RevisionGit
}

type PublishServices = Pick<Services, 'objects' | 'transaction' | 'events'>

/**
 * Makes the edits the new head of the space. Everything that can be worked out beforehand is: the transaction holds
 * the row of the space for a few statements only. Edits that change nothing answer the base, unchanged.
 *
 * Throws `conflict` (head_moved) when the head is no longer `base`, `invalid` when the tree would break its
 * invariant; nothing is written then.
 */
export async function publish(
  services: PublishServices,
  publication: Publication,
): Promise<{ revision: RevisionRow | undefined; root: Hash; isChanged: boolean }> {
  const { spaceId, base } = publication
  const next = await prepare(services, publication)
  if (next.root === base.root) return { revision: undefined, root: base.root, isChanged: false }
  const projection = await prepareProjection(next.reads, base.root, next.root)
  const revision = await services.transaction(async trx => {
    const space = await lockSpace(trx, spaceId)
    if (space === undefined) throw missing('space')
    if (space.revision_id !== base.revisionId) throw headMoved()
    await insertObjects(trx, next.objects)
    const row = await insertRevision(trx, { ...publication, root: next.root, parents: [base.revisionId] })
    await moveHead(trx, spaceId, base.revisionId, row.id)
    await project(trx, space, projection)
    await services.events.append(trx, {
      type: 'space.published',
      organizationId: space.organization_id,
      spaceId,
      actorId: publication.createdBy,
      payload: {
        revision: row.id,
        type: publication.type,
        ...(publication.git === undefined ? {} : { commit: publication.git.oid }),
      },
    })
    return row
  })
  return { revision, root: next.root, isChanged: true }
}

/** A revision beside the head, which stays where it is: previews of pull requests, later change requests. */
export async function keepRevision(
  services: PublishServices,
  publication: Publication,
): Promise<{ revision: RevisionRow; root: Hash }> {
  const next = await prepare(services, publication)
  const revision = await services.transaction(async trx => {
    const space = await lockSpace(trx, publication.spaceId)
    if (space === undefined) throw missing('space')
    if ((await findRevision(trx, publication.spaceId, publication.base.revisionId)) === undefined)
      throw headMoved()
    await insertObjects(trx, next.objects)
    return insertRevision(trx, { ...publication, root: next.root, parents: [publication.base.revisionId] })
  })
  return { revision, root: next.root }
}

async function prepare({ objects }: PublishServices, { base, edits, documents }: Publication) {
  const store = rememberNodes(objects)
  const problems = await checkEdits(store, base.root, edits)
  const [first] = problems
  if (first !== undefined) throw invalid('tree_invalid', describeTreeProblem(first))
  const applied = await applyEdits(store, base.root, edits)
  const made = [...applied.objects, ...documents]
  return { root: applied.root, objects: made, reads: overlay(store, made) }
}

const headMoved = () =>
  conflict('head_moved', 'The space was changed in the meantime. Read it again and repeat the change.')
