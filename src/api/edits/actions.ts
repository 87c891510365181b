// Writing content: the changes of a request become the new head of a space or of a change request.
//
// Writers of one head take turns within this process, and the next in line makes its content during the turn before its
// own, so that texts are parsed by then. If another process has moved the head, compare-and-set fails, and the changes
// are applied again to the newest head. With If-Match the answer is 412 instead.
import { authorIdOf } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { missing } from '../../base/errors.ts'
import { memoizeTexts } from '../../compute/memoized.ts'
import { type Hash, splitKey } from '../../engines/content/records.ts'
import type { ObjectReads, StoredObject } from '../../engines/content/store.ts'
import { applyEdits, EMPTY_ROOT } from '../../engines/content/trie.ts'
import { overlay } from '../../engines/content/trie-nodes.ts'
import type { Context } from '../../http/context.ts'
import type { AuthorContext } from '../../http/operation.ts'
import { requireHead } from '../../http/preconditions.ts'
import type { Trx } from '../../platform/db/database.ts'
import { takeTurn, turnOfChangeRequest, turnOfSpace } from '../../platform/turns.ts'
import { requireAuthor } from '../accounts/programs.ts'
import { findCachedChangeRequest, replaceCachedChangeRequest } from '../change-requests/place.ts'
import { type ChangeRequestRow, findChangeRequest } from '../change-requests/rows.ts'
import { mergeBaseOf, requireOpen } from '../change-requests/state.ts'
import { readPages } from '../content/projections.ts'
import { whileHeadMoves } from '../heads/overtaken.ts'
import {
  type NewContent,
  type RevisionInput,
  refuseLocked,
  writeChangeRequestHead,
  writeSpaceHead,
} from '../heads/write.ts'
import { findLeadingTexts } from '../links/leading.ts'
import type { FirstIds } from '../spaces/actions.ts'
import { findCachedSpace, replaceCachedSpace } from '../spaces/place.ts'
import { findRevision, type RevisionRow } from '../spaces/revisions.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import { conflicting, findBases, mergeWithHead, rewind } from './bases.ts'
import { type Applied, applyChanges } from './batch/batch.ts'
import { findAddresses } from './batch/other-spaces.ts'
import type { Base } from './batch/state.ts'
import { describeBlob, type StoredFiles } from './request/new-files.ts'
import { type Prepared, prepareChanges } from './request/prepare.ts'
import type { Change } from './request/schema.ts'
import { markUploadsUsed, type UploadRow } from './request/uploads.ts'

// Writers in this process take turns, so only other processes can move the head in between.
const ATTEMPTS_MAX = 10

/** The space or change request whose content is written. */
type Target<Row> = {
  readonly turn: string
  /** Its id and the id of its space. */
  readonly owner: { readonly spaceId: string; readonly id: string }
  /** The current row with its head, from the cache if nothing was written since. */
  find(): Promise<Row>
  /** The same, always from the database. */
  findStored(): Promise<Row>
  /** Throws if the row does not accept edits now. */
  check(row: Row): void
  readonly baseRevisionOf: (row: Row) => string | null
  /** Whether a revision of the space is in the history of this content. */
  readonly isOwn: (row: Row, revision: RevisionRow) => boolean
  /** What it is in words about conflicts. */
  readonly side: 'space' | 'change-request'
  /** Reads ahead what `write` needs to know of new documents. */
  readAhead?(documents: readonly StoredObject[]): Promise<void>
  /** Makes the content, with these uploads, the new head and returns its row; throws `conflict` (head_moved) if the head has moved. */
  write(row: Row, content: NewContent, uploads: readonly UploadRow[]): Promise<Row>
}

/** What a request has done. */
export type Edited<Row> = {
  readonly applied: Applied
  /** The pages that others had changed since they were read. */
  readonly merged: readonly string[]
  readonly row: Row
}

type HeadRow = { readonly revision_id: string; readonly root_hash: Buffer }

const authored = ({ principal }: AuthorContext): Pick<RevisionInput, 'type' | 'createdBy' | 'before'> => ({
  type: 'edits',
  createdBy: authorIdOf(principal),
  before: trx => requireAuthor(trx, principal),
})

/** What else the transaction of a write does. */
type Alongside = { readonly alongside?: (trx: Trx) => Promise<unknown> }

