// What tools read of one space: search, its tree, its pages, and what changed.
import type { Changes } from '../api/changes/schema.ts'
import type { Page, TreePage } from '../api/content/schema.ts'
import type { SearchPage } from '../api/search/schema.ts'
import type { List } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { toChange } from './change-words.ts'
import { type PageName, pathOfPage } from './page-name.ts'
import { counted, toHit, toLine } from './text.ts'

const PAGES_LISTED_MAX = 500
// Some 12,000 words: what models take at once without losing the thread.
const CHARACTERS_READ_MAX = 80_000
const CHANGES_SHOWN_MAX = 100

/** The content of a space, or of a change request of it. */
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
  return [`${counted(count, 'page')} found; the best first.`, ...items.map(toHit)].join('\n')
}

/** A page of a tree, without the pages below it. */
export type Listed = {
  readonly page: TreePage
  /** 0 at the top. */
  readonly level: number
}

/** The pages of a content in the order of its navigation. */
export async function readTree(api: Api, content: string): Promise<Listed[]> {
  const { pages } = await api.call<{ pages: TreePage[] }>('GET', `${content}/content/pages`)
  const listed: Listed[] = []
  const add = (siblings: readonly TreePage[], level: number): void => {
    for (const page of siblings) {
      listed.push({ page, level })
      add(page.pages ?? [], level + 1)
    }
  }
  add(pages, 0)
  return listed
}

export async function listPages(api: Api, content: string, from = 0): Promise<string> {
  const all = await readTree(api, content)
  if (all.length === 0) return 'There are no pages.'
  const shown = all.slice(from, from + PAGES_LISTED_MAX)
  const end = from + shown.length
  return [
    `${counted(all.length, 'page')}, in the order of the navigation.`,
    ...shown.map(toTreeLine),
    ...(end < all.length ? [`There are more: call list_pages again with from ${end}.`] : []),
  ].join('\n')
}

function toTreeLine({ page, level }: Listed): string {
  const { type, id, title, path } = page
  const place = path === undefined ? '' : `, path "${path}"`
  const kind = type === 'document' ? 'page' : type
  return `${'  '.repeat(level)}- ${toLine(title)} (${kind} ${id}${place})`
}

/** The page with its Markdown. */
export const getPage = (api: Api, content: string, name: PageName): Promise<Page> =>
  api.call('GET', content + pathOfPage(name), { query: { format: 'markdown' } })

/** What a page is, and its Markdown from a character on. */
export async function readPage(
  api: Api,
  content: string,
  { from = 0, ...name }: PageName & { readonly from?: number },
): Promise<string> {
  const { id, title, type, path, description, urls, markdown = '' } = await getPage(api, content, name)
  const end = from + pieceOf(markdown, from).length
  return [
    `Title: ${toLine(title)}`,
    `Page: ${id}${path === undefined ? '' : `, path "${path}"`}${type === 'document' ? '' : `, a ${type}`}`,
    ...(description === undefined ? [] : [`Description: ${toLine(description)}`]),
    ...(urls === undefined ? [] : [`Address: ${urls.app}`]),
    '',
    pieceOf(markdown, from),
    ...(end < markdown.length
      ? ['', `The page goes on: call read_page again with from ${end} (of ${markdown.length} characters).`]
      : []),
  ].join('\n')
}

/** Of whole characters. */
const pieceOf = (text: string, from: number): string =>
  text.slice(from, from + CHARACTERS_READ_MAX).replace(/[\ud800-\udbff]$/, '')

/** What a change request or a revision changes, as it stands below `of`. */
export async function readChanges(api: Api, of: string): Promise<string> {
  const { changes, more } = await api.call<Changes>('GET', `${of}/changes`, {
    query: { limit: CHANGES_SHOWN_MAX },
  })
  if (changes.length === 0) return 'Nothing is changed.'
  return [
    ...changes.map(toChange),
    ...(more === undefined ? [] : [`And ${counted(more, 'more change')} that are not shown.`]),
  ].join('\n\n')
}
