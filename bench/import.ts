// What does an import cost beside the git commands that fetch the same bytes?
//
//   node bench/import.ts [folder]        by default the largest corpus, ../shared/corpus/beefree-sdk-docs
//
// The running server imports a repository into a fresh space each round, beside `git clone --depth 1` of it from the
// same host; then one page changes, and the second import is measured beside `git fetch` into that clone. Every
// measurement begins once the server has done what follows an import in the background. Beside the time that passes
// there is that of processors: of git itself, and of the server with its database and all that it starts. On the
// embedded database unless DATABASE_URL says otherwise. Rounds alternate, medians are compared.
import { join, resolve } from 'node:path'
import { changesOfFolder, createRepository } from '../test/support/repositories.ts'
import { git, startGitHost } from './git.ts'
import { DATABASE, median, ROOT, report, round, temporaryFolder, timeMs } from './measure.ts'
import { descendantsMs, endedChildrenMs, processorMs } from './processor.ts'
import { startServer } from './server.ts'

const ROUNDS = 7
// Of the time that passed so far: polls are a part of what is measured.
const POLL_SHARE = 1 / 20
const POLL_MS_MIN = 10
const QUIET_MS = 300
const source = resolve(process.argv[2] ?? join(ROOT, '../shared/corpus/beefree-sdk-docs'))

const folder = temporaryFolder()
const repository = await createRepository(folder)
await repository.commit({ changes: changesOfFolder(source, ['ATTRIBUTION.md']) })
const host = await startGitHost(folder)
const url = `${host.url}/${repository.name}`
const server = await startServer({ OCTAVO_ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
const { call, send, pid, organization } = server

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))

const serverMs = () => processorMs(pid) + descendantsMs(pid)

/** What follows an import in the background, such as fetching the history, is over. */
async function untilQuiet(): Promise<void> {
  for (let before = serverMs(); ; ) {
    await wait(QUIET_MS)
    const after = serverMs()
    if (after - before < QUIET_MS / 5) return
    before = after
  }
}

async function importOnce(space: string): Promise<void> {
  const start = performance.now()
  const { headers } = await send('POST', `${space}/git/import`, { url, ref: 'refs/heads/main' })
  const operation = new URL(headers.get('location') ?? '').pathname.slice('/v1'.length)
  for (;;) {
    const { state } = await call('GET', operation)
    if (state === 'success') return
    if (state !== 'running') throw new Error('the import failed')
    await wait(Math.max(POLL_MS_MIN, (performance.now() - start) * POLL_SHARE))
  }
}

type Measured = { readonly wall: number[]; readonly processor: number[] }

async function measure(into: Measured, processor: () => number, run: () => Promise<unknown>) {
  await untilQuiet()
  const before = processor()
  into.wall.push(await timeMs(run))
  into.processor.push(processor() - before)
}

const measured = (): Measured => ({ wall: [], processor: [] })
const [clone, first, fetched, second] = [measured(), measured(), measured(), measured()]
let pages = 0
for (let index = 0; index < ROUNDS; index++) {
  // Every round is another text, so that none finds the documents of the one before.
  await repository.commit({
    changes: [...changesOfFolder(source, ['ATTRIBUTION.md'])].map(change => vary(change, index)),
  })
  const into = join(folder, `clone-${index}`)
  const { id } = await call('POST', `${organization}/spaces`, { title: 'Bench' })
  const space = `/spaces/${id}`
  await measure(clone, endedChildrenMs, () => git('clone', '--quiet', '--depth', '1', url, into))
  await measure(first, serverMs, () => importOnce(space))
  await repository.commit({
    changes: [{ path: 'README.md', content: `# Start\n\nRound ${index}, changed.\n` }],
  })
  await measure(fetched, endedChildrenMs, () =>
    git('-C', into, 'fetch', '--quiet', '--depth', '1', 'origin', 'main'),
  )
  await measure(second, serverMs, () => importOnce(space))
  pages = countPages((await call('GET', `${space}/content/pages`)).pages)
}
await server.stop()
host.stop()

report('import', {
  database: DATABASE,
  pages,
  ...compared('clone', clone, 'firstImport', first),
  pagesPerSecond: round(pages / (median(first.wall) / 1000)),
  ...compared('fetch', fetched, 'secondImport', second),
})

function compared(
  peer: string,
  { wall, processor }: Measured,
  own: string,
  { wall: ownWall, processor: ownProcessor }: Measured,
) {
  return {
    [`${peer}Ms`]: round(median(wall)),
    [`${own}Ms`]: round(median(ownWall)),
    [`${own}Ratio`]: round(median(ownWall) / median(wall)),
    [`${peer}ProcessorMs`]: round(median(processor)),
    [`${own}ProcessorMs`]: round(median(ownProcessor)),
  }
}

type Page = { readonly pages?: readonly Page[] }

function countPages(tree: readonly Page[]): number {
  return tree.reduce((sum, { pages = [] }) => sum + 1 + countPages(pages), 0)
}

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