const using = (
  { principal }: AuthorContext,
  spaceId: string,
  uploads: readonly UploadRow[],
  { alongside }: Alongside,
): Pick<RevisionInput, 'alongside'> => ({
  async alongside(trx) {
    // Only people send files ahead.
    if (principal.kind === 'user' && uploads.length > 0)
      await markUploadsUsed(trx, { spaceId, userId: principal.user.id }, uploads)
    await alongside?.(trx)
  },
})

const NONE_GIVEN: StoredFiles = new Map()

/**
 * Edits the head of a space. Throws `conflict` (space_locked) if it only takes merges, unless the lock is ignored.
 * `given` are files of the changes that are stored already.
 */
export function editSpace(
  caller: AuthorContext,
  space: SpaceRow,
  changes: readonly Change[],
  {
    heedsLock = true,
    given = NONE_GIVEN,
    ...also
  }: { readonly heedsLock?: boolean; readonly given?: StoredFiles } & Alongside = {},
): Promise<Edited<SpaceRow>> {
  const { id } = space
  const context = { ...caller, compute: memoizeTexts(caller.compute) }
  return edit(context, changes, given, space, {
    turn: turnOfSpace(id),
    owner: { spaceId: id, id },
    find: async () => present(await findCachedSpace(context, id)),
    findStored: async () => present(await findSpace(context.db, id)),
    check: row => {
      if (heedsLock) refuseLocked(row)
    },
    baseRevisionOf: () => null,
    isOwn: (_row, { change_request_id, is_standalone }) => change_request_id === null && !is_standalone,
    side: 'space',
    readAhead: documents => readPages(context.compute, id, documents),
    async write(row, content, uploads) {
      let next = row
      await writeSpaceHead(context, {
        ...authored(context),
        spaceId: id,
        base: headOf(row),
        content,
        isEdit: heedsLock,
        ...using(context, id, uploads, also),
        moved(moved) {
          next = { ...row, ...moved, root_hash: Buffer.from(content.root, 'hex') }
          replaceCachedSpace(context, row, next)
        },
      })
      return next
    },
  })
}

function present(row: SpaceRow | undefined): SpaceRow {
  if (row === undefined || row.deleted_at !== null) throw missing('space')
  return row
}

/**
 * Makes a space with these changes as its first edit, in one transaction: `begin` makes it, with these ids. Throws what
 * an edit throws; nothing is written then.
 */
export async function beginWithEdit(
  context: AuthorContext,
  ids: FirstIds,
  changes: readonly Change[],
  given: StoredFiles,
  begin: (trx: Trx) => Promise<unknown>,
): Promise<void> {
  const content = await makeContent(context, ids.space, EMPTY_ROOT, changes, given)
  await writeSpaceHead(context, {
    ...authored(context),
    spaceId: ids.space,
    base: { revisionId: ids.revision, root: EMPTY_ROOT },
    content,
    before: begin,
  })
}

/** The result of changes to a content, to be written by the caller. Throws what an edit throws. */
export async function makeContent(
  context: Context,
  spaceId: string,
  root: Hash,
  changes: readonly Change[],
  given: StoredFiles,
): Promise<NewContent> {
  const prepared = await prepareChanges(context, spaceId, changes, given)
  const base = { owner: { spaceId, id: spaceId }, root, baseRevision: null }
  return (await apply(context, base, prepared)).content
}

/** The result of prepared changes to a content. Writes nothing. */
async function apply(
  context: Context,
  base: Pick<Base, 'owner' | 'root' | 'head' | 'rootsRead' | 'baseRevision'> & {
    readonly store?: ObjectReads
  },
  prepared: Prepared,
): Promise<{ applied: Applied; content: NewContent }> {
  const { store = context.objects } = base
  const applied = await applyChanges(
    {
      ...base,
      compute: context.compute,
      store,
      rootOf: revision => findRoot(context, base.owner.spaceId, revision),
      spaceUrl: context.urls.space,
      findAddresses: wanted => findAddresses(context, wanted),
      findLeading: (file, limit) =>
        findLeadingTexts({ ...context, objects: store }, base.owner.spaceId, base.root, file, limit),
      describe: (blob, name) => describeBlob(context, blob, name),
      now: now(),
      author: context.principal.kind === 'user' ? context.principal.user.id : null,
    },
    prepared,
  )
  const { root, objects } = await applyEdits(store, base.root, applied.edits)
  return { applied, content: { root, objects: [...objects, ...applied.documents] } }
}

