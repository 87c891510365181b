// Teams of an organization, and who is in them.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf, type Model } from './client.ts'

export type Team = Model<'Team'>
export type TeamRole = Model<'TeamMember'>['role']

const PAGE_ITEMS = 100
const EVERYTHING = 1000

export const teamsOf = (organizationId: string, title: string) =>
  infiniteQueryOptions({
    queryKey: ['organization', organizationId, 'teams', title],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/teams', {
          params: {
            path: { organizationId },
            query: { limit: PAGE_ITEMS, page: pageParam, ...(title === '' ? {} : { title }) },
          },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

export type TeamPlace = { readonly organizationId: string; readonly teamId: string }

export const membersOfTeam = ({ organizationId, teamId }: TeamPlace) =>
  infiniteQueryOptions({
    queryKey: ['organization', organizationId, 'team', teamId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/orgs/{organizationId}/teams/{teamId}/members', {
          params: { path: { organizationId, teamId }, query: { limit: PAGE_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
  })

/** The ids of the teams that this person is an owner of. */
export const ownedTeams = (organizationId: string, userId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'owned-teams', userId],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const { items } = await dataOf(
        api.GET('/orgs/{organizationId}/members/{userId}/teams', {
          params: { path: { organizationId, userId }, query: { limit: EVERYTHING } },
          signal,
        }),
      )
      return items.filter(({ member }) => member.role === 'owner').map(({ team }) => team.id)
    },
  })

async function andRead<Answer>(organizationId: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } finally {
    await cache.invalidateQueries({ queryKey: ['organization', organizationId] })
  }
}

export const createTeam = (organizationId: string, title: string): Promise<Team> =>
  andRead(
    organizationId,
    dataOf(
      api.PUT('/orgs/{organizationId}/teams', { params: { path: { organizationId } }, body: { title } }),
    ),
  )

export const renameTeam = (path: TeamPlace, title: string): Promise<Team> =>
  andRead(
    path.organizationId,
    dataOf(api.PATCH('/orgs/{organizationId}/teams/{teamId}', { params: { path }, body: { title } })),
  )

export const deleteTeam = (path: TeamPlace): Promise<unknown> =>
  andRead(
    path.organizationId,
    dataOf(api.DELETE('/orgs/{organizationId}/teams/{teamId}', { params: { path } })),
  )

/** Adds them if they are not in the team. */
export const putInTeam = (place: TeamPlace, userId: string, role: TeamRole): Promise<unknown> =>
  andRead(
    place.organizationId,
    dataOf(
      api.PUT('/orgs/{organizationId}/teams/{teamId}/members/{userId}', {
        params: { path: { ...place, userId } },
        body: { role },
      }),
    ),
  )

export const takeOutOfTeam = (place: TeamPlace, userId: string): Promise<unknown> =>
  andRead(
    place.organizationId,
    dataOf(
      api.DELETE('/orgs/{organizationId}/teams/{teamId}/members/{userId}', {
        params: { path: { ...place, userId } },
      }),
    ),
  )
