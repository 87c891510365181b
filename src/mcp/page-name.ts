// How a page is named: by its id, by its path, or by an address of it.
import { Type } from 'typebox'
import { percentDecode } from '../base/percent-decode.ts'
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

export const pageAddress = Type.Optional(
  Type.String({
    maxLength: PATH_CHARACTERS_MAX,
    description:
      'Instead of all else, an address of the page as a browser or an answer shows it, with or without .md at its end.',
  }),
)

export type PageName = { readonly page?: string; readonly path?: string }

/** The path of the page in the API, below a content; undefined: the first page of it. */
export function pathOfPage({ page, path }: PageName): string | undefined {
  if (page !== undefined && path === undefined) return at`/content/page/${page}`
  if (path !== undefined && page === undefined) {
    const slugs = path.split('/').filter(slug => slug !== '')
    if (slugs.length === 0) return undefined
    return `/content/path/${slugs.map(slug => at`${slug}`).join('/')}`
  }
  throw new ArgumentError('arguments: name the page by one of page and path.')
}

export type AddressedPage = PageName & { readonly space: string; readonly changeRequest?: number }

/** Where an address leads: of the reader, of the workspace, of a preview, or of a resource. */
export function pageAt(address: string): AddressedPage {
  const path = URL.parse(address, 'http://octavo.invalid')
  if (path?.protocol === 'octavo:') {
    const [, space, page] = /^octavo:\/\/spaces\/([^/]+)\/pages\/([^/]+)$/.exec(address) ?? []
    if (space !== undefined && page !== undefined)
      return { space: percentDecode(space), page: percentDecode(page) }
    throw NO_PAGE
  }
  const [first, ...rest] = (path?.pathname ?? '')
    .split('/')
    .filter(part => part !== '')
    .map(percentDecode)
  if (first === 'w') {
    const [s, space, kind, page] = rest
    if (s === 's' && space !== undefined && kind === 'p' && page !== undefined) return { space, page }
    if (s === 's' && space !== undefined && kind === undefined) return { space, path: '' }
    throw NO_PAGE
  }
  const [space, ...slugs] = rest
  if (first !== 's' || space === undefined) throw NO_PAGE
  if (slugs[0] !== '~') return { space, path: withoutSuffix(slugs.join('/')) }
  const [, changes, number, ...below] = slugs
  if (changes !== 'changes' || !/^[1-9]\d{0,8}$/.test(number ?? '') || below[0] === '~') throw NO_PAGE
  return { space, changeRequest: Number(number), path: withoutSuffix(below.join('/')) }
}

const NO_PAGE = new ArgumentError(
  'arguments.address: this is no address of a page here. They look like https://…/s/{space}/{path}.',
)

const withoutSuffix = (path: string): string => path.replace(/\.md$/, '')
