// What does an import cost beside the git commands that fetch the same bytes?
//
//   node bench/import.ts [folder]        by default the largest corpus, ../shared/corpus/beefree-sdk-docs
//
// A fresh space each round, beside `git clone --depth 1` of the same repository from the same host; then one page
// changes, and the second import stands beside `git fetch` into that clone. On the embedded database unless
// DATABASE_URL says otherwise. Rounds alternate, medians are compared.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { createUser } from '../src/api/accounts/actions.ts'
import { importRepository } from '../src/api/git-sync/import.ts'
import { beginOrganization } from '../src/api/organizations/actions.ts'
import { beginSpace } from '../src/api/spaces/actions.ts'
import { newId } from '../src/base/ids.ts'
import { openRuntime } from '../src/cli/runtime.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLog } from '../src/platform/log.ts'
import { changesOfFolder, createRepository } from '../test/support/repositories.ts'
import { median, print, ROOT, round, temporaryFolder, timeMs } from './measure.ts'

const ROUNDS = 7
const source = resolve(process.argv[2] ?? join(ROOT, '../shared/corpus/beefree-sdk-docs'))

const folder = temporaryFolder()
const repository = await createRepository(folder)
await repository.commit({ changes: changesOfFolder(source, ['ATTRIBUTION.md']) })
const host = spawn(process.execPath, [join(import.meta.dirname, 'git-host.ts'), folder], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(host.stdout.setEncoding('utf8'), 'data')
const url = `${String(line).trim()}/${repository.name}`

const config = readConfig({
  ...process.env,
  OCTAVO_HOME: join(folder, 'home'),
  OCTAVO_LOG_LEVEL: 'error',
  OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
})
const runtime = await openRuntime(config, createLog('error'))
const { services } = runtime
const { adminId, organizationId } = await services.transaction(async trx => {
  const admin = await createUser(trx, `bench-${newId()}@localhost`)
  const organization = await beginOrganization(trx, services.events, admin.id, { title: 'Bench' })
  return { adminId: admin.id, organizationId: organization.id }
})

const git = promisify(execFile)
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
const times = { clone: [] as number[], first: [] as number[], fetch: [] as number[], second: [] as number[] }
let pages = 0
for (let index = 0; index < ROUNDS; index++) {
  const clone = join(folder, `clone-${index}`)
  times.clone.push(await timeMs(() => git('git', ['clone', '--quiet', '--depth', '1', url, clone], { env })))
  const space = await services.transaction(trx =>
    beginSpace(trx, services, adminId, organizationId, { title: 'Bench' }),
  )
  const importOnce = async () => {
    const outcome = await importRepository(services, {
      spaceId: space.id,
      url,
      ref: 'refs/heads/main',
      createdBy: adminId,
    })
    pages = outcome.pages
  }
  // Every round is another text, so that none finds the documents of the one before.
  await repository.commit({
    changes: [...changesOfFolder(source, ['ATTRIBUTION.md'])].map(change => vary(change, index)),
  })
  times.first.push(await timeMs(importOnce))
  await git('git', ['-C', clone, 'fetch', '--quiet', '--depth', '1', 'origin', 'main'], { env })
  await repository.commit({
    changes: [{ path: 'README.md', content: `# Start\n\nRound ${index}, changed.\n` }],
  })
  times.fetch.push(
    await timeMs(() =>
      git('git', ['-C', clone, 'fetch', '--quiet', '--depth', '1', 'origin', 'main'], { env }),
    ),
  )
  times.second.push(await timeMs(importOnce))
}
await runtime.close()
host.kill()

print({
  bench: 'import',
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  pages,
  cloneMs: round(median(times.clone)),
  firstImportMs: round(median(times.first)),
  firstRatio: round(median(times.first) / median(times.clone)),
  pagesPerSecond: round(pages / (median(times.first) / 1000)),
  fetchMs: round(median(times.fetch)),
  secondImportMs: round(median(times.second)),
  secondRatio: round(median(times.second) / median(times.fetch)),
})

type Change = ReturnType<typeof changesOfFolder> extends Generator<infer C> ? C : never

/** A page with a last line of its own; everything else as it is. */
function vary(change: Change, index: number): Change {
  if (
    !('content' in change) ||
    !String(change.path).endsWith('.md') ||
    String(change.path).endsWith('SUMMARY.md')
  )
    return change
  return { ...change, content: `${Buffer.from(change.content).toString('utf8')}\nRound ${index}.\n` }
}
