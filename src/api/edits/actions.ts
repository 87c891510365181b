// Writing content: what a request wants, made the new head of a space or of a change request.
//
// Writers of one head take turns within this process; a head that another process moved meanwhile is met by compare and
// set, and the changes are applied again to the newest one. Whoever named the revision with If-Match is told instead.
import { authorIdOf } from '../../access/principal.ts'
import { now } from '../../base/clock.ts'
import { conflict, Failure, missing } from '../../base/errors.ts'
import type { Hash } from '../../engines/content/records.ts'
import { applyEdits, EMPTY_ROOT } from '../../engines/content/trie.ts'
import type { Context } from '../../http/context.ts'
import { requireHead } from '../../http/preconditions.ts'
import type { Db, Trx } from '../../platform/db/database.ts'
import { takeTurn, turnOfChangeRequest, turnOfSpace } from '../../platform/turns.ts'
import { requireAuthor, toAuthor } from '../accounts/programs.ts'
import { type ChangeRequestRow, findChangeRequest } from '../change-requests/rows.ts'
import type { Status } from '../change-requests/schema.ts'
import { mergeBaseOf } from '../change-requests/wire.ts'
import {
  alreadyMerged,
  type Making,
  type NewContent,
  proposeContent,
  publishContent,
} from '../content/publish.ts'
import type { FirstIds } from '../spaces/actions.ts'
import { findRevision } from '../spaces/head.ts'
import { findSpace, type SpaceRow } from '../spaces/rows.ts'
import { type Applied, applyChanges } from './batch/batch.ts'
import { ATTEMPTS_MAX } from './bounds.ts'
import type { GivenFiles } from './new-files.ts'
import { findAddresses } from './other-spaces.ts'
import { prepareChanges } from './prepare.ts'
import type { Change } from './schema.ts'

/** Something whose content is written. */
type Target<Row> = {
  readonly turn: string
  /** Its id, and that of its space. */
  readonly owner: { readonly spaceId: string; readonly id: string }
  /** The row as it is, with its head. */
  find(db: Db | Trx): Promise<Row>
  /** Throws when content of the row may not be written now. */
  check(row: Row): void
  readonly baseRevisionOf: (row: Row) => string | null
  /** Makes the content the new head; throws `conflict` (head_moved) when the row is not as it was. */
  publish(row: Row, content: NewContent, alongside: (trx: Trx) => Promise<void>): Promise<unknown>
}

type HeadRow = { readonly revision_id: string; readonly root_hash: Buffer }

const creatorOf = ({ principal }: Context): Pick<Making, 'createdBy'> => ({
  createdBy: authorIdOf(toAuthor(principal)),
})

const NONE_GIVEN: GivenFiles = new Map()

/**
 * Edits the head of a space. Throws `conflict` (space_locked) where it only takes merges, if the lock is heeded. `given`
 * are files of the changes that are kept already.
 */
export function editSpace(
  context: Context,
  space: SpaceRow,
  changes: readonly Change[],
  {
    heedsLock = true,
    given = NONE_GIVEN,
  }: { readonly heedsLock?: boolean; readonly given?: GivenFiles } = {},
): Promise<{ applied: Applied; row: SpaceRow }> {
  const author = toAuthor(context.principal)
  return edit(context, changes, given, space, {
    turn: turnOfSpace(space.id),
    owner: { spaceId: space.id, id: space.id },
    async find(db) {
      const row = await findSpace(db, space.id)
      if (row === undefined || row.deleted_at !== null) throw missing('space')
      return row
    },
    check: row => {
      if (heedsLock) refuseLocked(row.edit_mode)
    },
    baseRevisionOf: () => null,
    publish: (row, content, alongside) =>
      publishContent(context, {
        spaceId: space.id,
        base: headOf(row),
        content,
        type: 'edits',
        createdBy: authorIdOf(author),
        beforehand: async trx => {
          await requireAuthor(trx, author)
          if (heedsLock) await requireLive(trx, space.id)
        },
        alongside,
      }),
  })
}

/**
 * Makes a space whose first edit these changes are, in one transaction: `begin` makes it, with these ids. Throws what an
 * edit throws, and nothing is there then.
 */
export async function beginWithEdit(
  context: Context,
  ids: FirstIds,
  changes: readonly Change[],
  given: GivenFiles,
  begin: (trx: Trx) => Promise<unknown>,
): Promise<void> {
  const content = await makeContent(context, ids.space, EMPTY_ROOT, changes, given)
  await publishContent(context, {
    spaceId: ids.space,
    base: { revisionId: ids.revision, root: EMPTY_ROOT },
    content,
    type: 'edits',
    ...creatorOf(context),
    begin,
  })
}

