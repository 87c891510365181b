// Where links are read from. Those of the head of a space are live rows. Those of a change request are the same rows but
// for what differs between the two, so reading them costs what the change request changes and not what the space has.
import { assert } from '../../base/assert.ts'
import { orMissing, unavailable } from '../../base/errors.ts'
import type { Hash } from '../../engines/content/records.ts'
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

type ReadServices = Pick<Services, 'compute' | 'db' | 'rowCache' | 'objects'>

/** The links of a content, and those of the revision that it is compared with where it is a change request. */
export type Sources = {
  readonly links: LinkSource
  /** Of a change request: the content of its merge base. */
  readonly base: { readonly links: LinkSource; readonly root: Hash } | null
  /** Names both contents, and the way that rows were made: equal names have equal links. */
  readonly name: string
}

// A head that moves so often while one answer is made is being written by a machine.
const HEAD_MOVES_MAX = 10

/** Runs queries over the links of a content, all of one moment. */
export async function readLinks<T>(
  services: ReadServices,
  at: ContentAt,
  read: (trx: Trx, sources: Sources) => Promise<T>,
): Promise<T> {
  const base = at.changeRequest === null ? null : await findBaseRoot(services, at.changeRequest)
  let head: Hash = at.space.root_hash.toString('hex')
  for (let moves = 0; moves <= HEAD_MOVES_MAX; moves += 1) {
    const changes = await changesFrom(services, at.space.id, head, at.root)
    const changesOfBase = base === null ? null : await changesFrom(services, at.space.id, head, base)
    const outcome = await inSnapshot(services.db, async trx => {
      const found = orMissing(await findHead(trx, at.space.id), 'space')
      // The rows are of a newer head than the compared one.
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
  throw unavailable('busy', 'The space is written to all the time. Try again.')
}

/** The root of the revision that the change request was last equal with. */
export async function findBaseRoot(
  services: Pick<Services, 'db' | 'rowCache'>,
  changeRequest: ChangeRequestRow,
): Promise<Hash> {
  const row = await findCachedRevision(services, changeRequest.space_id, mergeBaseOf(changeRequest))
  assert(row !== undefined, 'the revision that a change request started from is there')
  return row.root_hash.toString('hex')
}

// Differences of immutable contents are true for ever; a list that is read page by page asks for the same one each time.
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
  services: Pick<Services, 'compute' | 'db' | 'objects'>,
  spaceId: string,
  before: Hash,
  after: Hash,
): Promise<LinkChanges | null> {
  if (before === after) return null
  return cache.get(`${before} ${after}`, () =>
    prepareLinks(services, services.objects, spaceId, before, after, knownIn(services.db)),
  )
}
