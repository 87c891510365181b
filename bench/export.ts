// What does an export of one changed page cost beside the same change with git?
//
//   node bench/export.ts [--pages 1000]
//
// A repository of so many pages is imported by the running server; each round one page is edited over the API and
// exported, and, in a clone beside it, the same page is changed with `git commit` and `git push`. Both push to the same
// host, to branches of their own. On the embedded database unless DATABASE_URL says otherwise. Medians of alternating
// rounds.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exchange, git, startHostWith, startServerWith } from './git.ts'
import { DATABASE, median, report, round, temporaryFolder, timeMs } from './measure.ts'

const { values } = parseArgs({ options: { pages: { type: 'string', default: '1000' } } })
const PAGES = Number(values.pages)
const PAGE_BYTES = 4_000
const ROUNDS = 11
const FILE = 'part-3/page-80.md'

const folder = temporaryFolder()
const { repository, host, url } = await startHostWith(folder, PAGES, PAGE_BYTES)

const clone = join(folder, 'clone')
await git('clone', '--quiet', url, clone)
await git('-C', clone, 'checkout', '--quiet', '-b', 'peer')

const { server, space } = await startServerWith(url)
const { call } = server
const { id: page } = await call('GET', `${space}/content/path/part-3/page-80`)

const times = { exported: [] as number[], pushed: [] as number[] }
for (let index = 0; index < ROUNDS; index++) {
  await call('POST', `${space}/content`, {
    changes: [{ operation: 'update_page', page, document: { markdown: `# Page 80\n\nRound ${index}.\n` } }],
  })
  times.exported.push(
    await timeMs(() => exchange(server, space, 'export', { url, commitMessage: `Round ${index}` })),
  )
  appendFileSync(join(clone, FILE), `\nRound ${index}.\n`)
  times.pushed.push(
    await timeMs(async () => {
      await git('-C', clone, 'commit', '-qam', `Round ${index}`)
      await git('-C', clone, 'push', '--quiet', 'origin', 'peer')
    }),
  )
}
const commits = Number((await repository.git(['rev-list', '--count', 'main'])).toString())
if (commits !== ROUNDS + 1) throw new Error(`${commits} commits instead of ${ROUNDS + 1}`)
await server.stop()
host.stop()
report('export', {
  database: DATABASE,
  pages: PAGES,
  exportMs: round(median(times.exported)),
  commitAndPushMs: round(median(times.pushed)),
  ratio: round(median(times.exported) / median(times.pushed)),
})
