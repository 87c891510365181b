// Git beside the server: its command, a host of repositories in a process of its own, and operations of spaces with it.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { changesOfFolder, createRepository } from '../test/support/repositories.ts'
import { writeProject } from './prose.ts'
import { type BenchServer, startServer } from './server.ts'

const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
}

export const git = (...args: string[]) =>
  promisify(execFile)('git', args, { env: ENVIRONMENT, maxBuffer: 64 * 1024 * 1024 })

/** Serves the bare repositories of a folder, each at its name below `url`. */
export async function startGitHost(folder: string): Promise<{ readonly url: string; stop(): void }> {
  const host = spawn(process.execPath, [join(import.meta.dirname, 'git-host.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.on('exit', () => host.kill())
  const [line] = await once(host.stdout.setEncoding('utf8'), 'data')
  return { url: String(line).trim(), stop: () => void host.kill() }
}

/** A host with a repository of so many pages, and its address. */
export async function startHostWith(folder: string, pages: number, pageBytes: number) {
  writeProject(join(folder, 'project'), pages, pageBytes)
  const repository = await createRepository(folder)
  await repository.commit({ changes: changesOfFolder(join(folder, 'project')) })
  const host = await startGitHost(folder)
  return { repository, host, url: `${host.url}/${repository.name}` }
}

/** A server, and the path of a space that it has imported from `url`. */
export async function startServerWith(url: string): Promise<{ server: BenchServer; space: string }> {
  const server = await startServer({ OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
  const { id } = await server.call('POST', `${server.organization}/spaces`, { title: 'Bench' })
  const space = `/spaces/${id}`
  await exchange(server, space, 'import', { url })
  return { server, space }
}

/** Imports or exports a space, until that is done. */
export async function exchange(
  { send, call }: BenchServer,
  space: string,
  what: 'import' | 'export',
  body: { readonly url: string; readonly commitMessage?: string },
): Promise<void> {
  const answer = await send('POST', `${space}/git/${what}`, { ref: 'refs/heads/main', ...body })
  const location = new URL(answer.headers.get('location') ?? '').pathname.slice('/v1'.length)
  for (;;) {
    const { state, error } = await call('GET', location)
    if (state === 'success') return
    if (state === 'failure') throw new Error(error)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
