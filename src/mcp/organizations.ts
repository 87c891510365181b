// The caller's organizations, and the spaces in them that the caller may see.
import type { Organization } from '../api/organizations/schema.ts'
import type { Space } from '../api/spaces/schema.ts'
import { counted } from '../base/counted.ts'
import type { List } from '../http/list.ts'
import { type Api, at } from './api.ts'
import { toLine } from './text.ts'
import { ArgumentError } from './tool.ts'

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

/** The spaces of one organization, or the first ones of each. */
export async function describeSpaces(
  api: Api,
  { organization, cursor, all = false }: SpacesInput,
): Promise<string> {
  const organizations = await listOrganizations(api)
  if (cursor !== undefined && organization === undefined && organizations.length > 1)
    throw new ArgumentError('arguments.organization: name the organization whose list continues.')
  const chosen = organizations.filter(({ id }) => organization === undefined || id === organization)
  if (chosen.length === 0) return 'There is no such organization, or you do not belong to it.'
  const texts: string[] = []
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
  }
  return texts.join('\n\n')
}

const toSpaceLine = ({ id, title, visibility, urls }: Space): string =>
  `- ${toLine(title)} (space ${id}, ${visibility}) ${urls.app}`
