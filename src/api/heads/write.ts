// Writing a head: one transaction in which a space or a change request gets a new head, with everything that must never
// lag behind it. One statement compares, sets, locks and reads its row, and inserts the revision.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { conflict, missing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { StoredObject } from '../../engines/content/store.ts'
import { rememberNodes } from '../../engines/content/trie.ts'
import { overlay } from '../../engines/content/trie-nodes.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import type { Spaces } from '../../platform/db/tables.ts'
import type { DueListeners, InsertingEvent } from '../../platform/events/append.ts'
import {
  findChangeRequest,
  type MovedChangeRequest,
  movingChangeRequestHead,
} from '../change-requests/rows.ts'
import { requireOpen } from '../change-requests/state.ts'
import { DocumentsAhead, knownIn } from '../content/document-rows.ts'
import { fitsOneStatement, insertObjects, objectWrites } from '../content/objects.ts'
import { withOwnRows } from '../content/own-rows.ts'
import { enqueuePreparation } from '../content/prepare-documents.ts'
import { prepareProjection, project } from '../content/projections.ts'
import { lockingProjection } from '../spaces/projections.ts'
import {
  insertingRevision,
  type NewRevision,
  type RevisionGit,
  type RevisionRow,
  type RevisionType,
} from '../spaces/revisions.ts'
import { findSpace, movingSpaceHead } from '../spaces/rows.ts'
import { headMoved } from './overtaken.ts'

declare module '../../platform/events/append.ts' {
  interface EventPayloads {
    /** The head of a space moved from `previous` to `revision`. */
    'space.published': { revision: string; previous: string; type: RevisionType; commit?: string }
    /** The head of a change request moved from `previous` to `revision`. */
    'change_request.edited': { changeRequest: string; revision: string; previous: string; type: RevisionType }
  }
}

/** The content of a new revision. */
export type NewContent = {
  readonly root: Hash
  /** Nodes and documents that may not be stored yet. */
  readonly objects: readonly StoredObject[]
}

/** The input of every new revision. `Row` is the row of the space or change request that gets the new head. */
export type RevisionInput<Row = unknown> = {
  /** The revision that it follows: its first parent, which still has to be the head. */
  readonly base: { readonly revisionId: string; readonly root: Hash }
  readonly type: RevisionType
  readonly createdBy: string | null
  /** For a merge: the revisions merged in besides the base. */
  readonly otherParents?: readonly string[]
  readonly mergedFrom?: string
  readonly git?: RevisionGit
  /** Runs first in the transaction: creates the author, or the space itself. */
  readonly before?: (trx: Trx) => Promise<unknown>
  /** Throws if the head may not be written. It is locked, and `row` has the new head. */
  readonly check?: (trx: Trx, row: Row) => Promise<void>
  /** Receives the row with the new head, in the transaction. */
  readonly moved?: (row: Row) => void
  /** What else the transaction writes, after the revision. */
  readonly alongside?: (trx: Trx, revision: RevisionRow) => Promise<void>
}

export type WriteServices = Pick<Services, 'compute' | 'db' | 'jobs' | 'objects' | 'transaction' | 'events'>

/** A written head: its row, and its revision. */
export type WrittenHead<Row> = { readonly revision: RevisionRow; readonly row: Row }

type MovedSpace = Selectable<Spaces>

/**
 * Makes content with a valid tree the new head of a space. Everything possible is computed beforehand: the transaction
 * holds the row of the space for a few statements only.
 *
 * Throws `conflict` (head_moved) when the head is no longer `base`, (space_locked) if `isEdit` and the space takes no
 * direct edits; nothing is written then.
 */
export async function writeSpaceHead(
  services: WriteServices,
  input: RevisionInput<MovedSpace> & {
    readonly spaceId: string
    readonly content: NewContent
    /** A direct edit, which a locked space refuses. */
    readonly isEdit?: boolean
  },
): Promise<WrittenHead<MovedSpace>> {
  const { spaceId, base, content } = input
  const reads = overlay(rememberNodes(services.objects), content.objects)
  const known = knownIn(services.db, content.objects)
  const read = new DocumentsAhead(services, content.objects)
  const projection = await prepareProjection(
    services,
    reads,
    spaceId,
    base.root,
    content.root,
    known,
    read,
  ).catch(async (error: unknown) => {
    await read.giveUp()
    throw error
  })
  const { objects, documents } = await read.finish()
  const write = async (trx: Trx) => {
    await input.before?.(trx)
    const id = newId()
    const event = {
      type: 'space.published',
      spaceId,
      actorId: input.createdBy,
      payload: {
        revision: id,
        previous: base.revisionId,
        type: input.type,
        ...(input.git === undefined ? {} : { commit: input.git.oid }),
      },
    } as const
    const moved = await moveHead(
      trx,
      input,
      { id, spaceId, root: content.root, objects },
      movingSpaceHead(spaceId, base.revisionId, id),
      services.events.inserting(event, 'moved'),
      LOCKED_ROWS,
    )
    if (moved === undefined) throw await whySpaceStayed(trx, spaceId)
    const { row, revision, due } = moved
    if (input.isEdit === true) refuseLocked(row)
    await input.check?.(trx, row)
    await project(trx, row, projection, documents, revision)
    await services.events.announce(trx, { ...event, organizationId: row.organization_id }, due)
    input.moved?.(row)
    await input.alongside?.(trx, revision)
    return { row, revision }
  }
  const written = await withOwnRows(services, spaceId, () => services.transaction(write))
  services.objects.remember(content.objects)
  return written
}

