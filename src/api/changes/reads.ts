// Answers with the differences of two revisions: all are found and ordered, the requested ones are described.
import { assert } from '../../base/assert.ts'
import { diff, type PageChange } from '../../engines/content/diff.ts'
import type { Hash } from '../../engines/content/records.ts'
import { EMPTY_ROOT, rememberNodes } from '../../engines/content/trie.ts'
import type { Services } from '../../http/context.ts'
import type { ChangeRequest } from '../change-requests/schema.ts'
import { mergeBaseOf } from '../change-requests/state.ts'
import { type ContentAt, findCachedRevision } from '../content/place.ts'
import { BlockDescriber } from './blocks.ts'
import { listChanges, type PendingChange } from './order.ts'
import { readPagePositions } from './page-positions.ts'
import { CHANGES_DEFAULT, type Change, type Changes, type ListChanges } from './schema.ts'

// Changes whose documents are held in memory at once.
const CHANGES_AT_ONCE_MAX = 8

/**
 * The base of the comparison. For a change request: the revision of the space that it was last brought up to date with,
 * so that pulled changes are not shown as its own. For a revision: its first parent, which for a merge is the head
 * before it; nothing for the first revision of a space.
 */
export async function findBase(
  services: Pick<Services, 'db' | 'rowCache'>,
  { space, revisionId, changeRequest }: ContentAt,
): Promise<Hash> {
  const find = async (id: string) => {
    const row = await findCachedRevision(services, space.id, id)
    assert(row !== undefined, `revision ${id}, which another one was made of, is there`)
    return row
  }
  const baseId = changeRequest === null ? (await find(revisionId)).parents[0] : mergeBaseOf(changeRequest)
  return baseId === undefined ? EMPTY_ROOT : (await find(baseId)).root_hash.toString('hex')
}

/** The cost depends on the number of changes, and on the documents of those that are shown. */
export async function readChanges(
  services: Pick<Services, 'compute' | 'objects' | 'urls' | 'signingKey'>,
  at: ContentAt,
  base: Hash,
  mergedFrom: ChangeRequest | undefined,
  { limit = CHANGES_DEFAULT, metadata = true }: ListChanges,
): Promise<Changes> {
  const { objects, urls, signingKey } = services
  const store = rememberNodes(objects)
  const found = await diff(store, base, at.root)
  const before = await readPagePositions(store, base, found.pages.flatMap(pagesShownBefore))
  const after = await readPagePositions(store, at.root, found.pages.flatMap(pagesShownAfter))
  const changeContext = { urls, signingKey, spaceId: at.space.id, hasMetadata: metadata }
  const changes = listChanges(changeContext, found, before, after)
  return {
    changes: await describeAll(services, at.space.id, changes.slice(0, limit)),
    ...(changes.length > limit ? { more: changes.length - limit } : {}),
    ...(mergedFrom === undefined ? {} : { mergedFrom }),
  }
}

const pagesShownBefore = ({ id, after, move }: PageChange): string[] => [
  ...(after === null ? [id] : []),
  ...(move === null || move.before.parent === null ? [] : [move.before.parent]),
]

const pagesShownAfter = ({ id, after, move }: PageChange): string[] => [
  ...(after === null ? [] : [id]),
  ...(move === null || move.after.parent === null ? [] : [move.after.parent]),
]

async function describeAll(
  { compute, objects }: Pick<Services, 'compute' | 'objects'>,
  spaceId: string,
  changes: readonly PendingChange[],
): Promise<Change[]> {
  const describer = new BlockDescriber(compute, spaceId)
  const described: Change[] = []
  for (let start = 0; start < changes.length; start += CHANGES_AT_ONCE_MAX) {
    const some = changes.slice(start, start + CHANGES_AT_ONCE_MAX)
    const hashes = some
      .flatMap(({ documents }) => [documents?.before, documents?.after])
      .filter(hash => typeof hash === 'string')
    const bodies = await objects.getMany([...new Set(hashes)])
    for (const { documents, complete } of some) {
      described.push(complete(documents === undefined ? {} : await describer.describe(documents, bodies)))
    }
  }
  return described
}
