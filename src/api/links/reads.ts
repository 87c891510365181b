// Answers about links.
import { createHash } from 'node:crypto'
import { missing } from '../../base/errors.ts'
import { type CachedBody, toCachedBody } from '../../http/cached-body.ts'
import type { Context, Services } from '../../http/context.ts'
import { toList } from '../../http/list.ts'
import { createImmutableCache } from '../../platform/cache/cache.ts'
import type { ContentAt } from '../content/place.ts'
import { findMissing, OWN_ADDRESSES_MAX } from './own-addresses.ts'
import { createPlaces } from './places.ts'
import {
  countLinks,
  findGonePaths,
  type LinkCounts,
  type LinkFilter,
  listLinkingPages,
  listLinks,
  listOwnAddresses,
} from './rows.ts'
import type { LinkList, ProposedLinkList } from './schema.ts'
import { readLinks } from './sources.ts'
import { toGoneByFile, toLinkStats, toLinkUsage } from './wire.ts'

type Paging = { readonly page?: string | undefined; readonly limit?: number | undefined }

/** Every link of a space or of a change request. */
export const readLinksOf = (context: Context, at: ContentAt, query: ProposedLinkList): Promise<CachedBody> =>
  toLinkUsages(context, at, undefined, query)

/** The links of a page; `stats` cover the whole page, regardless of the filter. */
export async function readLinksOfPage(
  context: Context,
  at: ContentAt,
  id: string,
  query: LinkList,
): Promise<CachedBody> {
  const { pages } = await context.contents.shown(at.space.id, at.root, at.sight)
  if (!pages.has(id)) throw missing('page')
  return toLinkUsages(context, at, id, query)
}

async function toLinkUsages(
  context: Context,
  at: ContentAt,
  fromPage: string | undefined,
  query: ProposedLinkList,
): Promise<CachedBody> {
  const { counts, mended, found, gone, root } = await findLinks(context, at, fromPage, query, addresses =>
    findMissing(context, appUrlOf(context), addresses),
  )
  // Content that the change request has removed is shown as it is in the space.
  const shown = root === at.root ? at : { ...at, root, changeRequest: null }
  const places = await createPlaces(context, shown)
  const goneByFile = toGoneByFile(gone)
  const toUsages = function* () {
    for (const row of found.items) yield toLinkUsage(places, row, goneByFile)
  }
  return toCachedBody({
    ...toList(found, row => row),
    items: toUsages(),
    stats: toLinkStats(counts, mended),
  })
}

/**
 * One page of a list of links, the former targets of broken ones, and counts; for one page of the content, or for all
 * if `fromPage` is undefined. `root` is the content that has the links. `missingOf`: which addresses of this server's
 * own pages lead nowhere for the caller.
 */
export async function findLinks(
  services: Services,
  at: ContentAt,
  fromPage: string | undefined,
  { status, brokenContext, page, limit }: ProposedLinkList,
  missingOf: (addresses: readonly string[]) => Promise<readonly string[]>,
) {
  const appUrl = appUrlOf(services)
  const missing = await missingOf(await listOwn(services, at))
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
    const compared = { links, base: base?.links ?? null, appUrl, missing, fromPage }
    const isOf = `${name} ${fromPage} ${digest(missing)}`
    // The reverse: broken in the base, but not in the change request.
    const without = base && { links: base.links, base: links, appUrl, missing, fromPage }
    const counts = await counted.get(isOf, async () => ({
      ...(await countLinks(trx, compared)),
      mended: without && (await countLinks(trx, without)).newly_broken,
    }))
    const listed = brokenContext === 'mended' && without !== null ? without : compared
    const found = await listLinks(trx, listed, filter, { question, page, limit })
    const files = found.items.filter(({ status }) => status === 'broken').flatMap(row => row.candidates)
    const gone = await findGonePaths(trx, listed.links, files)
    const root = listed === compared || base === null ? at.root : base.root
    return { counts, mended: counts.mended, found, gone, root }
  })
}

const appUrlOf = ({ urls }: Pick<Services, 'urls'>): string => urls.root('/s/')

// Cached per content, too; most have none.
const OWN_CHARACTERS_MAX = 4_000_000
const ENTRY_CHARACTERS = 200
const own = createImmutableCache<readonly string[]>({
  maxSize: OWN_CHARACTERS_MAX,
  sizeCalculation: addresses => addresses.reduce((sum, { length }) => sum + length, ENTRY_CHARACTERS),
})

const digest = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : createHash('sha256').update(texts.join('\n')).digest('base64')

/** The addresses of this server's own pages in a content or its base. */
const listOwn = (services: Services, at: ContentAt): Promise<readonly string[]> =>
  readLinks(services, at, (trx, { links, base, name }) =>
    own.get(name, () =>
      listOwnAddresses(
        trx,
        base === null ? [links] : [links, base.links],
        appUrlOf(services),
        OWN_ADDRESSES_MAX,
      ),
    ),
  )

// Per content, which never changes: every page of a list has the same stats.
const COUNTS_KEPT_MAX = 1000
const counted = createImmutableCache<LinkCounts & { readonly mended: number | null }>({
  max: COUNTS_KEPT_MAX,
})

/** The pages and reusable contents that link to a page or a file, as places in this content. */
export async function readBacklinks(
  context: Context,
  at: ContentAt,
  target: { readonly kind: 'page' | 'file'; readonly id: string },
  { page, limit }: Paging,
) {
  const content = await context.contents.shown(at.space.id, at.root, at.sight)
  const record = (target.kind === 'page' ? content.pages : content.files).get(target.id)
  if (record === undefined) throw missing(target.kind)
  const { file } = record
  // Without a path in the repository, no link can name it.
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
