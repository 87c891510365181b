// Content in the form that the reader's templates need.

import { type ContentIndex, indexOf } from '../api/content/index-of-content.ts'
import { toDownloadUrl } from '../api/content/signed-references.ts'
import { toAddress } from '../api/content/wire.ts'
import { pageHref, searchHref, spaceHref } from '../api/rendering/addresses.ts'
import type { Highlight } from '../api/search/find.ts'
import type { SpaceRow } from '../api/spaces/rows.ts'
import { inSlices } from '../base/slices.ts'
import type { Content } from '../engines/content/content.ts'
import type { PageRecord, Reference } from '../engines/content/records.ts'
import type { Services } from '../http/context.ts'
import type { RenderedPage } from '../http/rendering.ts'
import {
  type Crumb,
  DEFAULT_LAYOUT,
  type PageView,
  type SnippetRun,
  type SpaceCard,
  type SpaceView,
  type TreeItem,
} from './layout/view.ts'
import type { ListedSpace } from './spaces.ts'

/** The print view of a page with its subpages, or of the whole space without `pageId`, for members. */
export const printHref = (spaceId: string, pageId?: string): string =>
  `${spaceHref(spaceId)}/~/print${pageId === undefined ? '' : `?page=${encodeURIComponent(pageId)}`}`
/** The same for a PDF file. */
export const pdfHref = (spaceId: string, pageId?: string): string =>
  `${spaceHref(spaceId)}/~/pdf${pageId === undefined ? '' : `?page=${encodeURIComponent(pageId)}`}`
export const toSpaceView = (space: SpaceRow): SpaceView => ({
  id: space.id,
  title: space.title === '' ? 'Untitled' : space.title,
  href: spaceHref(space.id),
  emoji: space.emoji,
  language: space.language,
  searchAction: searchHref(space.id),
})

export const toSpaceCard = (space: ListedSpace): SpaceCard => ({
  title: space.title === '' ? 'Untitled' : space.title,
  href: spaceHref(space.id),
  emoji: space.emoji,
  visibility: space.visibility,
  updatedAt: space.updated_at.toISOString(),
})

/** The navigation: hidden pages are reachable, but not listed. */
export function toTree(base: string, content: Content): Promise<TreeItem[]> {
  const index = indexOf(content)
  const toItems = async (ids: readonly string[]): Promise<TreeItem[]> => {
    const items: TreeItem[] = []
    for await (const id of inSlices(ids)) {
      const record = content.pages.get(id)
      if (record === undefined || record.hidden === true || record.type === 'computed') continue
      items.push({
        id,
        kind: record.type,
        title: record.linkTitle ?? record.title,
        href: hrefOf(base, content, index, id, record),
        emoji: record.emoji ?? null,
        icon: record.icon ?? null,
        children: record.children.length === 0 ? [] : await toItems(record.children),
      })
    }
    return items
  }
  return toItems(content.tree.children)
}

function hrefOf(
  base: string,
  content: Content,
  index: ContentIndex,
  id: string,
  record: PageRecord,
): string | null {
  if (record.type === 'document') return pageHref(base, index.paths.get(id) ?? '')
  return record.type === 'link' && record.target !== undefined
    ? targetHref(base, content, record.target)
    : null
}

/** Where a link page leads; null if its target was deleted. */
function targetHref(base: string, content: Content, target: Reference): string | null {
  if (target.kind === 'url') return target.url
  if (target.kind === 'page' && target.space === undefined) {
    const path = indexOf(content).paths.get(target.page)
    return path === undefined ? null : pageHref(base, path)
  }
  return target.kind === 'space' ? spaceHref(target.space) : null
}

export function toPageView(
  services: Pick<Services, 'urls' | 'signingKey'>,
  space: SpaceRow,
  base: string,
  content: Content,
  id: string,
  record: PageRecord,
  rendered: RenderedPage,
): PageView {
  const index = indexOf(content)
  const path = index.paths.get(id) ?? ''
  const layout = { ...DEFAULT_LAYOUT, ...record.layout }
  const isOfChangeRequest = base !== spaceHref(space.id)
  return {
    id,
    title: record.title,
    description: record.description ?? null,
    emoji: record.emoji ?? null,
    icon: record.icon ?? null,
    html: rendered.html,
    outline: rendered.outline,
    breadcrumbs: breadcrumbsOf(base, content, index, record),
    ...neighboursOf(base, content, index, id),
    cover: layout.cover ? coverOf(services, content, record) : null,
    layout,
    updatedAt: record.updatedAt ?? null,
    markdownHref: markdownHrefOf(base, content, id),
    canonicalHref: isOfChangeRequest ? null : services.urls.page(space.id, path),
    isUnlisted: isUnlisted(space, base, record),
  }
}

