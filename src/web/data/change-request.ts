// One change request: what its screen reads beside its row, and what can be done with it.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import type { ChangeRequest } from './change-requests.ts'
import { api, dataOf, isStatus, type Model } from './client.ts'
import type { Space } from './spaces.ts'

export type Mergeability = Model<'ChangeRequestMergeability'>
export type Review = Model<'ChangeRequestReview'>
export type RequestedReviewer = Model<'ChangeRequestRequestedReviewer'>
export type Change = Model<'RevisionSemanticChange'>

/** A change request by its number in the space, as addresses name it, or by its id. */
export type Place = { readonly spaceId: string; readonly changeRequestId: string }

const EVERYTHING = 1000

/** Of everything that is read of a change request. */
export const keyOf = ({ spaceId, changeRequestId }: Place, ...rest: readonly unknown[]) => [
  'space',
  spaceId,
  'change-request',
  changeRequestId,
  ...rest,
]
const at = ({ spaceId, changeRequestId }: Place) => ({ params: { path: { spaceId, changeRequestId } } })

export const liveChangeRequest = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}', { ...at(place), signal })),
  })

/** Of the content as it is: another revision of either side is another question. */
export const mergeability = (place: Place, { revision, updatedAt, outdated, status }: ChangeRequest) =>
  queryOptions({
    queryKey: keyOf(place, 'mergeability', { revision, updatedAt, outdated, status }),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/mergeability', { ...at(place), signal }),
      ),
  })

/** The reviews that count. */
export const currentReviews = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'reviews'),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/reviews', {
          params: { ...at(place).params, query: { outdated: false, limit: EVERYTHING } },
          signal,
        }),
      ),
  })

export const requestedReviewers = (place: Place) =>
  queryOptions({
    queryKey: keyOf(place, 'requested-reviewers'),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers', {
          params: { ...at(place).params, query: { limit: EVERYTHING } },
          signal,
        }),
      ),
  })

/** What it proposes, against what it started from. */
export const changesOf = (place: Place, revision: string) =>
  queryOptions({
    queryKey: keyOf(place, 'changes', revision),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/changes', {
          params: { ...at(place).params, query: { limit: EVERYTHING, metadata: false } },
          signal,
        }),
      ),
  })

/** What a revision of the space did. */
export const changesOfRevision = (spaceId: string, revisionId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'revision', revisionId, 'changes'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/revisions/{revisionId}/changes', {
          params: { path: { spaceId, revisionId }, query: { limit: EVERYTHING, metadata: false } },
          signal,
        }),
      ),
  })

/** A page as readers would see it after the merge. */
export const proposedPageHtml = ({ spaceId, changeRequestId }: Place, revision: string, pageId: string) =>
  queryOptions({
    queryKey: keyOf({ spaceId, changeRequestId }, 'page-html', revision, pageId),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html', {
          params: { path: { spaceId, changeRequestId, pageId } },
          signal,
        }),
      ),
  })

/** What is written, and the version of the change request that says so. */
export type Written = { readonly markdown: string; readonly updatedAt: string }

async function readDescription(place: Place, signal?: AbortSignal): Promise<Written> {
  const { descriptionMarkdown = '', updatedAt } = await dataOf(
    api.GET('/spaces/{spaceId}/change-requests/{changeRequestId}', {
      params: { ...at(place).params, query: { format: 'markdown' } },
      signal,
    }),
  )
  return { markdown: descriptionMarkdown, updatedAt }
}

/** The description as it is written, and as it is shown. */
export const descriptionOf = (place: Place, updatedAt: string) =>
  queryOptions({
    queryKey: keyOf(place, 'description', updatedAt),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const written = await readDescription(place, signal)
      const { markdown } = written
      if (markdown.trim() === '') return { ...written, html: '' }
      const { html } = await dataOf(
        api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/content/preview', {
          ...at(place),
          body: { markdown },
          signal,
        }),
      )
      return { ...written, html: [html].flat().join('') }
    },
  })

/** Anyone who may review in the space, and the teams of its organization, as far as the person sees them. */
export const possibleReviewers = ({ id, organization }: Space) =>
  queryOptions({
    queryKey: ['space', id, 'possible-reviewers'],
    queryFn: async ({ signal }) => {
      const [people, teams] = await Promise.all([
        dataOf(
          api.GET('/spaces/{spaceId}/permissions/aggregate', {
            params: { path: { spaceId: id }, query: { limit: EVERYTHING } },
            signal,
          }),
        ),
        dataOf(
          api.GET('/orgs/{organizationId}/teams', {
            params: { path: { organizationId: organization }, query: { limit: EVERYTHING } },
            signal,
          }),
        ).catch(orNone),
      ])
      const users = people.items.flatMap(({ permission, user }) =>
        permission !== null && REVIEWING.includes(permission) ? [user] : [],
      )
      return { users, teams: teams.items.filter(({ members }) => members > 0) }
    },
  })

