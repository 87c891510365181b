// The tokens with which directories manage the people and teams of an organization.
import { queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf, type Model } from './client.ts'

export type DirectoryToken = Model<'SCIMToken'>

// An organization has at most 20.
const EVERYTHING = 100

export const directoryTokens = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'directory-tokens'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/scim/tokens', {
          params: { path: { organizationId }, query: { limit: EVERYTHING } },
          signal,
        }),
      ),
  })

export async function createDirectoryToken(
  organizationId: string,
  label: string,
): Promise<Model<'SCIMTokenWithSecret'>> {
  const params = { path: { organizationId } }
  const created = await dataOf(api.POST('/orgs/{organizationId}/scim/tokens', { params, body: { label } }))
  await cache.invalidateQueries({ queryKey: directoryTokens(organizationId).queryKey })
  return created
}

export async function revokeDirectoryToken(organizationId: string, tokenId: string): Promise<void> {
  const params = { path: { organizationId, tokenId } }
  await dataOf(api.DELETE('/orgs/{organizationId}/scim/tokens/{tokenId}', { params }))
  await cache.invalidateQueries({ queryKey: directoryTokens(organizationId).queryKey })
}
