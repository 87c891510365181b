// The answers to questions about links.
import { LRUCache } from 'lru-cache'
import { missing } from '../../base/errors.ts'
import type { Context, Services } from '../../http/context.ts'
import { toList } from '../../http/list.ts'
import { type ReadyBody, toReadyBody } from '../../http/ready.ts'
import type { ContentAt } from '../content/place.ts'
import { createPlaces } from './places.ts'
import { countLinks, type LinkCounts, type LinkFilter, listLinkingPages, listLinks } from './rows.ts'
import type { LinkList, ProposedLinkList } from './schema.ts'
import { readLinks } from './sources.ts'
import { toLinkStats, toLinkUsage } from './wire.ts'

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
  const { counts, found } = await findLinks(context, at, fromPage, query)
  const places = await createPlaces(context, at)
  const toUsages = function* () {
    for (const row of found.items) yield toLinkUsage(places, row)
  }
  return toReadyBody({
    ...toList(found, row => row),
    items: toUsages(),
    stats: toLinkStats(counts, at.changeRequest !== null),
  })
}

/** The links that a page of a list has, and how many there are; of one page, or of all where `fromPage` is undefined. */
export async function findLinks(
  services: Services,
  at: ContentAt,
  fromPage: string | undefined,
  { status, brokenContext, page, limit }: ProposedLinkList,
) {
  const appUrl = services.urls.root('/s/')
  const filter: LinkFilter = {
    status,
    isNewlyBroken: brokenContext === undefined ? undefined : brokenContext === 'change-request',
  }
  const question = {
    list: 'links',
    space: at.space.id,
    changeRequest: at.changeRequest?.id,
    fromPage,
    status,
    brokenContext,
  }
  return readLinks(services, at, async (trx, sources) => {
    const compared = { ...sources, appUrl, fromPage }
    const name = `${sources.name} ${fromPage}`
    const counts = counted.get(name) ?? (await countLinks(trx, compared))
    counted.set(name, counts)
    return { counts, found: await listLinks(trx, compared, filter, { question, page, limit }) }
  })
}

// Of contents, which never change: a list that is read page by page says the same stats each time.
const COUNTS_KEPT_MAX = 1000
const counted = new LRUCache<string, LinkCounts>({ max: COUNTS_KEPT_MAX })

/** The pages that link to a page or a file, as places in this content. */
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