/** Guests see no teams. */
function orNone(error: unknown): { items: Model<'Team'>[] } {
  if (isStatus(error, 403)) return { items: [] }
  throw error
}

const REVIEWING: readonly string[] = ['review', 'create', 'admin']

/** Everything that shows the space or its change requests is read again. */
export const refreshSpace = (spaceId: string): Promise<unknown> =>
  Promise.all([
    cache.invalidateQueries({ queryKey: ['space', spaceId] }),
    cache.invalidateQueries({ queryKey: ['organization'] }),
    cache.invalidateQueries({ queryKey: ['spaces'] }),
  ])

/** Whether it was written or refused, the screen shows afterwards what is so. */
async function write<Answer>(spaceId: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer
  } finally {
    await refreshSpace(spaceId)
  }
}

export type Words = {
  readonly subject?: string
  readonly status?: 'draft' | 'open' | 'archived'
}

export const changeChangeRequest = (place: Place, body: Words) =>
  write(
    place.spaceId,
    dataOf(api.PATCH('/spaces/{spaceId}/change-requests/{changeRequestId}', { ...at(place), body })),
  )

/** Replaces the description that was read, and no other: fails with 412 if somebody has written another since. */
export const changeDescription = (place: Place, read: Written, markdown: string) =>
  write(place.spaceId, replaceDescription(place, read, markdown))

async function replaceDescription(place: Place, read: Written, markdown: string): Promise<ChangeRequest> {
  try {
    return await dataOf(
      api.PATCH('/spaces/{spaceId}/change-requests/{changeRequestId}', {
        params: { ...at(place).params, header: { 'If-Match': `"${read.updatedAt}"` } },
        body: { description: { markdown } },
      }),
    )
  } catch (error) {
    if (!isStatus(error, 412)) throw error
    const now = await readDescription(place)
    if (now.markdown !== read.markdown) throw error
    // Something else of it has changed.
    return replaceDescription(place, now, markdown)
  }
}

export type Reviewers = { readonly users: string[]; readonly teams: string[] }

export const requestReview = (place: Place, body: Reviewers) =>
  write(
    place.spaceId,
    dataOf(
      api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers', {
        ...at(place),
        body,
      }),
    ),
  )

export const withdrawRequest = ({ spaceId, changeRequestId }: Place, request: RequestedReviewer) => {
  const path = { spaceId, changeRequestId }
  return write(
    spaceId,
    dataOf(
      request.kind === 'user'
        ? api.DELETE('/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/{userId}', {
            params: { path: { ...path, userId: request.user.id } },
          })
        : api.DELETE(
            '/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers/teams/{teamId}',
            { params: { path: { ...path, teamId: request.team.id } } },
          ),
    ),
  )
}

/** With the same `key` it is given once. */
export const submitReview = (place: Place, status: Review['status'], markdown: string, key: string) =>
  write(
    place.spaceId,
    dataOf(
      api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/reviews', {
        params: { ...at(place).params, header: { 'Idempotency-Key': key } },
        body: { status, ...(markdown.trim() === '' ? {} : { comment: { markdown } }) },
      }),
    ),
  )

/** With conflicts nothing is written. */
export const merge = (place: Place) =>
  write(
    place.spaceId,
    dataOf(api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/merge', at(place))),
  )

export const updateFromSpace = (place: Place) =>
  write(
    place.spaceId,
    dataOf(api.POST('/spaces/{spaceId}/change-requests/{changeRequestId}/update', at(place))),
  )

/** Undoes what a revision of the space did; later ones stay. */
export const rollBack = (spaceId: string, revisionId: string) =>
  write(
    spaceId,
    dataOf(
      api.POST('/spaces/{spaceId}/revisions/{revisionId}/rollback', {
        params: { path: { spaceId, revisionId } },
      }),
    ),
  )

/** What would happen; writes nothing. */
export const tryRollBack = (spaceId: string, revisionId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'revision', revisionId, 'rollback'],
    gcTime: 0,
    queryFn: () =>
      dataOf(
        api.POST('/spaces/{spaceId}/revisions/{revisionId}/rollback', {
          params: { path: { spaceId, revisionId }, query: { dryRun: true } },
        }),
      ),
  })