/**
 * Makes the content the new head of a change request. Throws `conflict` when the head is no longer `base` (head_moved)
 * and for a change request that was merged or archived; nothing is written then.
 */
export async function writeChangeRequestHead(
  services: WriteServices,
  input: RevisionInput<MovedChangeRequest> & {
    readonly changeRequest: { readonly id: string; readonly space_id: string }
    readonly content: NewContent
  },
): Promise<WrittenHead<MovedChangeRequest>> {
  const { base, content } = input
  const { id: changeRequestId, space_id: spaceId } = input.changeRequest
  const written = await services.transaction(async trx => {
    await input.before?.(trx)
    const id = newId()
    const event = {
      type: 'change_request.edited',
      spaceId,
      actorId: input.createdBy,
      payload: { changeRequest: changeRequestId, revision: id, previous: base.revisionId, type: input.type },
    } as const
    const moved = await moveHead(
      trx,
      input,
      { ...content, id, spaceId, changeRequestId },
      movingChangeRequestHead(changeRequestId, base.revisionId, id),
      services.events.inserting(event, 'moved'),
    )
    if (moved === undefined) throw await whyChangeRequestStayed(trx, changeRequestId)
    const { row, revision, due } = moved
    requireOpen(row, input.type === 'update' ? 'merge' : 'edit')
    await input.check?.(trx, row)
    await services.events.announce(trx, { ...event, organizationId: row.organization_id }, due)
    await enqueuePreparation(services.jobs, trx, changeRequestId, content)
    input.moved?.(row)
    await input.alongside?.(trx, revision)
    return { row, revision }
  })
  services.objects.remember(content.objects)
  return written
}

/** Locks the live rows before the statement that writes them takes its snapshot. */
const LOCKED_ROWS: MoreParts = {
  parts: [sql`locked as (${lockingProjection('moved')})`],
  from: sql`, locked`,
}

type MoreParts = { readonly parts: readonly RawBuilder<unknown>[]; readonly from: RawBuilder<unknown> }

const NO_PARTS: MoreParts = { parts: [], from: sql`` }

/** Undefined, with nothing written, if the head has moved. */
async function moveHead<Row extends object>(
  trx: Trx,
  input: RevisionInput<Row>,
  content: NewContent & Pick<NewRevision, 'spaceId' | 'changeRequestId'> & { readonly id: string },
  moving: RawBuilder<Row>,
  event: InsertingEvent,
  { parts: more, from }: MoreParts = NO_PARTS,
): Promise<(WrittenHead<Row> & { readonly due: DueListeners }) | undefined> {
  const { base, otherParents = [] } = input
  const revision: NewRevision = { ...input, ...content, parents: [base.revisionId, ...otherParents] }
  const FROM_MOVED = sql`, moved`
  const isSmall = fitsOneStatement(content.objects)
  const parts = [
    sql`moved as (${moving})`,
    sql`revision as (${insertingRevision(revision, sql`from moved`)} returning *)`,
    ...(isSmall ? await objectWrites(content.objects, FROM_MOVED) : []),
    ...more,
    ...event.parts,
  ]
  const { rows } = await sql<Row & { written_revision_at: Date; due: DueListeners }>`
    with ${sql.join(parts)}
    select moved.*, revision.created_at as written_revision_at, ${event.due} as due
    from moved, revision${from}`.execute(trx)
  const [found] = rows
  if (found === undefined) return undefined
  // In hash order, under the lock of the head, so that two writers of the same objects cannot deadlock.
  if (!isSmall) await insertObjects(trx, content.objects)
  const { written_revision_at, due, ...row } = found
  return {
    due,
    // What is left is the row that moved; TypeScript does not undo an intersection.
    row: row as unknown as Row,
    revision: {
      id: content.id,
      space_id: content.spaceId,
      root_hash: Buffer.from(content.root, 'hex'),
      type: input.type,
      parents: [...revision.parents],
      created_at: written_revision_at,
      created_by: input.createdBy,
      merged_from: input.mergedFrom ?? null,
      git: input.git ?? null,
      change_request_id: content.changeRequestId ?? null,
      is_standalone: false,
    },
  }
}

async function whySpaceStayed(trx: Trx, id: string) {
  const row = await findSpace(trx, id)
  return row === undefined || row.deleted_at !== null ? missing('space') : headMoved('space')
}

async function whyChangeRequestStayed(trx: Trx, id: string) {
  const row = await findChangeRequest(trx, id)
  if (row === undefined) return missing('change request')
  requireOpen(row, 'edit')
  return headMoved('change request')
}

/** Throws `conflict` (space_locked) if the space takes no direct edits. */
export function refuseLocked({ edit_mode }: Pick<MovedSpace, 'edit_mode'>): void {
  if (edit_mode !== 'locked') return
  throw conflict(
    'space_locked',
    'This space takes no direct edits: its editMode is locked. Open a change request, edit that and merge it; or set editMode to live.',
  )
}