/** Whether robots are asked to leave a page out. `base` as in `pageHref`. */
export const isUnlisted = (space: SpaceRow, base: string, record: PageRecord): boolean =>
  base !== spaceHref(space.id) ||
  space.visibility !== 'public' ||
  record.noIndex === true ||
  record.noRobotsIndex === true

/** The address of a page as Markdown; null if another page has that path. */
export function markdownHrefOf(base: string, content: Content, id: string): string | null {
  const { paths, byPath } = indexOf(content)
  const path = `${paths.get(id) ?? ''}.md`
  return byPath.has(path) ? null : pageHref(base, path)
}

function breadcrumbsOf(base: string, content: Content, index: ContentIndex, record: PageRecord): Crumb[] {
  const crumbs: Crumb[] = []
  for (let id = record.parent; id !== null; ) {
    const parent = content.pages.get(id)
    if (parent === undefined) break
    crumbs.unshift({ title: parent.title, href: hrefOf(base, content, index, id, parent) })
    id = parent.parent
  }
  return crumbs
}

/** The documents before and after this one, in the order of the navigation. */
function neighboursOf(
  base: string,
  content: Content,
  index: ContentIndex,
  id: string,
): { previous: Crumb | null; next: Crumb | null } {
  const shown = listed(content, index)
  const at = shown.indexOf(id)
  const crumb = (other: string | undefined): Crumb | null => {
    const record = other === undefined ? undefined : content.pages.get(other)
    return record === undefined || other === undefined
      ? null
      : { title: record.title, href: pageHref(base, index.paths.get(other) ?? '') }
  }
  return at < 0
    ? { previous: null, next: null }
    : { previous: crumb(shown[at - 1]), next: crumb(shown[at + 1]) }
}

const listings = new WeakMap<ContentIndex, readonly string[]>()

/** Documents of the navigation in reading order. */
export function listed(content: Content, index: ContentIndex): readonly string[] {
  const found = listings.get(index)
  if (found !== undefined) return found
  const ids = index.reading.filter(id => content.pages.get(id)?.type === 'document' && !isHidden(content, id))
  listings.set(index, ids)
  return ids
}

function isHidden(content: Content, id: string): boolean {
  for (let at: string | null = id; at !== null; ) {
    const record: PageRecord | undefined = content.pages.get(at)
    if (record === undefined || record.hidden === true) return true
    at = record.parent
  }
  return false
}

function coverOf(
  services: Pick<Services, 'urls' | 'signingKey'>,
  content: Content,
  { cover, layout }: PageRecord,
) {
  const src = sourceOf(services, content, cover?.ref)
  if (cover === undefined || src === null) return null
  return {
    src,
    srcDark: sourceOf(services, content, cover.refDark),
    yPos: cover.yPos,
    height: cover.height ?? null,
    size: layout?.coverSize ?? 'hero',
  }
}

function sourceOf(
  { urls, signingKey }: Pick<Services, 'urls' | 'signingKey'>,
  content: Content,
  ref: Reference | undefined,
) {
  if (ref?.kind === 'url') return ref.url
  const file = ref?.kind === 'file' ? content.files.get(ref.file) : undefined
  return file === undefined ? null : new URL(toDownloadUrl(urls, signingKey, toAddress(file))).href
}

/** A text in runs, with the matches of the query marked; overlapping matches are one. */
export function markMatches(text: string, highlight: Highlight): SnippetRun[] {
  const runs: SnippetRun[] = []
  let at = 0
  const add = (end: number, isMatch: boolean) => {
    if (end <= at) return
    const last = runs.at(-1)
    const run = { text: text.slice(at, end), isMatch }
    if (last?.isMatch === isMatch) runs[runs.length - 1] = { ...run, text: last.text + run.text }
    else runs.push(run)
    at = end
  }
  for (const { start, end } of [...highlight.mark(text)].sort((a, b) => a.start - b.start)) {
    add(start, false)
    add(end, true)
  }
  add(text.length, false)
  return runs
}