/** Edits the head of a change request. Throws `conflict` for a merged or archived one. */
export function editChangeRequest(
  context: AuthorContext,
  changeRequest: ChangeRequestRow,
  changes: readonly Change[],
  { given = NONE_GIVEN, ...also }: { readonly given?: StoredFiles } & Alongside = {},
): Promise<Edited<ChangeRequestRow>> {
  const { id, space_id } = changeRequest
  const found = (row: ChangeRequestRow | undefined) => {
    if (row === undefined) throw missing('change request')
    return row
  }
  return edit(context, changes, given, changeRequest, {
    turn: turnOfChangeRequest(id),
    owner: { spaceId: space_id, id },
    find: async () => found(await findCachedChangeRequest(context, space_id, id)),
    findStored: async () => found(await findChangeRequest(context.db, id)),
    check: row => requireOpen(row, 'edit'),
    baseRevisionOf: mergeBaseOf,
    isOwn: (row, revision) =>
      revision.change_request_id === id ||
      revision.id === row.revision_initial_id ||
      revision.id === row.revision_merged_ancestor_id,
    side: 'change-request',
    async write(row, content, uploads) {
      let next = row
      await writeChangeRequestHead(context, {
        ...authored(context),
        changeRequest: row,
        base: headOf(row),
        content,
        ...using(context, space_id, uploads, also),
        moved(moved) {
          next = { ...row, ...moved, root_hash: Buffer.from(content.root, 'hex') }
          replaceCachedChangeRequest(context, row, next)
        },
      })
      return next
    },
  })
}

// Writers in this process take turns, so conflicts come from other processes only.
async function edit<Row extends HeadRow>(
  context: Context,
  changes: readonly Change[],
  given: StoredFiles,
  seen: Row,
  target: Target<Row>,
): Promise<Edited<Row>> {
  // Fails early, before anything is fetched. The check that counts happens in turn.
  admit(context, target, seen)
  const bases = await findBases(context.db, target.owner.spaceId, headOf(seen), changes, revision =>
    target.isOwn(seen, revision),
  )
  const prepared = await prepareChanges(context, target.owner.spaceId, changes, given)
  const make = async (row: Row) => {
    const head = headOf(row)
    const { owner, side } = target
    const { start, conflicts, read, rootsRead } = await rewind(context.objects, head, bases)
    if (conflicts.length > 0) throw await conflicting(context, owner.spaceId, side, head, conflicts, read)
    const base = { owner, root: head.root, rootsRead, baseRevision: target.baseRevisionOf(row) }
    if (start === undefined)
      return { base: head.revisionId, merged: [], ...(await apply(context, base, prepared)) }
    const store = overlay(context.objects, start.objects)
    const made = await apply(context, { ...base, root: start.root, head: start.head, store }, prepared)
    const content = await mergeWithHead(context, owner.spaceId, side, head, start, made)
    const merged = start.pages.map(key => splitKey(key)[1])
    return { base: head.revisionId, merged, applied: made.applied, content }
  }
  const makeAhead = async () => {
    const made = await make(seen)
    await target.readAhead?.(made.content.objects.filter(({ kind }) => kind === 'document'))
    return made
  }
  let ahead: Promise<Awaited<ReturnType<typeof make>> | undefined> | undefined
  const attempt = async (count: number) => {
    const row = await (count === 1 ? target.find() : target.findStored())
    admit(context, target, row)
    const early = await ahead
    const { applied, content, merged } = early?.base === row.revision_id ? early : await make(row)
    if (content.root === headOf(row).root) return { applied, merged, row }
    // The row as of this write: a later head has changes that this caller has not seen, and would pass If-Match.
    return { applied, merged, row: await target.write(row, content, prepared.uploads) }
  }
  return takeTurn(
    target.turn,
    () => whileHeadMoves(attempt, { attemptsMax: ATTEMPTS_MAX }),
    () => {
      // A change that is refused now may be valid on the head that is found in turn.
      ahead = makeAhead().catch(() => undefined)
      return ahead
    },
  )
}

function admit<Row extends HeadRow>(context: Context, target: Target<Row>, row: Row): void {
  target.check(row)
  requireHead(context, row.revision_id)
}

const headOf = ({ revision_id, root_hash }: HeadRow) => ({
  revisionId: revision_id,
  root: root_hash.toString('hex'),
})

async function findRoot({ db }: Context, spaceId: string, revision: string): Promise<Hash | undefined> {
  return (await findRevision(db, spaceId, revision))?.root_hash.toString('hex')
}
