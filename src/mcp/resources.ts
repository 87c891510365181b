// Pages as resources: `octavo://spaces/{space}/pages/{page}`.
import type { Space } from '../api/spaces/schema.ts'
import { decodeCursor, encodeCursor } from '../base/cursor.ts'
import { type Api, ApiError } from './api.ts'
import { listOrganizations, listSpacesPage } from './organizations.ts'
import { contentAt, getPage, getPages, type PageSelection } from './reads.ts'
import { toLine } from './text.ts'
import { ArgumentError } from './tool.ts'

export const PAGE_URI_TEMPLATE = 'octavo://spaces/{space}/pages/{page}'
export const PAGE_TYPE = 'text/markdown'
const PAGE_URI = /^octavo:\/\/spaces\/([^/?#]+)\/pages\/([^/?#]+)$/
const URI_CHARACTERS_MAX = 1024
// A resource cannot be read in parts.
const CHARACTERS_MAX = 1_000_000

export type Resource = {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType: string
}

export type ResourceList = { readonly resources: Resource[]; readonly nextCursor?: string }

export interface Resources {
  /** Throws the Failure `invalid` for a cursor that no list has answered. */
  list(api: Api, cursor: string | undefined): Promise<ResourceList>
  /** The Markdown of a page. */
  read(api: Api, uri: string): Promise<string>
}

/** The pages of every space that the caller may see and searches cover: each answer has one space, and a limited number of its pages. */
export const workspaceResources: Resources = {
  async list(api, cursor) {
    const ids = (await listOrganizations(api)).map(({ id }) => id)
    const {
      organization = ids[0],
      spaces,
      from,
    }: ResourceAddress = cursor === undefined ? {} : decodePlace(cursor)
    if (organization === undefined || !ids.includes(organization)) return { resources: [] }
    const { items, next } = await listSpacesPage(api, organization, {
      ...{ page: spaces, limit: 1, searchScope: 'organization' },
    })
    const [space] = items
    const listed: ResourcePage =
      space === undefined ? { resources: [] } : await listSpace(api, space.id, { which: 'all', from }, space)
    const following = ids[ids.indexOf(organization) + 1]
    if (listed.from !== undefined) return toList(listed, { organization, spaces, from: listed.from })
    if (next !== undefined) return toList(listed, { organization, spaces: next.page })
    return toList(listed, following === undefined ? undefined : { organization: following })
  },
  async read(api, uri) {
    const { space, page } = parseUri(uri)
    return readMarkdown(api, space, page)
  },
}

/** The pages of one space. */
export const spaceResources = (space: string): Resources => ({
  async list(api, cursor) {
    const place: ResourceAddress = cursor === undefined ? {} : decodePlace(cursor)
    const listed = await listSpace(api, space, { which: 'listed', from: place.from })
    return toList(listed, listed.from === undefined ? undefined : { from: listed.from })
  },
  async read(api, uri) {
    const named = parseUri(uri)
    if (named.space !== space) throw new ApiError(404, 'There is no such page here.')
    return readMarkdown(api, space, named.page)
  },
})

async function readMarkdown(api: Api, space: string, page: string): Promise<string> {
  const piece = { from: 0, max: CHARACTERS_MAX }
  const { markdown, length } = await getPage(api, contentAt(space), { page }, piece)
  if (length <= CHARACTERS_MAX) return markdown
  throw new ApiError(413, `The page has ${length} characters. Read it in parts, with the tool read_page.`)
}

/** `from`: where the list of this space continues, if it does. */
type ResourcePage = { readonly resources: Resource[]; readonly from?: number }

const toList = ({ resources }: ResourcePage, place: ResourceAddress | undefined): ResourceList =>
  place === undefined ? { resources } : { resources, nextCursor: encodePlace(place) }

async function listSpace(
  api: Api,
  space: string,
  { which, from = 0 }: PageSelection,
  { title }: Partial<Pick<Space, 'title'>> = {},
): Promise<ResourcePage> {
  const { pages, count } = await getPages(api, contentAt(space), { which, from, types: ['document'] })
  const resources = pages.map(({ id, title: name, description }) => ({
    uri: `octavo://spaces/${encodeURIComponent(space)}/pages/${encodeURIComponent(id)}`,
    name: title === undefined ? toLine(name) : `${toLine(title)}: ${toLine(name)}`,
    ...(description === undefined ? {} : { description: toLine(description) }),
    mimeType: PAGE_TYPE,
  }))
  const end = from + pages.length
  return end < count ? { resources, from: end } : { resources }
}

function parseUri(uri: string): { space: string; page: string } {
  const [, space, page] = uri.length > URI_CHARACTERS_MAX ? [] : (PAGE_URI.exec(uri) ?? [])
  if (space === undefined || page === undefined)
    throw new ArgumentError(`uri: it has to have the form ${PAGE_URI_TEMPLATE}.`)
  try {
    return { space: decodeURIComponent(space), page: decodeURIComponent(page) }
  } catch {
    throw new ArgumentError('uri: its percent-encoding is broken.')
  }
}

/** Where a list continues: the organization, the page of its list of spaces, and the first page of that space. */
type ResourceAddress = {
  readonly organization?: string | undefined
  readonly spaces?: string | undefined
  readonly from?: number
}

const LIST = 'pages as resources'

const encodePlace = ({ organization, spaces, from }: ResourceAddress): string =>
  encodeCursor(LIST, [organization ?? null, spaces ?? null, from ?? 0])

function decodePlace(cursor: string): ResourceAddress {
  const [organization, spaces, from] = decodeCursor(LIST, cursor)
  return {
    organization: typeof organization === 'string' ? organization : undefined,
    spaces: typeof spaces === 'string' ? spaces : undefined,
    from: Number.isSafeInteger(from) ? Math.max(0, Number(from)) : 0,
  }
}
