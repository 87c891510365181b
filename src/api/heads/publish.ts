// Publishing: one transaction in which a space, or a change request, gets a new head, with everything that must never lag
// behind it.
import { conflict, invalid, missing } from '../../base/errors.ts'
import { overlay } from '../../engines/content/overlay.ts'
import type { AnyRecord, Hash, Key } from '../../engines/content/records.ts'
import type { ObjectReads, StoredObject } from '../../engines/content/store.ts'
import { checkEdits } from '../../engines/content/tree-check-edits.ts'
import { applyEdits, rememberNodes } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { lockChangeRequest, moveProposal } from '../change-requests/rows.ts'
import {
  findRevision,
  insertRevision,
  moveHead,
  type NewRevision,
  type RevisionGit,
  type RevisionRow,
  type RevisionType,
} from '../spaces/head.ts'
import { lockSpace } from '../spaces/rows.ts'
import { knownIn } from './document-links.ts'
import { insertObjects } from './objects.ts'
import { withOwnRows } from './own-rows.ts'
import { enqueuePreparation } from './prepare-documents.ts'
import { prepareProjection, project } from './projections.ts'
import { describeTreeProblem } from './tree-messages.ts'
import { writeAhead } from './write-ahead.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The head of a space moved from `previous` to `revision`. */
    'space.published': { revision: string; previous: string; type: RevisionType; commit?: string }
    /** The head of a change request moved from `previous` to `revision`. */
    'change_request.edited': { changeRequest: string; revision: string; previous: string; type: RevisionType }
  }
}

/** The content of a revision that is not there yet. */
export type NewContent = {
  readonly root: Hash
  /** Nodes and documents that the store may not have. */
  readonly objects: readonly StoredObject[]
}

/** What every new revision is made with. */
export type Making = {
  /** The revision that it follows: its first parent, and what the head has to be still. */
  readonly base: { readonly revisionId: string; readonly root: Hash }
  readonly type: RevisionType
  readonly createdBy: string | null
  /** Of a merge: the revisions that went into it beside the base. */
  readonly otherParents?: readonly string[]
  readonly mergedFrom?: string
  readonly git?: RevisionGit
  /** What the transaction makes sure of, once it has locked what gets the new head and before it writes. */
  readonly beforehand?: (trx: Trx) => Promise<void>
  /** What else the transaction writes, once the revision is there. */
  readonly alongside?: (trx: Trx, revision: RevisionRow) => Promise<void>
}

/** Edits to one revision of a space. */
export type Publication = Making & {
  readonly spaceId: string
  readonly edits: ReadonlyMap<Key, AnyRecord | null>
  /** Documents that the edits name and the store may not have. */
  readonly documents: readonly StoredObject[]
}

type PublishServices = Pick<Services, 'compute' | 'db' | 'jobs' | 'objects' | 'transaction' | 'events'>

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
  const { base, edits, documents } = publication
  const content = await applyContent(services.objects, base.root, edits, documents)
  if (content.root === base.root) return { revision: undefined, root: base.root, isChanged: false }
  const revision = await publishContent(services, { ...publication, content })
  return { revision, root: content.root, isChanged: true }
}

/** The same for content that was made already, and whose tree is valid: the result of a merge. */
export async function publishContent(
  services: PublishServices,
  publication: Making & {
    readonly spaceId: string
    readonly content: NewContent
    /** Makes the space, where it is not there yet, with `base` as its head. */
    readonly begin?: (trx: Trx) => Promise<unknown>
  },
): Promise<RevisionRow> {
  const { spaceId, base, content } = publication
  const reads = overlay(rememberNodes(services.objects), content.objects)
  const known = knownIn(services.db, content.objects)
  const projection = await prepareProjection(services, reads, spaceId, base.root, content.root, known)
  const { objects, ...left } = await writeAhead(services, { ...projection, objects: content.objects })
  const write = async (trx: Trx): Promise<RevisionRow> => {
    await publication.begin?.(trx)
    const space = await lockSpace(trx, spaceId)
    if (space === undefined) throw missing('space')
    if (space.revision_id !== base.revisionId) throw headMoved('space')
    await publication.beforehand?.(trx)
    const row = await insertContent(trx, { ...publication, content: { root: content.root, objects } })
    await moveHead(trx, spaceId, base.revisionId, row.id)
    await project(trx, space, { ...projection, ...left })
    await services.events.append(trx, {
      type: 'space.published',
      organizationId: space.organization_id,
      spaceId,
      actorId: publication.createdBy,
      payload: {
        revision: row.id,
        previous: base.revisionId,
        type: publication.type,
        ...(publication.git === undefined ? {} : { commit: publication.git.oid }),
      },
    })
    await publication.alongside?.(trx, row)
    return row
  }
  return withOwnRows(services, spaceId, () => services.transaction(write))
}

