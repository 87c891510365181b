// Imports into a space that was edited since the last import: a three-way merge, which loses neither the edits of the
// space nor those of the repository.
import { assert } from '../../base/assert.ts'
import { conflict, missing } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Conflict, Merge, Resolution } from '../../engines/content/merge.ts'
import { type Key, splitKey } from '../../engines/content/records.ts'
import { overlay } from '../../engines/content/trie-nodes.ts'
import type { Services } from '../../http/context.ts'
import type { Trx } from '../../platform/db/database.ts'
import { openChangeRequest } from '../change-requests/actions.ts'
import { mergeContents } from '../conflicts/merging.ts'
import { insertObjects } from '../content/objects.ts'
import { applyContent, insertContent, publish } from '../heads/publish.ts'
import { type RevisionInput, writeSpaceHead } from '../heads/write.ts'
import type { RevisionRow } from '../spaces/revisions.ts'
import { lockSpace, type SpaceRow } from '../spaces/rows.ts'
import { namingProblems, type Problem } from './layout/problems.ts'
import type { ImportPlan } from './layout.ts'

export type Side = 'ours' | 'theirs'

type MergeInput = {
  readonly head: SpaceRow
  /** Its base is the last synced revision. */
  readonly input: RevisionInput & { readonly spaceId: string }
  readonly plan: Pick<ImportPlan, 'edits' | 'documents'>
  /** The side that wins where both changed something: `theirs` is the repository's. */
  readonly prefer: Side | undefined
  /** Called in the transaction, with the revision that the operation made and the new synced one. */
  readonly finish: (trx: Trx, revisionId: string, syncedId: string) => Promise<void>
}

/** Applies the plan to the last synced revision, merges the space's edits since then, and publishes the result. */
export async function publishOrMerge(
  services: Services,
  merging: MergeInput,
): Promise<RevisionRow | undefined> {
  const { head, input, plan, finish } = merging
  if (input.base.revisionId !== head.revision_id) return mergeIntoHead(services, merging)
  const { edits, documents } = plan
  const alongside = (trx: Trx, { id }: RevisionRow) => finish(trx, id, id)
  const { revision } = await publish(services, { ...input, edits, documents, alongside })
  if (revision === undefined)
    await services.transaction(trx => finish(trx, head.revision_id, head.revision_id))
  return revision
}

/**
 * Applies the plan to the last synced revision and merges the result into the head. The state of the repository is kept
 * as a separate revision: the ancestor of the next import. Returns the new head, or undefined if the repository had
 * nothing new.
 *
 * @throws Failure conflict `import_conflicts` that names the pages, unless a side is preferred; `head_moved` if
 * somebody published in the meantime.
 */
async function mergeIntoHead(
  services: Services,
  { head, input, plan, prefer, finish }: MergeInput,
): Promise<RevisionRow | undefined> {
  const { base } = input
  const ours = { revisionId: head.revision_id, root: head.root_hash.toString('hex') }
  const theirs = await applyContent(services.objects, base.root, plan.edits, plan.documents)
  if (theirs.root === base.root) {
    await services.transaction(trx => finish(trx, head.revision_id, base.revisionId))
    return undefined
  }
  const reads = overlay(services.objects, theirs.objects)
  const merged = await resolveConflicts(prefer, resolutions =>
    mergeContents(services, input.spaceId, reads, {
      base: base.root,
      ours: ours.root,
      theirs: theirs.root,
      resolutions,
    }),
  )
  if (merged.conflicts.length > 0) {
    // The names of pages deleted in the space are in the synced revision.
    const sides = [await services.contents.get(ours.root), await services.contents.get(base.root)]
    throw conflicting(merged.conflicts, sides)
  }
  const syncedId = newId()
  const keepTheirs = (trx: Trx) =>
    insertContent(trx, { ...input, id: syncedId, content: theirs, isStandalone: true })
  if (merged.root === ours.root) {
    await services.transaction(async trx => {
      await keepTheirs(trx)
      await finish(trx, head.revision_id, syncedId)
    })
    return undefined
  }
  const { revision } = await writeSpaceHead(services, {
    ...input,
    base: ours,
    otherParents: [syncedId],
    content: { root: merged.root, objects: [...theirs.objects, ...merged.objects] },
    alongside: async (trx, revision) => {
      await keepTheirs(trx)
      await finish(trx, revision.id, syncedId)
    },
  })
  return revision
}

