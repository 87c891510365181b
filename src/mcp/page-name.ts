// How a page is named: by its id or by its path.
import { Type } from 'typebox'
import { Id } from '../http/list.ts'
import { at } from './api.ts'
import { ArgumentError } from './tool.ts'

const PATH_CHARACTERS_MAX = 4096

export const pageName = {
  page: Type.Optional(Id('The id of the page, as search and list_pages give it.')),
  path: Type.Optional(
    Type.String({
      maxLength: PATH_CHARACTERS_MAX,
      description: 'Instead of its id, the path of the page in its space, such as guides/install.',
    }),
  ),
}

export type PageName = { readonly page?: string; readonly path?: string }

/** The path of the page in the API, below a content. */
export function pathOfPage({ page, path }: PageName): string {
  if (page !== undefined && path === undefined) return at`/content/page/${page}`
  if (path !== undefined && page === undefined) {
    const slugs = path.split('/').filter(slug => slug !== '')
    if (slugs.length === 0) throw new ArgumentError('arguments.path: name a page, as list_pages does.')
    return `/content/path/${slugs.map(slug => at`${slug}`).join('/')}`
  }
  throw new ArgumentError('arguments: name the page by one of page and path.')
}
