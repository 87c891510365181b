// The caller's organizations, and the spaces in them that the caller may see.
import { type Static, Type } from 'typebox'
import type { Organization } from '../api/organizations/schema.ts'
import type { Space } from '../api/spaces/schema.ts'
import { counted } from '../base/counted.ts'
import type { List } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { Next } from './outputs.ts'
import { toLine } from './text.ts'
import { ArgumentError, type ToolAnswer } from './tool.ts'

const ORGANIZATIONS_MAX = 100
const SPACES_LISTED_MAX = 100

export async function listOrganizations(api: Api): Promise<Organization[]> {
  const { items } = await api.call<List<Organization>>('GET', '/orgs', {
    query: { limit: ORGANIZATIONS_MAX },
  })
  return items
}

/** The named organization, or the only one. */
export async function organizationOf(api: Api, named: string | undefined): Promise<string> {
  if (named !== undefined) return named
  const [first, ...others] = await listOrganizations(api)
  if (first === undefined) throw new ArgumentError('You do not belong to any organization.')
  if (others.length === 0) return first.id
  const choices = [first, ...others].map(({ id, title }) => `${id} (${toLine(title)})`).join(', ')
  throw new ArgumentError(`arguments.organization: you belong to several. Name one of ${choices}.`)
}

/** `searchScope`: only the spaces of this one. */
export type SpacesQuery = {
  readonly page?: string | undefined
  readonly limit?: number
  readonly searchScope?: Space['searchScope'] | undefined
}

export const listSpacesPage = (api: Api, organization: string, query: SpacesQuery): Promise<List<Space>> =>
  api.call('GET', at`/orgs/${organization}/spaces`, { query: { limit: SPACES_LISTED_MAX, ...query } })

type SpacesInput = {
  readonly organization?: string
  readonly cursor?: string
  /** With the spaces that searches of the organization leave out. */
  readonly all?: boolean
}

export const ListedSpaces = Type.Object({
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      count: Type.Integer({ description: 'All spaces of the list.' }),
      spaces: Type.Array(
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          visibility: Type.String(),
          address: Type.String(),
        }),
      ),
      cursor: Next.cursor,
    }),
  ),
})

/** The spaces of one organization, or the first ones of each. */
export async function describeSpaces(
  api: Api,
  { organization, cursor, all = false }: SpacesInput,
): Promise<ToolAnswer<Static<typeof ListedSpaces>>> {
  const organizations = await listOrganizations(api)
  if (cursor !== undefined && organization === undefined && organizations.length > 1)
    throw new ArgumentError('arguments.organization: name the organization whose list continues.')
  const chosen = organizations.filter(({ id }) => organization === undefined || id === organization)
  const texts: string[] = []
  const data: Static<typeof ListedSpaces>['organizations'] = []
  for (const { id, title } of chosen) {
    const { items, count, next } = await listSpacesPage(api, id, {
      page: cursor,
      searchScope: all ? undefined : 'organization',
    })
    texts.push(
      [
        `Organization ${toLine(title)} (${id}): ${counted(count, 'space')}`,
        ...items.map(toSpaceLine),
        ...(next === undefined
          ? []
          : [`There are more: call list_spaces again with organization ${id} and cursor ${next.page}.`]),
      ].join('\n'),
    )
    data.push({
      ...{ id, title, count },
      spaces: items.map(one => ({
        id: one.id,
        title: one.title,
        visibility: one.visibility,
        address: one.urls.app,
      })),
      ...(next === undefined ? {} : { cursor: next.page }),
    })
  }
  const none = 'There is no such organization, or you do not belong to it.'
  return { text: chosen.length === 0 ? none : texts.join('\n\n'), data: { organizations: data } }
}

const toSpaceLine = ({ id, title, visibility, urls }: Space): string =>
  `- ${toLine(title)} (space ${id}, ${visibility}) ${urls.app}`
