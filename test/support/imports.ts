// A world with a git host: repositories on a real server with a password, and imports that are waited for.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryAddress, repositoryName } from '../../src/api/git-sync/request.ts'
import { parseRemote } from '../../src/platform/git/remote.ts'
import { type GitServer, startGitServer } from './git-server.ts'
import { whenDone } from './lane.ts'
import { type Change, createRepository, type TestRepository } from './repositories.ts'
import { type Call, type Reply, type World, world } from './world.ts'

export const PASSWORD = 'p@ss/word 100%'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire should have
export type Json = any

/** A space, and the repository that it was imported from. */
export type Connected = { readonly space: { readonly id: string }; readonly repository: TestRepository }

export type ImportWorld = World & {
  readonly host: GitServer
  readonly root: string
  /** A new one with these commits, or an empty one. */
  repository(...commits: Iterable<Change>[]): Promise<TestRepository>
  /** `POST git/import` of the branch main, then the operation once it is over. */
  import(space: { id: string }, repository: TestRepository, body?: object, call?: Call): Promise<Json>
  /** `POST git/export` to the branch main, then the operation once it is over. */
  export(space: { id: string }, repository: TestRepository, body?: object, call?: Call): Promise<Json>
  /** A space and a repository that have the same as these, connected like them: in a tenth of the time of an import. */
  copyOf(connected: Connected): Promise<Connected>
  operation(reply: Reply): Promise<Json>
  get(path: string): Promise<Json>
  /** The page tree, a line a page: type, path or target, title. */
  tree(space: { id: string }): Promise<string[]>
}

let hosting: Promise<{ host: GitServer; root: string }> | undefined

/** One git server for the files of a lane. */
function gitHost(): Promise<{ host: GitServer; root: string }> {
  hosting ??= (async () => {
    const root = mkdtempSync(join(tmpdir(), 'octavo-git-'))
    const host = await startGitServer({ root, user: 'ada', password: PASSWORD })
    whenDone(async () => {
      await host.close()
      rmSync(root, { recursive: true, force: true })
    })
    return { host, root }
  })()
  return hosting
}

let repositories = 0
const newName = () => `docs-${++repositories}.git`

export async function importWorld(): Promise<ImportWorld> {
  const { host, root } = await gitHost()
  const base = await world()
  const get: ImportWorld['get'] = async path => {
    const { status, body, text } = await base.call('GET', path)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`)
    return body
  }
  const operation: ImportWorld['operation'] = async reply => {
    if (reply.status !== 204) throw new Error(`the import was refused: ${reply.status} ${reply.text}`)
    await base.services.tasks.idle()
    return get(new URL(reply.headers.location as string).pathname.replace(/^\/v1/, ''))
  }
  return {
    ...base,
    host,
    root,
    get,
    operation,
    async repository(...commits) {
      const repository = await createRepository(root, newName())
      if (commits.length > 0) await repository.commits(commits.map(changes => ({ changes })))
      return repository
    },
    async copyOf({ space, repository }) {
      const copy = await repository.copy(newName())
      const { body } = await base.call('POST', `/spaces/${space.id}/duplicate`)
      const { db } = base.services
      const link = await db
        .selectFrom('git_links')
        .selectAll()
        .where('space_id', '=', space.id)
        .executeTakeFirstOrThrow()
      const to = {
        space_id: body.id,
        revision_id: body.revision,
        repo_name: repositoryName(parseRemote(host.urlOf(copy.name))),
      }
      await db
        .insertInto('git_links')
        .values({ ...link, ...to })
        .execute()
      const address = repositoryAddress(parseRemote(host.urlOf(copy.name)))
      const { ref, project_directory, commit_oid, event_at, revision_id } = { ...link, ...to }
      await db
        .insertInto('git_tips')
        .values({
          space_id: body.id,
          address,
          ref,
          project_directory,
          commit_oid,
          event_at,
          revision_id: revision_id!,
        })
        .execute()
      return { space: body, repository: copy }
    },
    async import(space, repository, body = {}, call = {}) {
      const url = host.urlOf(repository.name)
      return operation(
        await base.call('POST', `/spaces/${space.id}/git/import`, {
          body: { url, ref: 'refs/heads/main', ...body },
          ...call,
        }),
      )
    },
    async export(space, repository, body = {}, call = {}) {
      const url = host.urlOf(repository.name)
      return operation(
        await base.call('POST', `/spaces/${space.id}/git/export`, {
          body: { url, ref: 'refs/heads/main', commitMessage: 'From Octavo', ...body },
          ...call,
        }),
      )
    },
    async tree(space) {
      const { pages } = await get(`/spaces/${space.id}/content/pages`)
      const show = (items: Json[], indent: string): string[] =>
        items.flatMap(page => [
          `${indent}${page.type} ${page.path ?? page.href ?? JSON.stringify(page.target)} | ${page.title}`,
          ...show(page.pages ?? [], `${indent}  `),
        ])
      return show(pages, '')
    },
  }
}

/** Every page of a tree, parents first. */
export const flattenPages = (pages: readonly Json[]): Json[] =>
  pages.flatMap(page => [page, ...flattenPages(page.pages ?? [])])

export const file = (path: string, content: string | Uint8Array): Change => ({ path, content })
