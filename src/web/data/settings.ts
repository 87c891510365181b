// What admins set of a space and of an organization.
import { queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { refreshSpace } from './change-request.ts'
import { api, dataOf, type Model, readAll } from './client.ts'
import type { Organization } from './organization.ts'
import { organizations } from './people.ts'
import type { Role } from './roles.ts'
import type { Space } from './spaces.ts'

export type MergeRule = Model<'MergeRule'>

const EVERYTHING = 1000

type SpaceChange = Partial<
  Pick<Space, 'title' | 'editMode' | 'defaultLevel' | 'mergeRules'> & {
    readonly emoji: string | null
    readonly language: NonNullable<Space['language']>
  }
>

export async function changeSpace(spaceId: string, body: SpaceChange): Promise<void> {
  await dataOf(api.PATCH('/spaces/{spaceId}', { params: { path: { spaceId } }, body }))
  await refreshSpace(spaceId)
}

/** It can be restored for a while. */
export async function deleteSpace(spaceId: string): Promise<void> {
  await dataOf(api.DELETE('/spaces/{spaceId}', { params: { path: { spaceId } } }))
  await refreshSpaces()
}

export async function restoreSpace(spaceId: string): Promise<void> {
  await dataOf(api.POST('/spaces/{spaceId}/restore', { params: { path: { spaceId } } }))
  await refreshSpaces()
}

const refreshSpaces = () => cache.invalidateQueries({ queryKey: ['spaces'] })

/** The last one deleted first, for admins of the organization. */
export const deletedSpaces = (organizationId: string) =>
  queryOptions({
    queryKey: ['spaces', organizationId, 'deleted'],
    queryFn: ({ signal }) =>
      readAll(page =>
        api.GET('/orgs/{organizationId}/deleted-spaces', {
          params: { path: { organizationId }, query: { limit: EVERYTHING, page } },
          signal,
        }),
      ),
  })

type OrganizationChange = Partial<
  Pick<Organization, 'title' | 'inviteLinks' | 'secondFactor' | 'mergeRules'> & {
    readonly defaultRole: Role | null
    readonly retention: Partial<Organization['retention']>
  }
>

export async function changeOrganization(organizationId: string, body: OrganizationChange): Promise<void> {
  await dataOf(api.PATCH('/orgs/{organizationId}', { params: { path: { organizationId } }, body }))
  await cache.invalidateQueries({ queryKey: organizations.queryKey })
}

/** What the rules that apply to it say of a change request, for a merge by this person now. */
export const testedRules = (of: Space, changeRequestId: string) =>
  queryOptions({
    queryKey: ['space', of.id, 'tested-rules', changeRequestId, of.mergeRules],
    staleTime: 0,
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/merge-rules/test', {
          params: { path: { spaceId: of.id, changeRequestId } },
          body: { mergeRules: of.mergeRules },
          signal,
        }),
      ),
  })

/** Somebody, or a team, who was given a role of their own. */
export type Given = {
  readonly kind: 'users' | 'teams'
  readonly id: string
  readonly name: string
  /** Null: no access. */
  readonly role: Role | null
}

/** By name; those who were kept out with the others. */
export const givenIn = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'given'],
    queryFn: async ({ signal }): Promise<readonly Given[]> => {
      const path = { spaceId }
      const lists = await Promise.all(
        [undefined, 'none' as const].flatMap(role => {
          const options = { params: { path, query: { limit: EVERYTHING, role } }, signal }
          return [
            dataOf(api.GET('/spaces/{spaceId}/permissions/users', options)).then(({ items }) =>
              items.map(
                ({ user, permission }): Given => ({
                  kind: 'users',
                  id: user.id,
                  name: user.displayName,
                  role: permission,
                }),
              ),
            ),
            dataOf(api.GET('/spaces/{spaceId}/permissions/teams', options)).then(({ items }) =>
              items.map(
                ({ team, permission }): Given => ({
                  kind: 'teams',
                  id: team.id,
                  name: team.title,
                  role: permission,
                }),
              ),
            ),
          ]
        }),
      )
      return lists.flat().sort((one, other) => one.name.localeCompare(other.name))
    },
  })

type Receiver = Pick<Given, 'kind' | 'id'>

async function andRead(spaceId: string, asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } finally {
    await refreshSpace(spaceId)
  }
}

export const giveRole = (spaceId: string, { kind, id }: Receiver, role: Role | null): Promise<void> =>
  andRead(
    spaceId,
    dataOf(
      kind === 'users'
        ? api.PATCH('/spaces/{spaceId}/permissions/users/{userId}', {
            params: { path: { spaceId, userId: id } },
            body: { role },
          })
        : api.PATCH('/spaces/{spaceId}/permissions/teams/{teamId}', {
            params: { path: { spaceId, teamId: id } },
            body: { role },
          }),
    ),
  )

/** They have again what they inherit. */
export const takeRoleBack = (spaceId: string, { kind, id }: Receiver): Promise<void> =>
  andRead(
    spaceId,
    dataOf(
      kind === 'users'
        ? api.DELETE('/spaces/{spaceId}/permissions/users/{userId}', {
            params: { path: { spaceId, userId: id } },
          })
        : api.DELETE('/spaces/{spaceId}/permissions/teams/{teamId}', {
            params: { path: { spaceId, teamId: id } },
          }),
    ),
  )

/** The first of them by name; the API lists at most as many at once. */
export const teamsToChoose = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'teams-to-choose'],
    queryFn: async ({ signal }) => {
      const { items } = await dataOf(
        api.GET('/orgs/{organizationId}/teams', {
          params: { path: { organizationId }, query: { limit: EVERYTHING } },
          signal,
        }),
      )
      return items
    },
  })
