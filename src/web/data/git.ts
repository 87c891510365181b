// Repositories as the workspace looks at them, imports them and keeps spaces in step with them.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { cache } from './cache.ts'
import { api, dataOf, isStatus, type Model } from './client.ts'
import { type TreePage, walkPages } from './pages.ts'

export type Probe = Model<'GitProbe'>
export type ProbeContent = NonNullable<Probe['content']>
export type Operation = Model<'GitSyncOperation'>
export type Problem = Model<'GitProblem'>
type Reason = NonNullable<Model<'Error'>['error']['reason']>

/** Why a repository could not be read: only screens of repositories meet it, and say it (`parts/git-words.ts`). */
export type GitReason = Extract<
  Reason,
  | `git_${string}`
  | `host_${string}`
  | `address_${string}`
  | `directory_${string}`
  | `project_directory_${string}`
  | 'markdown_missing'
  | 'too_many_files'
>

/** What is typed about a repository. The password is in memory only. */
export type Repository = {
  readonly url: string
  readonly username: string
  readonly password: string
}

const asked = ({ url, username, password }: Repository) => ({
  repositoryUrl: url,
  ...(password === '' ? {} : { credentials: { password, ...(username === '' ? {} : { username }) } }),
})

/** Nothing of it is kept longer than it is shown: it has the password in its key. */
const OF_THE_MOMENT = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, retry: false } as const

/** Its branches. */
export const probe = (organizationId: string, repository: Repository) =>
  queryOptions({
    queryKey: ['probe', organizationId, repository],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/orgs/{organizationId}/git/probe', {
          params: { path: { organizationId } },
          body: asked(repository),
          signal,
        }),
      ),
    ...OF_THE_MOMENT,
  })

/** What an import of a branch would make, of the directory `root` or of where the documentation seems to be. */
export const probeContent = (
  organizationId: string,
  repository: Repository,
  at: { readonly ref: string; readonly root: string | undefined },
) =>
  queryOptions({
    queryKey: ['probe', organizationId, repository, at],
    queryFn: async ({ signal }) => {
      const { ref, root } = at
      const { content } = await dataOf(
        api.POST('/orgs/{organizationId}/git/probe', {
          params: { path: { organizationId } },
          body: { ...asked(repository), ref, deep: true, ...(root === undefined ? {} : { root }) },
          signal,
        }),
      )
      return content ?? null
    },
    ...OF_THE_MOMENT,
  })

/** With user and password, as an import takes it. */
export function urlWithCredentials({ url, username, password }: Repository): string {
  const address = URL.parse(url)
  if (address === null || password === '') return url
  address.username = encodeURIComponent(username === '' ? 'git' : username)
  address.password = encodeURIComponent(password)
  return address.href
}

/** Answers the id of the operation. With the same `key` it is begun once. */
export async function startImport(
  spaceId: string,
  body: Model<'ImportGitRepository'>,
  key: string,
): Promise<string> {
  const answer = await api.POST('/spaces/{spaceId}/git/import', {
    params: { path: { spaceId }, header: { 'Idempotency-Key': key } },
    body,
  })
  await dataOf(Promise.resolve(answer))
  return answer.response.headers.get('location')?.split('/').at(-1) ?? ''
}

export type ExportCheck = Model<'GitExportCheck'>

/** What an export would write. */
export const checkExport = (
  spaceId: string,
  body: { url: string; ref: string; repoProjectDirectory: string; force: boolean },
): Promise<ExportCheck> =>
  dataOf(api.POST('/spaces/{spaceId}/git/export/check', { params: { path: { spaceId } }, body }))

/** With the same `key` it is begun once. */
export const startExport = (
  spaceId: string,
  body: Model<'ExportToGitRepository'>,
  key: string,
): Promise<unknown> =>
  dataOf<unknown>(
    api.POST('/spaces/{spaceId}/git/export', {
      params: { path: { spaceId }, header: { 'Idempotency-Key': key } },
      body,
    }),
  )

const RUNNING_MS = 1000

/** Read again each second while it runs: the stream tells only when it begins and ends. */
export const operation = (spaceId: string, operationId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'git', 'operation', operationId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/git/operations/{operationId}', {
          params: { path: { spaceId, operationId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? RUNNING_MS : false),
  })

type Kept = {
  readonly url: string
  readonly ref: string
  readonly repoProjectDirectory: string
  /** Whether changes of the space are written to the repository. */
  readonly push: boolean
  /** How often it is imported besides the calls of its host; null for these alone. */
  readonly pullEveryMinutes: number | null
}

export async function keepInSync(spaceId: string, body: Kept): Promise<Model<'GitSyncWithSecret'>> {
  const kept = await dataOf(api.PUT('/spaces/{spaceId}/git/sync', { params: { path: { spaceId } }, body }))
  await refreshGit(spaceId)
  return kept
}

const OPERATIONS_ITEMS = 20

/** Newest first. */
export const operationsOf = (spaceId: string) =>
  infiniteQueryOptions({
    queryKey: ['space', spaceId, 'git', 'operations'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/spaces/{spaceId}/git/operations', {
          params: { path: { spaceId }, query: { limit: OPERATIONS_ITEMS, page: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: last => last.next?.page,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.items.some(one => one.state === 'running') ? RUNNING_MS : false,
  })

/** Null for a space that is not kept in sync. */
export const syncOf = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId, 'git', 'sync'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/spaces/{spaceId}/git/sync', { params: { path: { spaceId } }, signal })).catch(
        error => {
          if (isStatus(error, 404)) return null
          throw error
        },
      ),
  })

export async function stopSync(spaceId: string): Promise<void> {
  await dataOf<unknown>(api.DELETE('/spaces/{spaceId}/git/sync', { params: { path: { spaceId } } }))
  await refreshGit(spaceId)
}

/** The space forgets its repository; what both have stays. */
export async function disconnect(spaceId: string): Promise<void> {
  await dataOf<unknown>(
    api.DELETE('/spaces/{spaceId}/git/legacy-installation', { params: { path: { spaceId } } }),
  )
  await cache.invalidateQueries({ queryKey: ['space', spaceId] })
}

export const refreshGit = (spaceId: string): Promise<void> =>
  cache.invalidateQueries({ queryKey: ['space', spaceId, 'git'] })

/** Finds the page of a problem: the one that it names, or for those that name none the one that has its file. */
export function pageFinder(pages: readonly TreePage[]): (problem: Problem) => TreePage | undefined {
  const all = [...walkPages(pages)].map(({ page }) => page)
  const byId = new Map(all.map(page => [page.id, page]))
  const byFile = new Map(all.flatMap(page => (page.git?.path === undefined ? [] : [[page.git.path, page]])))
  return ({ page, file = '' }) => (page === undefined ? byFile.get(file) : byId.get(page))
}
