// The sources of links. Links of the head of a space are live rows. Links of a change request are the same rows with
// the differences between the two, so reading them costs as much as its changes, not as much as the space.
import { assert } from '../../base/assert.ts'
import { orMissing, unavailable } from '../../base/errors.ts'
import type { Hash } from '../../engines/content/records.ts'
import type { ObjectReads } from '../../engines/content/store.ts'
import type { Services } from '../../http/context.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import type { Trx } from '../../platform/db/database.ts'
import { inSnapshot } from '../../platform/db/snapshot.ts'
import type { ChangeRequestRow } from '../change-requests/rows.ts'
import { mergeBaseOf } from '../change-requests/state.ts'
import { knownIn } from '../content/document-rows.ts'
import type { LinkChanges } from '../content/link-changes.ts'
import { type ContentAt, findCachedRevision } from '../content/place.ts'
import { prepareLinks } from '../content/projections.ts'
import { findHead, type LinkSource } from './rows.ts'

export type ReadServices = Pick<Services, 'compute' | 'db' | 'rowCache'> & { readonly objects: ObjectReads }

/** What is read of a content. */
type LinksAt = Pick<ContentAt, 'root' | 'changeRequest'> & {
  readonly space: Pick<ContentAt['space'], 'id' | 'root_hash'>
}

/** The links of a content, and for a change request those of its base. */
export type Sources = {
  readonly links: LinkSource
  /** For a change request: the content of its merge base. */
  readonly base: { readonly links: LinkSource; readonly root: Hash } | null
  /** Names both contents and the version of the rows: equal names have equal links. */
  readonly name: string
}

// A head that moves this often during one answer is being written to by a program.
const HEAD_MOVES_MAX = 10

/** Runs queries over the links of a content in one snapshot. */
export async function readLinks<T>(
  services: ReadServices,
  at: LinksAt,
  read: (trx: Trx, sources: Sources) => Promise<T>,
): Promise<T> {
  const base = at.changeRequest === null ? null : await findBaseRoot(services, at.changeRequest)
  let head: Hash = at.space.root_hash.toString('hex')
  for (let moves = 0; moves <= HEAD_MOVES_MAX; moves += 1) {
    const changes = await changesFrom(services, at.space.id, head, at.root)
    const changesOfBase = base === null ? null : await changesFrom(services, at.space.id, head, base)
    const outcome = await inSnapshot(services.db, async trx => {
      const found = orMissing(await findHead(trx, at.space.id), 'space')
      // The rows belong to a newer head than the compared one.
      if (found.root !== head) return { newHead: found.root }
      const owner = found.projectionId
      const value = await read(trx, {
        links: { owner, changes },
        base: base === null ? null : { links: { owner, changes: changesOfBase }, root: base },
        name: `${at.root} ${base} ${found.making}`,
      })
      return { value }
    })
    if ('value' in outcome) return outcome.value
    head = outcome.newHead
  }
  throw unavailable('busy', 'The space keeps changing. Try again.')
}

/** The root of the merge base of the change request. */
export async function findBaseRoot(
  services: Pick<Services, 'db' | 'rowCache'>,
  changeRequest: ChangeRequestRow,
): Promise<Hash> {
  const row = await findCachedRevision(services, changeRequest.space_id, mergeBaseOf(changeRequest))
  assert(row !== undefined, 'the merge base of a change request exists')
  return row.root_hash.toString('hex')
}

// Differences between immutable contents never change; every page of a list needs the same one.
const KEPT_ENTRIES_MAX = 200_000
const cache = createImmutableCache<LinkChanges>({
  maxSize: KEPT_ENTRIES_MAX,
  sizeCalculation: ({ links, paths, gone, anchors }) =>
    anchors.reduce(
      (sum, row) => sum + (row.anchors?.length ?? 0),
      links.length + paths.length + gone.length,
    ) +
    anchors.length +
    1,
})

async function changesFrom(
  services: Pick<ReadServices, 'compute' | 'db' | 'objects'>,
  spaceId: string,
  before: Hash,
  after: Hash,
): Promise<LinkChanges | null> {
  if (before === after) return null
  return cache.get(`${before} ${after}`, () =>
    prepareLinks(services, services.objects, spaceId, before, after, knownIn(services.db)),
  )
}
