// How many edits of content does a server take in a second, and what does the space that is edited cost?
//
//   node bench/edits.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/edits.ts
//
// Each is one request over loopback that changes the text of a page: one after the other in one change request, 16
// writers in 16 change requests, and 16 writers of one live space. Beside them, in the same run, the least that an edit
// can cost: its INSERT statements in one transaction, without a server (bare-edits.ts). Then single edits, insertions and
// links in spaces of 100 and of 10,000 pages. Rounds alternate, so that a slow moment of the machine meets all of them.
// `processorMs` is of all threads of the server, and with PostgreSQL of its processes.
import { join } from 'node:path'
import { openBareEdits } from './bare-edits.ts'
import { openConnection } from './load.ts'
import { DATABASE, median, report, round, Times, temporaryFolder } from './measure.ts'
import { processorMs } from './processor.ts'
import { proseOf, writeProject } from './prose.ts'
import { startServer } from './server.ts'

const WRITERS = 16
const ROUNDS = 5
const ROUND_MS = 2000
const SMALL = 100
const LARGE = 10_000
const EDITS = 30
const PAGE_BYTES = 2000

const folder = temporaryFolder()
const server = await startServer()
const { call, pid } = server
const bare = await openBareEdits(PAGE_BYTES)

type Page = { readonly id: string; readonly pages?: readonly Page[] }
type Target = { readonly path: string; readonly pages: readonly string[] }

const idsOf = (pages: readonly Page[]): string[] =>
  pages.flatMap(page => [page.id, ...idsOf(page.pages ?? [])])

async function spaceOf(size: number): Promise<Target> {
  const project = join(folder, `project-${size}`)
  writeProject(project, size, PAGE_BYTES)
  const path = await server.importFolder(project)
  return { path, pages: idsOf((await call('GET', `${path}/content/pages`)).pages) }
}

async function changeRequestOn({ path, pages }: Target): Promise<Target> {
  const { id } = await call('POST', `${path}/change-requests`)
  return { path: `${path}/change-requests/${id}`, pages }
}

let count = 0
const change = async ({ path }: Target, changeOf: (markdown: string) => object, writer = 0) => {
  count += 1
  const markdown = `${proseOf(count, PAGE_BYTES)}\nEdit ${count}.\n`
  await connections[writer]?.post(`${path}/content?compat=false`, { changes: [changeOf(markdown)] })
}
const update = (target: Target, { writer = 0, extra = '' } = {}) =>
  change(
    target,
    markdown => {
      const page = target.pages[(count * 7919) % target.pages.length]
      return { operation: 'update_page', page, document: { markdown: markdown + extra } }
    },
    writer,
  )
const insert = (target: Target) =>
  change(target, markdown => ({ operation: 'insert_page', document: { markdown }, slug: `new-${count}` }))

/** Edits in a second, by `writers` that each begin the next one when the last is done. */
async function rateOf(writers: number, run: (writer: number) => Promise<unknown>) {
  const [start, spent] = [performance.now(), processorMs(pid)]
  let done = 0
  const writer = async (index: number) => {
    while (performance.now() - start < ROUND_MS) {
      await run(index)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, index) => writer(index)))
  return {
    perSecond: (done / (performance.now() - start)) * 1000,
    processorMs: (processorMs(pid) - spent) / done,
  }
}

const small = await spaceOf(SMALL)
const large = await spaceOf(LARGE)
const alone = await changeRequestOn(small)
const many = await Promise.all(Array.from({ length: WRITERS }, () => changeRequestOn(small)))

// Behind the imports: the server closes a connection that sends nothing for long.
const connections = await Promise.all(
  Array.from({ length: WRITERS }, () => openConnection(`${server.url}/v1`, server.headers)),
)

const rates = {
  oneChangeRequest: () => rateOf(1, () => update(alone)),
  bareOne: () => rateOf(1, () => bare.edit()),
  manyChangeRequests: () => rateOf(WRITERS, writer => update(many[writer] ?? alone, { writer })),
  manyOnOneSpace: () => rateOf(WRITERS, writer => update(small, { writer })),
  bareMany: () => rateOf(WRITERS, () => bare.edit()),
}
type Rate = Awaited<ReturnType<typeof rateOf>>
const measured = new Map<string, Rate[]>()
for (let turn = 0; turn < ROUNDS; turn += 1)
  for (const [name, run] of Object.entries(rates))
    measured.set(name, [...(measured.get(name) ?? []), await run()])
const medianOf = (name: keyof typeof rates, what: keyof Rate) =>
  median((measured.get(name) ?? []).map(rate => rate[what]))
const ratioOf = (name: keyof typeof rates, least: keyof typeof rates) =>
  round(medianOf(name, 'perSecond') / medianOf(least, 'perSecond'))

const times = new Times()
const targets = [await changeRequestOn(small), await changeRequestOn(large)]
for (let turn = 0; turn < EDITS; turn += 1)
  for (const target of targets) {
    await times.take(`update${target.pages.length}`, () => update(target))
    await times.take(`insert${target.pages.length}`, () => insert(target))
    await times.take(`link${target.pages.length}`, () =>
      update(target, { extra: `[start](/pages/${target.pages[0]})\n` }),
    )
  }
await bare.close()
for (const connection of connections) connection.close()
await server.stop()

report('edits', {
  database: DATABASE,
  pages: SMALL,
  writers: WRITERS,
  perSecond: Object.fromEntries(
    [...measured.keys()].map(name => [name, round(medianOf(name as keyof typeof rates, 'perSecond'))]),
  ),
  processorMs: round(medianOf('oneChangeRequest', 'processorMs')),
  ratioOne: ratioOf('oneChangeRequest', 'bareOne'),
  ratioMany: ratioOf('manyChangeRequests', 'bareMany'),
  ratioLive: ratioOf('manyOnOneSpace', 'bareMany'),
  medianMs: times.medians(),
})
