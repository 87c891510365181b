// What does an export of one changed page cost beside the same change with git?
//
//   node bench/export.ts [--pages 1000]
//
// A repository of so many pages is imported by the running server; each round one page is edited over the API and
// exported, and, in a clone beside it, the same page is changed with `git commit` and `git push`. Both push to the same
// host, to branches of their own. On the embedded database unless DATABASE_URL says otherwise. Medians of alternating
// rounds.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { changesOfFolder, createRepository } from '../test/support/repositories.ts'
import { apiOf } from './api.ts'
import { median, print, round, startServer, temporaryFolder, timeMs, writeProject } from './measure.ts'

const { values } = parseArgs({ options: { pages: { type: 'string', default: '1000' } } })
const PAGES = Number(values.pages)
const PAGE_BYTES = 4_000
const ROUNDS = 11
const FILE = 'part-3/page-80.md'

const folder = temporaryFolder()
writeProject(join(folder, 'project'), PAGES, PAGE_BYTES)
const repository = await createRepository(folder)
await repository.commit({ changes: changesOfFolder(join(folder, 'project')) })
const host = spawn(process.execPath, [join(import.meta.dirname, 'git-host.ts'), folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(host.stdout.setEncoding('utf8'), 'data')
const url = `${String(line).trim()}/${repository.name}`

const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
const clone = join(folder, 'clone')
const git = (...args: string[]) => promisify(execFile)('git', args, { env })
await git('clone', '--quiet', url, clone)
await git('-C', clone, 'checkout', '--quiet', '-b', 'peer')

const server = await startServer(join(folder, 'home'), { OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
const { call, send } = apiOf(server)
const { items } = await call('GET', '/orgs')
const space = await call('POST', `/orgs/${items[0].id}/spaces`, { title: 'Bench' })
const at = `/spaces/${space.id}`
await carriedOut('import', {})
const { id: page } = await call('GET', `${at}/content/path/part-3/page-80`)

const times = { exported: [] as number[], pushed: [] as number[] }
for (let index = 0; index < ROUNDS; index++) {
  await call('POST', `${at}/content`, {
    changes: [{ operation: 'update_page', page, document: { markdown: `# Page 80\n\nRound ${index}.\n` } }],
  })
  times.exported.push(await timeMs(() => carriedOut('export', { commitMessage: `Round ${index}` })))
  appendFileSync(join(clone, FILE), `\nRound ${index}.\n`)
  times.pushed.push(
    await timeMs(async () => {
      await git(
        '-C',
        clone,
        '-c',
        'user.name=B',
        '-c',
        'user.email=b@b.test',
        'commit',
        '-qam',
        `Round ${index}`,
      )
      await git('-C', clone, 'push', '--quiet', 'origin', 'peer')
    }),
  )
}
const commits = Number((await repository.git(['rev-list', '--count', 'main'])).toString())
if (commits !== ROUNDS + 1) throw new Error(`${commits} commits instead of ${ROUNDS + 1}`)
await server.stop()
host.kill()
print({
  bench: 'export',
  database: process.env.DATABASE_URL === undefined ? 'embedded' : 'postgres',
  pages: PAGES,
  exportMs: round(median(times.exported)),
  commitAndPushMs: round(median(times.pushed)),
  ratio: round(median(times.exported) / median(times.pushed)),
})

/** Until the operation is over. */
async function carriedOut(what: 'import' | 'export', body: object): Promise<void> {
  const answer = await send('POST', `${at}/git/${what}`, { url, ref: 'refs/heads/main', ...body })
  const location = new URL(answer.headers.get('location') ?? '').pathname.slice('/v1'.length)
  for (;;) {
    const { state, error } = await call('GET', location)
    if (state === 'success') return
    if (state === 'failure') throw new Error(error)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
