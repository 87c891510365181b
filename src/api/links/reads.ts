// The answers to questions about links.
import { LRUCache } from 'lru-cache'
import { missing } from '../../base/errors.ts'
import type { Context, Services } from '../../http/context.ts'
import { toList } from '../../http/list.ts'
import { type ReadyBody, toReadyBody } from '../../http/ready.ts'
import type { ContentAt } from '../content/place.ts'
import { createPlaces } from './places.ts'
import {
  countLinks,
  findGonePaths,
  type LinkCounts,
  type LinkFilter,
  listLinkingPages,
  listLinks,
} from './rows.ts'
import type { LinkList, ProposedLinkList } from './schema.ts'
import { readLinks } from './sources.ts'
import { toGoneByFile, toLinkStats, toLinkUsage } from './wire.ts'

type Paging = { readonly page?: string | undefined; readonly limit?: number | undefined }

/** Every link of a space or of a change request. */
export const readLinksOf = (context: Context, at: ContentAt, query: ProposedLinkList): Promise<ReadyBody> =>
  toLinkUsages(context, at, undefined, query)

/** The links of a page; `stats` are of the whole page, whatever the filter. */
export async function readLinksOfPage(
  context: Context,
  at: ContentAt,
  id: string,
  query: LinkList,
): Promise<ReadyBody> {
  const { pages } = await context.contents.get(at.root)
  if (!pages.has(id)) throw missing('page')
  return toLinkUsages(context, at, id, query)
}

async function toLinkUsages(
  context: Context,
  at: ContentAt,
  fromPage: string | undefined,
  query: ProposedLinkList,
): Promise<ReadyBody> {
  const { counts, mended, found, gone, root } = await findLinks(context, at, fromPage, query)
  // What is not in the change request any more is shown as it is without it.
  const shown = root === at.root ? at : { ...at, root, changeRequest: null }
  const places = await createPlaces(context, shown)
  const goneByFile = toGoneByFile(gone)
  const toUsages = function* () {
    for (const row of found.items) yield toLinkUsage(places, row, goneByFile)
  }
  return toReadyBody({
    ...toList(found, row => row),
    items: toUsages(),
    stats: toLinkStats(counts, mended),
  })
}

/**
 * The links that a page of a list has, what those of them meant that lead nowhere, and how many there are; of one page, or
 * of all where `fromPage` is undefined. `root` is the content that has the links.
 */
export async function findLinks(
  services: Services,
  at: ContentAt,
  fromPage: string | undefined,
  { status, brokenContext, page, limit }: ProposedLinkList,
) {
  const appUrl = services.urls.root('/s/')
  const filter: LinkFilter = {
    status,
    isNewlyBroken: brokenContext === undefined ? undefined : brokenContext !== 'space',
  }
  const question = {
    list: 'links',
    space: at.space.id,
    changeRequest: at.changeRequest?.id,
    fromPage,
    status,
    brokenContext,
  }
  return readLinks(services, at, async (trx, { links, base, name }) => {
    const compared = { links, base: base?.links ?? null, appUrl, fromPage }
    const isOf = `${name} ${fromPage}`
    // The other way round: what the content that was started from has broken, and the change request has not.
    const without = base && { links: base.links, base: links, appUrl, fromPage }
    const counts = counted.get(isOf) ?? {
      ...(await countLinks(trx, compared)),
      mended: without && (await countLinks(trx, without)).newly_broken,
    }
    counted.set(isOf, counts)
    const listed = brokenContext === 'mended' && without !== null ? without : compared
    const found = await listLinks(trx, listed, filter, { question, page, limit })
    const files = found.items.filter(({ status }) => status === 'broken').flatMap(row => row.candidates)
    const gone = await findGonePaths(trx, listed.links, files)
    const root = listed === compared || base === null ? at.root : base.root
    return { counts, mended: counts.mended, found, gone, root }
  })
}

// Of contents, which never change: a list that is read page by page says the same stats each time.
const COUNTS_KEPT_MAX = 1000
const counted = new LRUCache<string, LinkCounts & { readonly mended: number | null }>({
  max: COUNTS_KEPT_MAX,
})

/** The pages and reusable contents that link to a page or a file, as places in this content. */
export async function readBacklinks(
  context: Context,
  at: ContentAt,
  target: { readonly kind: 'page' | 'file'; readonly id: string },
  { page, limit }: Paging,
) {
  const content = await context.contents.get(at.root)
  const record = (target.kind === 'page' ? content.pages : content.files).get(target.id)
  if (record === undefined) throw missing(target.kind)
  const { file } = record
  // What has no place in the repository cannot be named by a link.
  if (file === undefined) return { items: [], count: 0 }
  const question = {
    list: 'backlinks',
    space: at.space.id,
    changeRequest: at.changeRequest?.id,
    target: target.id,
  }
  const found = await readLinks(context, at, (trx, { links }) =>
    listLinkingPages(trx, links, { id: target.id, file }, { question, page, limit }),
  )
  const places = await createPlaces(context, at)
  const versionContext = await places.versionContext()
  return toList(found, ({ from_id }) => ({ ...places.of(from_id), versionContext }))
}