/** Records the change request, in the transaction that opens it. */
export type KeepChangeRequest = (trx: Trx, changeRequestId: string) => Promise<void>

/**
 * Opens a change request with the repository's changes since the last synced revision; returns its id. They count as
 * synced from then on, so that the next import takes only later changes.
 */
export async function proposeTheirs(
  services: Services,
  { head, input, plan, finish }: Omit<MergeInput, 'prefer'>,
  keep: KeepChangeRequest,
): Promise<string> {
  const { base, createdBy, git } = input
  const theirs = await applyContent(services.objects, base.root, plan.edits, plan.documents)
  assert(createdBy !== null, 'somebody proposes it')
  return services.transaction(async trx => {
    if ((await lockSpace(trx, head.id)) === undefined) throw missing('space')
    await insertObjects(trx, theirs.objects)
    const request = await openChangeRequest(trx, services.events, {
      ...{ space: head, createdBy, status: 'open' },
      subject: 'What the repository has',
      initialRevisionId: base.revisionId,
      revision: { root: theirs.root, parents: [base.revisionId], ...(git === undefined ? {} : { git }) },
    })
    await finish(trx, head.revision_id, request.revision_id)
    await keep(trx, request.id)
    return request.id
  })
}

// Resolving conflicts may uncover others: each round resolves those found by the previous one.
const ROUNDS_MAX = 20

/** Takes the preferred side wherever both changed something. */
export async function resolveConflicts(
  prefer: Side | undefined,
  tryMerge: (resolutions: readonly Resolution[]) => Promise<Merge>,
): Promise<Merge> {
  let merged = await tryMerge([])
  const resolutions: Resolution[] = []
  for (let round = 0; prefer !== undefined && merged.conflicts.length > 0 && round < ROUNDS_MAX; round++) {
    for (const { key, field, block } of merged.conflicts) {
      const address = {
        key,
        ...(field === undefined ? {} : { field }),
        ...(block === undefined ? {} : { block }),
      }
      resolutions.push({ ...address, take: prefer })
    }
    merged = await tryMerge(resolutions)
  }
  return merged
}

const NAMED_MAX = 5

function conflicting(conflicts: readonly Conflict[], sides: readonly Content[]) {
  const both = [...new Set(conflicts.map(({ key }) => key))].map(key => changedOnBoth(key, sides))
  const names = new Set(both.map(({ message }) => message))
  const shown = [...names].slice(0, NAMED_MAX).join(', ')
  const more = names.size > NAMED_MAX ? ` and ${names.size - NAMED_MAX} more` : ''
  const failure = conflict(
    'import_conflicts',
    `The repository and this space both changed ${shown}${more}. Nothing was changed. ` +
      'Make them agree on one side, or use force: then an import takes what the repository has where both changed, and an export what the space has.',
  )
  return namingProblems(failure, both)
}

/** By its title or name, and by its page. */
function changedOnBoth(key: Key, sides: readonly Content[]): Problem {
  const [kind, id] = splitKey(key)
  const [page] = sides.flatMap(({ pages }) => pages.get(id) ?? [])
  const [name = page?.title] = sides.flatMap(
    ({ files, reusables }) => files.get(id)?.name ?? reusables.get(id)?.title ?? [],
  )
  return {
    code: 'changed_on_both',
    message: name === undefined ? `${kind} ${id}`.trim() : `"${name}"`,
    ...(name === undefined ? {} : { values: { name } }),
    ...(page === undefined ? {} : { page: id }),
    ...(page?.file === undefined ? {} : { file: page.file }),
  }
}
