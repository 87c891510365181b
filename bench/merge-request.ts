// How long does it take to merge a change request that changes every page of a large space, and who waits meanwhile?
//
//   node bench/merge-request.ts [--pages 10000]
//
// Each change request changes a paragraph of every page, by requests of 50 changes. `mergeMs` is the request to merge it
// once its documents are prepared; `movedMs` the same where the space has moved since, so that both sides are merged;
// `unpreparedMs` the merge right behind the last edit. `pageMs` is a page of another space meanwhile. `gitMs` is `git
// merge` of the same changes without a work tree, where both sides have moved. On the embedded database unless
// DATABASE_URL says otherwise.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { git } from './git.ts'
import { DATABASE, report, round, temporaryFolder, timeMs } from './measure.ts'
import { proseOf, writeFile, writeProject } from './prose.ts'
import { readBeside, type Spread } from './read-beside.ts'
import { startServer } from './server.ts'

const { values } = parseArgs({ options: { pages: { type: 'string', default: '10000' } } })
const PAGES = Number(values.pages)
const PAGE_BYTES = 2000
const CHANGES_MAX = 50
// The job that prepares documents waits for edits to end, and takes a few seconds for 10,000 pages.
const PREPARED_MS = 30_000

type Page = { readonly id: string; readonly pages?: readonly Page[] }
const idsOf = (pages: readonly Page[]): string[] =>
  pages.flatMap(page => [page.id, ...idsOf(page.pages ?? [])])

const folder = temporaryFolder()
const project = join(folder, 'project')
writeProject(project, PAGES, PAGE_BYTES)
const server = await startServer()
const { call } = server
const space = await server.importFolder(project)
const ids = idsOf((await call('GET', `${space}/content/pages`)).pages)
const [other] = (await call('GET', `${server.organization}/spaces`)).items
const read = `/spaces/${other.id}/content/pages`

const changedText = (index: number, round: number) =>
  `${proseOf(index, PAGE_BYTES)}\nA paragraph of round ${round}.\n`

async function changeEveryPage(round: number): Promise<string> {
  const { id } = await call('POST', `${space}/change-requests`)
  const path = `${space}/change-requests/${id}`
  const changes = ids.map((page, index) => ({
    operation: 'update_page',
    page,
    document: { markdown: changedText(index, round) },
  }))
  for (let from = 0; from < changes.length; from += CHANGES_MAX)
    await call('POST', `${path}/content?compat=false`, { changes: changes.slice(from, from + CHANGES_MAX) })
  return path
}

const waits: Spread[] = []
async function merge(path: string): Promise<number> {
  let ms = 0
  const work = async () => {
    ms = await timeMs(() => call('POST', `${path}/merge`))
  }
  waits.push((await readBeside(server, read, work())).pageMs)
  return round(ms)
}
const prepared = () => new Promise(resolve => setTimeout(resolve, PREPARED_MS))

const first = await changeEveryPage(1)
await prepared()
const mergeMs = await merge(first)

const second = await changeEveryPage(2)
const insert = { operation: 'insert_page', slug: 'moved', document: { markdown: '# Moved\n' } }
await call('POST', `${space}/content`, { changes: [insert] })
await prepared()
const movedMs = await merge(second)

const unpreparedMs = await merge(await changeEveryPage(3))
await server.stop()

const repository = (...args: string[]) => git('-C', project, ...args)
async function commitEveryPage(round: number): Promise<void> {
  for (let page = 1; page < PAGES; page++) {
    const group = Math.floor((page - 1) / 25)
    const file = (page - 1) % 25 === 0 ? `part-${group}/README.md` : `part-${group}/page-${page}.md`
    writeFile(join(project, file), changedText(page, round))
  }
  await repository('commit', '--quiet', '--all', '--message', `Round ${round}`)
}
await repository('init', '--quiet', '--initial-branch', 'main')
await repository('add', '--all')
await repository('commit', '--quiet', '--message', 'Start')
await repository('checkout', '--quiet', '-b', 'side')
await commitEveryPage(1)
await repository('checkout', '--quiet', 'main')
writeFile(join(project, 'moved.md'), '# Moved\n')
await repository('add', '--all')
await repository('commit', '--quiet', '--message', 'Moved')
await repository('repack', '-adq')
const gitMs = round(await timeMs(() => repository('merge-tree', '--write-tree', 'main', 'side')))

report('merge-request', {
  ...{ database: DATABASE, pages: ids.length, mergeMs, movedMs, unpreparedMs, gitMs },
  pageMs: waits,
})
