// The answers to questions about links.
import { LRUCache } from 'lru-cache'
import { missing } from '../../base/errors.ts'
import type { Context, Services } from '../../http/context.ts'
import { toList } from '../../http/list.ts'
import { pageOfValues } from '../../http/values.ts'
import type { ContentAt } from '../content/place.ts'
import { countLinks, type LinkCounts, type LinkFilter, listLinkingPages, listLinks } from './rows.ts'
import type { LinkList, LinkUsages, ProposedLinkList } from './schema.ts'
import { findBaseRoot, readLinks } from './sources.ts'
import { type PageLink, readPageLinks } from './usages.ts'
import { toLinkStats, toLinkUsage, toLocations } from './wire.ts'

type Paging = { readonly page?: string | undefined; readonly limit?: number | undefined }

/** Every link of a space or of a change request. */
export async function readLinksOf(
  services: Services,
  at: ContentAt,
  query: ProposedLinkList,
): Promise<LinkUsages> {
  const appUrl = services.urls.root('/s/')
  const { status, brokenContext, page, limit } = query
  const filter: LinkFilter = {
    status,
    isNewlyBroken: brokenContext === undefined ? undefined : brokenContext === 'change-request',
  }
  const { value } = await readLinks(services, at, async (trx, sources) => {
    const compared = { ...sources, appUrl }
    const counts = counted.get(sources.name) ?? (await countLinks(trx, compared))
    counted.set(sources.name, counts)
    const question = {
      list: 'links',
      space: at.space.id,
      changeRequest: at.changeRequest?.id,
      status,
      brokenContext,
    }
    return { counts, found: await listLinks(trx, compared, filter, { question, page, limit }) }
  })
  return {
    ...toList(value.found, toLinkUsage),
    stats: toLinkStats(value.counts, at.changeRequest !== null),
  }
}

// Of contents, which never change: a list that is read page by page says the same stats each time.
const COUNTS_KEPT_MAX = 1000
const counted = new LRUCache<string, LinkCounts>({ max: COUNTS_KEPT_MAX })

/** The links of a page; `stats` are of the whole page, whatever the filter. */
export async function readLinksOfPage(
  services: Services,
  at: ContentAt,
  id: string,
  query: LinkList,
): Promise<LinkUsages> {
  const content = await services.contents.get(at.root)
  const record = content.pages.get(id)
  if (record === undefined) throw missing('page')
  const links = await readPageLinks(services, at.space.id, content, id, record)
  const shown = [...links.entries()].filter(
    ([, { usage }]) => query.status === undefined || usage.status === query.status,
  )
  const page = pageOfValues(shown, {
    question: { list: 'links', space: at.space.id, page: id, status: query.status },
    keyOf: ([ordinal]) => [String(ordinal).padStart(LINK_ORDINAL_DIGITS, '0')],
    page: query.page,
    limit: query.limit,
  })
  const broken = links.filter(isBroken)
  return {
    ...toList(page, ([, { usage }]) => usage),
    stats: {
      total: links.length,
      broken: { total: broken.length, ...(await countNewlyBroken(services, at, id, broken)) },
    },
  }
}

const LINK_ORDINAL_DIGITS = 6
const isBroken = ({ usage }: PageLink): boolean => usage.status === 'broken'

/** Of a change request: the broken links that the page did not have, or that led somewhere, when it began. */
async function countNewlyBroken(
  services: Services,
  { changeRequest }: ContentAt,
  id: string,
  broken: readonly PageLink[],
): Promise<{ changeRequest?: number }> {
  if (changeRequest === null) return {}
  const base = await services.contents.get(await findBaseRoot(services, changeRequest))
  const record = base.pages.get(id)
  const before =
    record === undefined ? [] : await readPageLinks(services, changeRequest.space_id, base, id, record)
  const known = new Set(before.filter(isBroken).map(({ destination }) => destination))
  return { changeRequest: broken.filter(({ destination }) => !known.has(destination)).length }
}

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
  const reading = await readLinks(context, at, (trx, { links }) =>
    listLinkingPages(trx, links, { id: target.id, file }, { question, page, limit }),
  )
  const toLocation = await toLocations(context, { ...at, ...reading })
  return toList(reading.value, ({ from_page }) => toLocation(from_page))
}
