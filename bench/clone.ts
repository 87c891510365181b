// What does a clone of a space cost beside one of the repository that it came from?
//
//   node bench/clone.ts [--pages 1000]
//
// A repository of so many pages is imported by the running server. Each round begins without the commits of the space:
// the first clone makes them, the second finds them, and a fetch brings one page that was edited. Beside each the same
// repository is cloned from a git host. On the embedded database unless DATABASE_URL says otherwise. Medians of
// alternating rounds.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { git, startHostWith, startServerWith } from './git.ts'
import { DATABASE, median, report, round, temporaryFolder, timeMs } from './measure.ts'

const { values } = parseArgs({ options: { pages: { type: 'string', default: '1000' } } })
const PAGES = Number(values.pages)
const PAGE_BYTES = 4_000
const ROUNDS = 7

const folder = temporaryFolder()
const { host, url } = await startHostWith(folder, PAGES, PAGE_BYTES)

let clones = 0
async function cloneMs(from: string): Promise<number> {
  const into = join(folder, `clone-${++clones}`)
  const ms = await timeMs(() => git('clone', '--quiet', from, into))
  rmSync(into, { recursive: true })
  return ms
}

const { server, space } = await startServerWith(url)
const { call } = server
const { id: page } = await call('GET', `${space}/content/path/part-3/page-80`)

const remote = new URL(`/git${space.replace('/spaces', '')}.git`, server.url)
remote.username = server.token
const kept = join(folder, 'kept')
const times = { first: [] as number[], second: [] as number[], fetch: [] as number[], peer: [] as number[] }
await git('clone', '--quiet', remote.href, kept)
for (let index = 0; index < ROUNDS; index++) {
  rmSync(join(server.home, 'remotes'), { recursive: true })
  times.peer.push(await cloneMs(url))
  times.first.push(await cloneMs(remote.href))
  times.second.push(await cloneMs(remote.href))
  await call('POST', `${space}/content`, {
    changes: [{ operation: 'update_page', page, document: { markdown: `# Page 80\n\nRound ${index}.\n` } }],
  })
  times.fetch.push(await timeMs(() => git('-C', kept, 'fetch', '--quiet')))
}
await server.stop()
host.stop()
const peer = median(times.peer)
report('clone', {
  database: DATABASE,
  pages: PAGES,
  gitCloneMs: round(peer),
  firstCloneMs: round(median(times.first)),
  firstRatio: round(median(times.first) / peer),
  secondCloneMs: round(median(times.second)),
  secondRatio: round(median(times.second) / peer),
  fetchOnePageMs: round(median(times.fetch)),
})
