// What tools read from one space: search, its tree, its pages, and what changed.
import type { Changes } from '../api/changes/schema.ts'
import type { Page } from '../api/content/schema.ts'
import type { SearchPage } from '../api/search/schema.ts'
import { counted } from '../base/counted.ts'
import type { ListedPage, PageExcerpt, PagesExcerpt } from '../compute/json-excerpt.ts'
import type { List } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { toChange } from './describe-change.ts'
import { type PageName, pathOfPage } from './page-name.ts'
import { foundOf, toHit, toLine } from './text.ts'

const PAGES_LISTED_MAX = 500
// Some 12,000 words: as much as models can take at once without losing the thread.
const CHARACTERS_READ_MAX = 80_000
const CHANGES_SHOWN_MAX = 50
// Fields of changes that mean nothing to a reader.
const UNTOLD = ['mergedFrom', 'git', 'key', 'downloadURL']

/** The content of a space, or of one of its change requests. */
export const contentAt = (space: string, changeRequest?: string | number): string =>
  changeRequest === undefined
    ? at`/spaces/${space}`
    : at`/spaces/${space}/change-requests/${String(changeRequest)}`

export async function searchSpace(
  api: Api,
  space: string,
  { query, limit }: { readonly query: string; readonly limit?: number },
): Promise<string> {
  const { items, count } = await api.call<List<SearchPage>>('GET', at`/spaces/${space}/search`, {
    query: { query, limit },
  })
  if (items.length === 0) return 'Nothing was found.'
  return [foundOf(count, items.length), ...items.map(toHit)].join('\n')
}

const TYPES = ['document', 'group', 'link', 'computed'] as const

/** Pages of a content in the order of its navigation. */
export const getPages = (
  api: Api,
  content: string,
  { from = 0, which, types = TYPES }: PageSelection & { readonly types?: readonly string[] },
): Promise<PagesExcerpt> =>
  api.call('GET', `${content}/content/pages`, {
    excerpt: { kind: 'pages', types, which, from, max: PAGES_LISTED_MAX },
  })

/** People who work on a content see all of its pages; readers see those that `llms.txt` lists. */
export type PageSelection = { readonly which: 'all' | 'listed'; readonly from?: number | undefined }

export async function listPages(api: Api, content: string, wanted: PageSelection): Promise<string> {
  const { pages, count } = await getPages(api, content, wanted)
  const { from = 0 } = wanted
  if (count === 0) return 'There are no pages.'
  const end = from + pages.length
  return [
    `${counted(count, 'page')}, in the order of the navigation.`,
    ...pages.map(toTreeLine),
    ...(end < count ? [`There are more: call list_pages again with from ${end}.`] : []),
  ].join('\n')
}

function toTreeLine({ type, id, title, path, level }: ListedPage): string {
  const place = path === undefined ? '' : `, path "${path}"`
  const kind = type === 'document' ? 'page' : type
  return `${'  '.repeat(level)}- ${toLine(title)} (${kind} ${id}${place})`
}

/** The page, with a limited part of its Markdown from a given character on. */
export const getPage = (
  api: Api,
  content: string,
  name: PageName,
  piece: { readonly from: number; readonly max: number },
): Promise<PageExcerpt> =>
  api.call('GET', content + pathOfPage(name), {
    query: { format: 'markdown' },
    excerpt: { kind: 'page', ...piece },
  })

/** Describes the page, followed by its Markdown from a given character on. */
export async function readPage(
  api: Api,
  content: string,
  { from = 0, ...name }: PageName & { readonly from?: number },
): Promise<string> {
  const piece = { from, max: CHARACTERS_READ_MAX }
  const { page, markdown, length } = await getPage(api, content, name, piece)
  // A page as the API answers it, without its Markdown.
  const { id, title, type, path, description, urls } = page as Page
  const end = from + markdown.length
  return [
    `Title: ${toLine(title)}`,
    `Page: ${id}${path === undefined ? '' : `, path "${path}"`}${type === 'document' ? '' : `, a ${type}`}`,
    ...(description === undefined ? [] : [`Description: ${toLine(description)}`]),
    ...(urls === undefined ? [] : [`Address: ${urls.app}`]),
    '',
    markdown,
    ...(end < length
      ? ['', `The page continues: call read_page again with from ${end} (of ${length} characters).`]
      : []),
  ].join('\n')
}

/** The changes of the change request or the revision at `of`. */
export async function readChanges(api: Api, of: string): Promise<string> {
  const { changes, more } = await api.call<Changes>('GET', `${of}/changes`, {
    query: { limit: CHANGES_SHOWN_MAX },
    excerpt: { kind: 'value', charactersMax: 2 * CHARACTERS_READ_MAX, without: UNTOLD },
  })
  if (changes.length === 0) return 'Nothing has changed.'
  const words = changes.map(toChange).join('\n\n')
  return [
    words.slice(0, CHARACTERS_READ_MAX).toWellFormed(),
    ...(words.length <= CHARACTERS_READ_MAX ? [] : ['Some text is not shown.']),
    ...(more === undefined ? [] : [`And ${counted(more, 'more change')}, not shown.`]),
  ].join('\n\n')
}
