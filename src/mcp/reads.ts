// What tools read from one space: search, its tree, its pages, and what changed.
import { type Static, Type } from 'typebox'
import type { Changes } from '../api/changes/schema.ts'
import type { Page } from '../api/content/schema.ts'
import type { SearchPage } from '../api/search/schema.ts'
import { counted } from '../base/counted.ts'
import type { ListedPage, PageExcerpt, PagesExcerpt } from '../compute/json-excerpt.ts'
import type { List } from '../http/list.ts'
import { type Api, ApiError, at } from './api.ts'
import { toChange } from './describe-change.ts'
import { FoundPage, Next, toFoundPage } from './outputs.ts'
import { type PageName, pathOfPage } from './page-name.ts'
import { foundOf, toHit, toLine } from './text.ts'
import { ArgumentError, type ToolAnswer } from './tool.ts'

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

export const FoundInSpace = Type.Object({
  count: Type.Integer({ description: 'All pages that were found.' }),
  pages: Type.Array(FoundPage),
})

export async function searchSpace(
  api: Api,
  space: string,
  { query, limit }: { readonly query: string; readonly limit?: number },
): Promise<ToolAnswer<Static<typeof FoundInSpace>>> {
  const { items, count } = await api.call<List<SearchPage>>('GET', at`/spaces/${space}/search`, {
    query: { query, limit },
  })
  const text =
    items.length === 0 ? 'Nothing was found.' : [foundOf(count, items.length), ...items.map(toHit)].join('\n')
  return { text, data: { count, pages: items.map(toFoundPage) } }
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

export const ListedPages = Type.Object({
  count: Type.Integer({ description: 'All pages of the list.' }),
  pages: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      type: Type.String(),
      path: Type.Optional(Type.String()),
      level: Type.Integer({ description: '0 at the top.' }),
    }),
  ),
  from: Next.from,
})

export async function listPages(
  api: Api,
  content: string,
  wanted: PageSelection,
): Promise<ToolAnswer<Static<typeof ListedPages>>> {
  const { pages, count } = await getPages(api, content, wanted)
  const end = (wanted.from ?? 0) + pages.length
  const isCut = end < count
  const lines = [
    `${counted(count, 'page')}, in the order of the navigation.`,
    ...pages.map(toTreeLine),
    ...(isCut ? [`There are more: call list_pages again with from ${end}.`] : []),
  ]
  return {
    text: count === 0 ? 'There are no pages.' : lines.join('\n'),
    data: { count, pages: [...pages], ...(isCut ? { from: end } : {}) },
  }
}

function toTreeLine({ type, id, title, path, level }: ListedPage): string {
  const place = path === undefined ? '' : `, path "${path}"`
  const kind = type === 'document' ? 'page' : type
  return `${'  '.repeat(level)}- ${toLine(title)} (${kind} ${id}${place})`
}

/** The page, with a limited part of its Markdown from a given character on. */
type Piece = { readonly from: number; readonly max: number }

export async function getPage(api: Api, content: string, name: PageName, piece: Piece): Promise<PageExcerpt> {
  const path = pathOfPage(name) ?? pathOfPage({ page: await firstPageOf(api, content) })
  return api.call('GET', `${content}${path}`, {
    query: { format: 'markdown' },
    excerpt: { kind: 'page', ...piece },
  })
}

/** Undefined if the content is there and has no such page. */
export async function findPage(
  api: Api,
  content: string,
  name: PageName,
  piece: Piece,
): Promise<PageExcerpt | undefined> {
  try {
    return await getPage(api, content, name, piece)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    // Where the content is not there either, this says so.
    await api.call('GET', content)
    return undefined
  }
}

async function firstPageOf(api: Api, content: string): Promise<string> {
  const { pages } = await getPages(api, content, { which: 'all', types: ['document'] })
  const [first] = pages
  if (first === undefined) throw new ArgumentError('There are no pages.')
  return first.id
}

const describeAbsence = ({ page }: PageName): string =>
  page === undefined
    ? 'There is no page with this path, or you may not see it. list_pages gives the paths of pages.'
    : 'arguments.page: there is no page with this id, or you may not see it. search and list_pages give ids; a path goes into the argument path.'

export const ReadPage = Type.Object({
  page: Type.String(),
  title: Type.String(),
  type: Type.String(),
  path: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  markdown: Type.String(),
  length: Type.Integer({ description: 'Characters of the whole page.' }),
  from: Next.from,
})

/** Describes the page, followed by its Markdown from a given character on. */
export async function readPage(
  api: Api,
  content: string,
  { from = 0, ...name }: PageName & { readonly from?: number | undefined },
): Promise<ToolAnswer<Static<typeof ReadPage>>> {
  const piece = { from, max: CHARACTERS_READ_MAX }
  const found = await findPage(api, content, name, piece)
  if (found === undefined) throw new ArgumentError(describeAbsence(name))
  const { page, markdown, length } = found
  // A page as the API answers it, without its Markdown.
  const { id, title, type, path, description, urls } = page as Page
  const end = from + markdown.length
  const isCut = end < length
  const lines = [
    `Title: ${toLine(title)}`,
    `Page: ${id}${path === undefined ? '' : `, path "${path}"`}${type === 'document' ? '' : `, a ${type}`}`,
    ...(description === undefined ? [] : [`Description: ${toLine(description)}`]),
    ...(urls === undefined ? [] : [`Address: ${urls.app}`]),
    '',
    markdown,
    ...(isCut
      ? ['', `The page continues: call read_page again with from ${end} (of ${length} characters).`]
      : []),
  ]
  return {
    text: lines.join('\n'),
    data: {
      ...{ page: id, title, type, markdown, length },
      ...(path === undefined ? {} : { path }),
      ...(description === undefined ? {} : { description }),
      ...(urls === undefined ? {} : { address: urls.app }),
      ...(isCut ? { from: end } : {}),
    },
  }
}

export const ReadChanges = Type.Object({
  changes: Type.Array(
    Type.Object({
      type: Type.String(),
      page: Type.Optional(Type.Object({ id: Type.String(), title: Type.String() })),
      words: Type.String({ description: 'What changed, with removed (-) and added (+) text.' }),
    }),
  ),
  more: Type.Optional(Type.Integer({ description: 'Changes that are not shown.' })),
})

/** The changes of the change request or the revision at `of`. */
export async function readChanges(api: Api, of: string): Promise<ToolAnswer<Static<typeof ReadChanges>>> {
  const { changes, more } = await api.call<Changes>('GET', `${of}/changes`, {
    query: { limit: CHANGES_SHOWN_MAX },
    excerpt: { kind: 'value', charactersMax: 2 * CHARACTERS_READ_MAX, without: UNTOLD },
  })
  const told = changes.map(toChange)
  const words = told.join('\n\n')
  const lines = [
    words.slice(0, CHARACTERS_READ_MAX).toWellFormed(),
    ...(words.length <= CHARACTERS_READ_MAX ? [] : ['Some text is not shown.']),
    ...(more === undefined ? [] : [`And ${counted(more, 'more change')}, not shown.`]),
  ]
  return {
    text: changes.length === 0 ? 'Nothing has changed.' : lines.join('\n\n'),
    data: {
      changes: changes.map((change, index) => ({
        type: change.type,
        ...('page' in change ? { page: { id: change.page.id, title: change.page.title } } : {}),
        words: told[index] ?? '',
      })),
      ...(more === undefined ? {} : { more }),
    },
  }
}