/**
 * Makes the content the new head of a change request. Throws `conflict` when the head is no longer `base`
 * (head_moved) or the change request was merged (change_request_merged); nothing is written then.
 */
export const proposeContent = (
  services: PublishServices,
  proposal: Making & {
    readonly space: { readonly id: string; readonly organization_id: string }
    readonly changeRequestId: string
    readonly content: NewContent
  },
): Promise<RevisionRow> =>
  services.transaction(async trx => {
    const { space, changeRequestId, base } = proposal
    const changeRequest = await lockChangeRequest(trx, changeRequestId)
    if (changeRequest === undefined) throw missing('change request')
    if (changeRequest.status === 'merged') throw alreadyMerged()
    if (changeRequest.revision_id !== base.revisionId) throw headMoved('change request')
    await proposal.beforehand?.(trx)
    const row = await insertContent(trx, { ...proposal, spaceId: space.id })
    await moveProposal(trx, changeRequestId, base.revisionId, row.id)
    await services.events.append(trx, {
      type: 'change_request.edited',
      organizationId: space.organization_id,
      spaceId: space.id,
      actorId: proposal.createdBy,
      payload: {
        changeRequest: changeRequestId,
        revision: row.id,
        previous: base.revisionId,
        type: proposal.type,
      },
    })
    await enqueuePreparation(services.jobs, trx, changeRequestId, proposal.content)
    await proposal.alongside?.(trx, row)
    return row
  })

/** A revision beside the head, which stays where it is: previews of pull requests. */
export async function keepRevision(
  services: PublishServices,
  publication: Publication,
): Promise<{ revision: RevisionRow; root: Hash }> {
  const { spaceId, base, edits, documents } = publication
  const content = await applyContent(services.objects, base.root, edits, documents)
  const revision = await services.transaction(async trx => {
    if ((await lockSpace(trx, spaceId)) === undefined) throw missing('space')
    if ((await findRevision(trx, spaceId, base.revisionId)) === undefined) throw headMoved('space')
    const row = await insertContent(trx, { ...publication, content, isStandalone: true })
    await publication.alongside?.(trx, row)
    return row
  })
  return { revision, root: content.root }
}

/** The content that edits make of a root. Throws `invalid` when its tree would break its invariant. */
export async function applyContent(
  objects: ObjectReads,
  root: Hash,
  edits: ReadonlyMap<Key, AnyRecord | null>,
  documents: readonly StoredObject[],
): Promise<NewContent> {
  const store = rememberNodes(objects)
  const [problem] = await checkEdits(store, root, edits)
  if (problem !== undefined) throw invalid('tree_invalid', describeTreeProblem(problem))
  const applied = await applyEdits(store, root, edits)
  return { root: applied.root, objects: [...applied.objects, ...documents] }
}

/** Inserts a revision with its content; where it stands is for the caller to say. */
export async function insertContent(
  trx: Trx,
  making: Making &
    Pick<NewRevision, 'id' | 'spaceId' | 'changeRequestId' | 'isStandalone'> & { content: NewContent },
): Promise<RevisionRow> {
  await insertObjects(trx, making.content.objects)
  return insertRevision(trx, {
    ...making,
    root: making.content.root,
    parents: [making.base.revisionId, ...(making.otherParents ?? [])],
  })
}

export const headMoved = (noun: 'space' | 'change request') =>
  conflict('head_moved', `The ${noun} was changed in the meantime. Read it again and repeat the change.`)

export const alreadyMerged = () =>
  conflict(
    'change_request_merged',
    'This change request was merged: its content is final. Open another for further changes.',
  )
