// Turns edits into a new revision: the head of a space, or one beside its history.
import { invalid, missing } from '../../base/errors.ts'
import type { AnyRecord, Hash, Key } from '../../engines/content/records.ts'
import type { ObjectReads, StoredObject } from '../../engines/content/store.ts'
import { checkEdits } from '../../engines/content/tree-check-edits.ts'
import { applyEdits, rememberNodes } from '../../engines/content/trie.ts'
import type { Trx } from '../../platform/db/database.ts'
import { insertObjects } from '../content/objects.ts'
import { describeTreeProblem } from '../content/tree-messages.ts'
import { findRevision, insertRevision, type NewRevision, type RevisionRow } from '../spaces/revisions.ts'
import { lockSpace } from '../spaces/rows.ts'
import { headMoved } from './overtaken.ts'
import { type NewContent, type RevisionInput, type WriteServices, writeSpaceHead } from './write.ts'

/** Edits to one revision of a space. */
export type Publication = RevisionInput & {
  readonly spaceId: string
  readonly edits: ReadonlyMap<Key, AnyRecord | null>
  /** Documents that the edits name but that may not be stored yet. */
  readonly documents: readonly StoredObject[]
}

/**
 * Makes the edits the new head of the space. Edits that change nothing answer the base, unchanged.
 *
 * Throws `conflict` (head_moved) when the head is no longer `base`, `invalid` when the tree would break its
 * invariant; nothing is written then.
 */
export async function publish(
  services: WriteServices,
  publication: Publication,
): Promise<{ revision: RevisionRow | undefined; root: Hash; isChanged: boolean }> {
  const { base, edits, documents } = publication
  const content = await applyContent(services.objects, base.root, edits, documents)
  if (content.root === base.root) return { revision: undefined, root: base.root, isChanged: false }
  const { revision } = await writeSpaceHead(services, { ...publication, content })
  return { revision, root: content.root, isChanged: true }
}

/** A revision beside the head, which stays where it is: previews of pull requests. */
export async function keepRevision(
  services: WriteServices,
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

/** Inserts a revision with its content, without making it a head. */
export async function insertContent(
  trx: Trx,
  input: RevisionInput &
    Pick<NewRevision, 'id' | 'spaceId' | 'changeRequestId' | 'isStandalone'> & { content: NewContent },
): Promise<RevisionRow> {
  await insertObjects(trx, input.content.objects)
  return insertRevision(trx, {
    ...input,
    root: input.content.root,
    parents: [input.base.revisionId, ...(input.otherParents ?? [])],
  })
}
