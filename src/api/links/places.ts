// Places in a content on the wire: pages, files and reusable contents with their context.
import { assert } from '../../base/assert.ts'
import { missing } from '../../base/errors.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../engines/content/records.ts'
import type { Context } from '../../http/context.ts'
import { toChangeRequest } from '../change-requests/wire.ts'
import { indexOf } from '../content/index-of-content.ts'
import type { FormerPath } from '../content/link-changes.ts'
import { findMergedFrom } from '../content/merged-from.ts'
import { type ContentAt, findCachedRevision } from '../content/place.ts'
import {
  appOf,
  toFile,
  toPageAlone,
  toReusableContent,
  toRevisionSummary,
  type WireContext,
} from '../content/wire.ts'
import { inOrganization } from '../organizations/place.ts'
import { toOrganization } from '../organizations/wire.ts'
import { countInSpaces } from '../spaces/rows.ts'
import { toSpace } from '../spaces/wire.ts'
import type { ContentLocation } from './schema.ts'

type PageLocation = Extract<ContentLocation, { kind: 'page' }>
type VersionContext = NonNullable<PageLocation['versionContext']>

export interface Places {
  /** The page, file or reusable content with this id, which the content must have. */
  of(id: string): LocationInSpace
  /**
   * The former content of a path: its current state if it still exists, else its last one. Visitors of the space do not
   * see removed content: a page that was taken down stays down.
   */
  ofGone(gone: FormerPath): LocationInSpace | undefined
  /** The content that the places are in. */
  versionContext(): Promise<VersionContext>
}

export type LocationInSpace = Exclude<ContentLocation, { kind: 'url' }>

/** The context of each place is built once for all of them. */
export async function createPlaces(context: Context, at: ContentAt): Promise<Places> {
  const { urls, signingKey, principal } = context
  const { space, isMember } = at
  const found = await inOrganization.find(context, { organizationId: space.organization_id })
  if (found === undefined) throw missing('space')
  const counts = await countInSpaces(context.db, [space.id])
  const content = await context.contents.get(at.root)
  const view: WireContext = {
    urls,
    signingKey,
    space,
    content,
    appOf: appOf(urls, at),
    hasMetadata: isMember,
  }
  const { paths } = indexOf(content)
  const has = (id: string) => content.pages.has(id) || content.files.has(id) || content.reusables.has(id)
  const around = {
    organization: toOrganization(urls, principal, found.organization),
    space: toSpace(urls, at.role, space, counts.get(space.id)),
  }
  const toPagePlace = (id: string, page: PageRecord, path: string): LocationInSpace => ({
    kind: 'page',
    ...around,
    page: toPageAlone(view, id, page, path),
  })
  const toFilePlace = (id: string, file: FileRecord): LocationInSpace => ({
    kind: 'file',
    ...around,
    file: toFile(view, id, file),
  })
  const toReusablePlace = (id: string, reusable: ReusableRecord): LocationInSpace => ({
    kind: 'reusable-content',
    ...around,
    reusableContent: toReusableContent(view, id, reusable),
  })
  const places: Pick<Places, 'of' | 'ofGone'> = {
    of(id) {
      const page = content.pages.get(id)
      if (page !== undefined) return toPagePlace(id, page, paths.get(id) ?? '')
      const file = content.files.get(id)
      if (file !== undefined) return toFilePlace(id, file)
      const reusable = content.reusables.get(id)
      assert(reusable !== undefined, 'sources and targets of links are in the content they were read from')
      return toReusablePlace(id, reusable)
    },
    ofGone({ kind, id, record, path }) {
      if (has(id)) return places.of(id)
      if (!isMember) return undefined
      // The JSON of a record of this kind.
      if (kind === 'page') return toPagePlace(id, JSON.parse(record), path)
      return kind === 'file' ? toFilePlace(id, JSON.parse(record)) : toReusablePlace(id, JSON.parse(record))
    },
  }
  return {
    ...places,
    versionContext: () => toVersionContext(context, at),
  }
}

async function toVersionContext(context: Context, at: ContentAt): Promise<VersionContext> {
  if (at.changeRequest !== null)
    return { type: 'changeRequest', changeRequest: toChangeRequest(context, at.changeRequest) }
  const row = await findCachedRevision(context, at.space.id, at.revisionId)
  assert(row !== undefined, 'the head of a space exists')
  const mergedFrom = await findMergedFrom(context, at)
  const summary = toRevisionSummary(context.urls, at.space, row, mergedFrom, at.isMember)
  return {
    type: 'revision',
    revision: { ...summary, pages: [], files: [], reusableContents: [], variables: {} },
  }
}
