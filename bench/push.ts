// What does a push cost beside the same push to a git host, and does anybody wait meanwhile?
//
//   node bench/push.ts [--pages 10000] [--revisions 2000]
//
// A space that is empty is cloned; so many pages are pushed to a new branch of it, then one page that is edited, each
// beside a push to a git host. A reader asks for a page of another space again and again meanwhile. Then a space gets
// so many revisions of 100 pages: `historyFirstMs` is the first clone of it, `historyFetchMs` a fetch after one more
// revision, `historyAnewMs` a clone after the commits were lost. On the embedded database unless DATABASE_URL says
// otherwise.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRepository } from '../test/support/repositories.ts'
import { git, startGitHost } from './git.ts'
import { DATABASE, report, round, temporaryFolder, timeMs } from './measure.ts'
import { writeProject } from './prose.ts'
import { readBeside } from './read-beside.ts'
import { startServer } from './server.ts'

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '10000' }, revisions: { type: 'string', default: '2000' } },
})
const [PAGES, REVISIONS] = [Number(values.pages), Number(values.revisions)]
const PAGE_BYTES = 4_000

const folder = temporaryFolder()
const { name } = await createRepository(folder)
const host = await startGitHost(folder)
const peer = `${host.url}/${name}`

const server = await startServer()
const { call, organization } = server
const [first] = (await call('GET', `${organization}/spaces`)).items
const page = `/spaces/${first.id}/content/pages`
const newSpace = async (title: string) => {
  const space = await call('POST', `${organization}/spaces`, { title })
  const url = new URL(`/git/${space.id}.git`, server.url)
  url.username = server.token
  return { at: `/spaces/${space.id}`, url: url.href }
}

const pushed = await newSpace('Pushed')
const work = join(folder, 'work')
await git('clone', '--quiet', pushed.url, work)
await git('-C', work, 'switch', '--quiet', '-c', 'all')
writeProject(work, PAGES, PAGE_BYTES)
const commit = async (message: string) => {
  await git('-C', work, 'add', '-A')
  await git('-C', work, 'commit', '--quiet', '-m', message)
}
await commit('Everything')
const push = (to: string) => timeMs(() => git('-C', work, 'push', '--quiet', to, 'all'))
const peerAllMs = await push(peer)
const all = await readBeside(server, page, push(pushed.url))
writeFileSync(join(work, 'part-0', 'page-2.md'), '# Page 2\n\nEdited.\n')
await commit('One page')
const peerOneMs = await push(peer)
const one = await readBeside(server, page, push(pushed.url))

const long = await newSpace('Long')
for (let at = 0; at < 2; at++)
  await call('POST', `${long.at}/content`, {
    changes: Array.from({ length: 50 }, (_, n) => ({
      ...{
        operation: 'insert_page',
        title: `Page ${at} ${n}`,
        document: { markdown: `# Page ${at} ${n}\n` },
      },
    })),
  })
const { pages } = await call('GET', `${long.at}/content/pages`)
const edit = (at: number) =>
  call('POST', `${long.at}/content`, {
    changes: [
      {
        operation: 'update_page',
        page: pages[at % pages.length].id,
        document: { markdown: `# Page ${at % pages.length}\n\nRevision ${at}.\n` },
      },
    ],
  })
for (let at = 0; at < REVISIONS; at++) await edit(at)
const clone = (into: string) => timeMs(() => git('clone', '--quiet', long.url, join(folder, into)))
const history = await readBeside(server, page, clone('first'))
await edit(REVISIONS)
const historyFetchMs = await timeMs(() => git('-C', join(folder, 'first'), 'fetch', '--quiet'))
rmSync(join(server.home, 'remotes'), { recursive: true })
const historyAnewMs = await clone('anew')
await server.stop()
host.stop()
report('push', {
  database: DATABASE,
  ...{ pages: PAGES, revisions: REVISIONS },
  allMs: round(all.result),
  allPeerMs: round(peerAllMs),
  readerMs: all.pageMs,
  oneMs: round(one.result),
  onePeerMs: round(peerOneMs),
  historyFirstMs: round(history.result),
  historyReaderMs: history.pageMs,
  historyFetchMs: round(historyFetchMs),
  historyAnewMs: round(historyAnewMs),
})