/** What changes make of a content, for who writes it down. Throws what an edit throws. */
export async function makeContent(
  context: Context,
  spaceId: string,
  root: Hash,
  changes: readonly Change[],
  given: GivenFiles,
): Promise<NewContent> {
  const prepared = await prepareChanges(context, spaceId, changes, given)
  const applied = await applyChanges(
    {
      compute: context.compute,
      store: context.objects,
      owner: { spaceId, id: spaceId },
      root,
      rootOf: revision => findRoot(context, spaceId, revision),
      baseRevision: null,
      spaceUrl: context.urls.space,
      findAddresses: wanted => findAddresses(context, wanted),
      now: now(),
    },
    prepared,
  )
  const nodes = await applyEdits(context.objects, root, applied.edits)
  return { root: nodes.root, objects: [...nodes.objects, ...applied.documents] }
}

/** Edits the head of a change request. Throws `conflict` for one that was merged or archived. */
export function editChangeRequest(
  context: Context,
  changeRequest: ChangeRequestRow,
  changes: readonly Change[],
  given: GivenFiles = NONE_GIVEN,
): Promise<{ applied: Applied; row: ChangeRequestRow }> {
  const { id, space_id, organization_id } = changeRequest
  const author = toAuthor(context.principal)
  return edit(context, changes, given, changeRequest, {
    turn: turnOfChangeRequest(id),
    owner: { spaceId: space_id, id },
    async find(db) {
      const row = await findChangeRequest(db, id)
      if (row === undefined) throw missing('change request')
      return row
    },
    check: row => refuseClosed(row.status),
    baseRevisionOf: mergeBaseOf,
    publish: (row, content, alongside) =>
      proposeContent(context, {
        space: { id: space_id, organization_id },
        changeRequestId: id,
        base: headOf(row),
        content,
        type: 'edits',
        createdBy: authorIdOf(author),
        beforehand: async trx => {
          await requireAuthor(trx, author)
          await requireUnderWay(trx, id)
        },
        alongside,
      }),
  })
}

async function edit<Row extends HeadRow>(
  context: Context,
  changes: readonly Change[],
  given: GivenFiles,
  seen: Row,
  target: Target<Row>,
): Promise<{ applied: Applied; row: Row }> {
  // Before anything is fetched; what counts is what is found in turn.
  admit(context, target, seen)
  const prepared = await prepareChanges(context, target.owner.spaceId, changes, given)
  return takeTurn(target.turn, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const row = await target.find(context.db)
      admit(context, target, row)
      const { root } = headOf(row)
      const applied = await applyChanges(
        {
          compute: context.compute,
          store: context.objects,
          owner: target.owner,
          root,
          rootOf: revision => findRoot(context, target.owner.spaceId, revision),
          baseRevision: target.baseRevisionOf(row),
          spaceUrl: context.urls.space,
          findAddresses: wanted => findAddresses(context, wanted),
          now: now(),
        },
        prepared,
      )
      const nodes = await applyEdits(context.objects, root, applied.edits)
      if (nodes.root === root) return { applied, row }
      const content = { root: nodes.root, objects: [...nodes.objects, ...applied.documents] }
      // Read before others can write: a later head has changes that this caller has not seen, and would pass If-Match.
      let written = row
      try {
        await target.publish(row, content, async trx => {
          written = await target.find(trx)
        })
        return { applied, row: written }
      } catch (error) {
        const isMoved = error instanceof Failure && error.code === 'head_moved'
        if (!isMoved || attempt === ATTEMPTS_MAX) throw error
      }
    }
  })
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

/** Throws `conflict` (space_locked) where the space takes no direct edits. */
export async function requireLive(db: Db | Trx, id: string): Promise<void> {
  const { edit_mode } = await db
    .selectFrom('spaces')
    .select('edit_mode')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  refuseLocked(edit_mode)
}

/** Throws `conflict` for a change request that was merged or archived. */
export async function requireUnderWay(trx: Trx, id: string): Promise<void> {
  const { status } = await trx
    .selectFrom('change_requests')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  refuseClosed(status)
}

function refuseLocked(editMode: string): void {
  if (editMode !== 'locked') return
  throw conflict(
    'space_locked',
    'This space takes no direct edits: its editMode is locked. Open a change request, edit that and merge it; or set editMode to live.',
  )
}

function refuseClosed(status: string): void {
  if ((status as Status) === 'merged') throw alreadyMerged()
  if (status !== 'archived') return
  throw conflict(
    'change_request_archived',
    'This change request is archived. Reopen it with PATCH {"status":"open"}, then edit it.',
  )
}
