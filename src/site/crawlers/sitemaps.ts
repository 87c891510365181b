// Sitemaps (https://www.sitemaps.org/protocol.html): the index names one sitemap for each public space, and that the
// pages of the space. They are made piece by piece, so that a large space costs time but no memory.
import { indexOf } from '../../api/content/index-of-content.ts'
import { html } from '../../base/html.ts'
import { inSlices, pause } from '../../base/slices.ts'
import type { Content } from '../../engines/content/content.ts'
import type { Services } from '../../http/context.ts'
import type { Db } from '../../platform/db/database.ts'
import { listed } from '../views.ts'
import { listPageChanges, listPublicSpaces } from './rows.ts'

// Of the protocol; a space has half as many pages at most.
export const SITEMAPS_MAX = 50_000
const SITEMAP_BYTES_MAX = 50 * 1024 * 1024
const ADDRESS_CHARACTERS_MAX = 2047

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** A sitemap may only name what is below it, so all are at the root. */
export const SITEMAP_INDEX = '/sitemap.xml'
export const SITEMAP_PREFIX = '/sitemap-'
const sitemapHref = (spaceId: string): string => `${SITEMAP_PREFIX}${spaceId}.xml`

type Sources = Pick<Services, 'urls'> & { readonly db: Db }

/** The first `SITEMAPS_MAX` public spaces, by id. */
export async function* renderSitemapIndex({ db, urls }: Sources): AsyncGenerator<string> {
  yield `${HEAD}<sitemapindex xmlns="${NAMESPACE}">\n`
  let count = 0
  for (let spaces = await listPublicSpaces(db, ''); spaces.length > 0; ) {
    const entries = spaces.slice(0, SITEMAPS_MAX - count).map(({ id, changed_at }) => {
      const address = urls.root(sitemapHref(id))
      return html`<sitemap><loc>${address}</loc><lastmod>${changed_at.toISOString()}</lastmod></sitemap>\n`
    })
    count += entries.length
    yield entries.join('')
    const last = spaces.at(-1)?.id
    spaces = last === undefined || count === SITEMAPS_MAX ? [] : await listPublicSpaces(db, last)
  }
  yield '</sitemapindex>\n'
}

type ListedSpace = { readonly spaceId: string; readonly content: Content }

// Per statement.
const PAGES_READ = 500

/**
 * Pages of the navigation in reading order, at the addresses that they call canonical, without those that crawlers are
 * asked to leave out. A page has its last change; one that was imported and not changed since, when it was imported.
 */
export async function* renderSitemap(
  { db, urls }: Sources,
  { spaceId, content }: ListedSpace,
  bytesMax = SITEMAP_BYTES_MAX,
): AsyncGenerator<string> {
  const end = '</urlset>\n'
  const start = `${HEAD}<urlset xmlns="${NAMESPACE}">\n`
  yield start
  const { paths } = indexOf(content)
  const pages = await pagesForCrawlers(content)
  let bytes = start.length + end.length
  for (let at = 0; at < pages.length; at += PAGES_READ) {
    const some = pages.slice(at, at + PAGES_READ)
    const undated = some.flatMap(({ id, updatedAt }) => (updatedAt === undefined ? [id] : []))
    const imported = await listPageChanges(db, spaceId, undated)
    for (const { id, updatedAt } of some) {
      const address = urls.page(spaceId, paths.get(id) ?? '')
      const changed = updatedAt ?? imported.get(id)?.toISOString()
      if (address.length > ADDRESS_CHARACTERS_MAX) continue
      const lastmod = changed !== undefined && html`<lastmod>${changed}</lastmod>`
      const entry = html`<url><loc>${address}</loc>${lastmod}</url>\n`.markup
      bytes += Buffer.byteLength(entry)
      if (bytes > bytesMax) break
      yield entry
    }
    await pause()
  }
  yield end
}

type ListedPage = { readonly id: string; readonly updatedAt: string | undefined }

async function pagesForCrawlers(content: Content): Promise<ListedPage[]> {
  const pages: ListedPage[] = []
  for await (const id of inSlices(listed(content, indexOf(content)))) {
    const record = content.pages.get(id)
    if (record !== undefined && record.noIndex !== true && record.noRobotsIndex !== true)
      pages.push({ id, updatedAt: record.updatedAt })
  }
  return pages
}
