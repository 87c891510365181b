// How many edits of content does a server take in a second, and what does the space that is edited cost?
//
//   node bench/edits.ts                 on the embedded database
//   DATABASE_URL=postgres://… node bench/edits.ts
//
// Each is one request over loopback that changes the text of a page: one after the other in one change request, 16
// writers in 16 change requests, and 16 writers of one live space. Beside them, in the same run, the least that a write
// can cost: a request that inserts a token and its event in one transaction. Then single edits, insertions and links in
// spaces of 100 and of 10,000 pages. Rounds alternate, so that a slow moment of the machine meets all of them.
import { join } from 'node:path'
import {
  importFolder,
  median,
  print,
  proseOf,
  round,
  startServer,
  temporaryFolder,
  timeMs,
  writeProject,
} from './measure.ts'

const WRITERS = 16
const ROUNDS = 5
const ROUND_MS = 2000
const SIZES = [100, 10_000]
const EDITS = 30
const PAGE_BYTES = 2000

const folder = temporaryFolder()
const home = join(folder, 'home')
const server = await startServer(home)
const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return (await answer.json()) as { readonly id: string; readonly pages: readonly Page[] }
}

type Page = { readonly id: string; readonly pages?: readonly Page[] }
type Target = { readonly path: string; readonly pages: readonly string[] }

const idsOf = (pages: readonly Page[]): string[] =>
  pages.flatMap(page => [page.id, ...idsOf(page.pages ?? [])])

async function spaceOf(size: number): Promise<Target> {
  const project = join(folder, `project-${size}`)
  writeProject(project, size, PAGE_BYTES)
  const path = `/spaces/${await importFolder(home, project)}`
  return { path, pages: idsOf((await call('GET', `${path}/content/pages`)).pages) }
}

async function changeRequestOn({ path, pages }: Target): Promise<Target> {
  const { id } = await call('POST', `${path}/change-requests`)
  return { path: `${path}/change-requests/${id}`, pages }
}

let count = 0
const write = ({ path, pages }: Target, extra = '') => {
  count += 1
  const markdown = `${proseOf(count, PAGE_BYTES)}\nEdit ${count}. ${extra}\n`
  const page = pages[(count * 7919) % pages.length]
  return call('POST', `${path}/content?compat=false`, {
    changes: [{ operation: 'update_page', page, document: { markdown } }],
  })
}
const insert = ({ path }: Target) => {
  count += 1
  const markdown = `${proseOf(count, PAGE_BYTES)}\n`
  return call('POST', `${path}/content?compat=false`, {
    changes: [{ operation: 'insert_page', document: { markdown }, slug: `new-${count}` }],
  })
}
const bare = () => call('POST', '/user/tokens', { label: `bench ${count++}` })

/** Requests in a second, from `writers` that each send the next one when the last was answered. */
async function rateOf(writers: number, run: (writer: number) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let done = 0
  const writer = async (index: number) => {
    while (performance.now() - start < ROUND_MS) {
      await run(index)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, index) => writer(index)))
  return (done / (performance.now() - start)) * 1000
}

const sizes = new Map<number, Target>()
for (const size of SIZES) sizes.set(size, await spaceOf(size))
const small = sizes.get(SIZES[0] as number) as Target
const alone = await changeRequestOn(small)
const changeRequests: Target[] = []
for (let index = 0; index < WRITERS; index += 1) changeRequests.push(await changeRequestOn(small))

const rates: Record<string, () => Promise<number>> = {
  oneChangeRequest: () => rateOf(1, () => write(alone)),
  bareOne: () => rateOf(1, bare),
  [`${WRITERS}ChangeRequests`]: () => rateOf(WRITERS, writer => write(changeRequests[writer] as Target)),
  [`${WRITERS}OnOneSpace`]: () => rateOf(WRITERS, () => write(small)),
  [`bare${WRITERS}`]: () => rateOf(WRITERS, bare),
}
const perSecond = new Map(Object.keys(rates).map(name => [name, [] as number[]]))
for (let turn = 0; turn < ROUNDS; turn += 1) {
  for (const [name, run] of Object.entries(rates)) perSecond.get(name)?.push(await run())
}

const large = new Map<string, { readonly run: () => Promise<unknown>; readonly times: number[] }>()
for (const [size, space] of sizes) {
  const target = await changeRequestOn(space)
  large.set(`update${size}`, { run: () => write(target), times: [] })
  large.set(`insert${size}`, { run: () => insert(target), times: [] })
  large.set(`link${size}`, { run: () => write(target, `[start](/pages/${space.pages[0]})`), times: [] })
}
for (let turn = 0; turn < EDITS; turn += 1) {
  for (const { run, times } of large.values()) times.push(await timeMs(run))
}
await server.stop()

const medians = Object.fromEntries([...perSecond].map(([name, values]) => [name, round(median(values))]))
print({
  bench: 'edits',
  database: process.env.DATABASE_URL === undefined ? 'embedded' : 'postgres',
  pages: SIZES[0],
  perSecond: medians,
  ratioOne: round((medians.oneChangeRequest as number) / (medians.bareOne as number)),
  ratioMany: round((medians[`${WRITERS}ChangeRequests`] as number) / (medians[`bare${WRITERS}`] as number)),
  ratioLive: round((medians[`${WRITERS}OnOneSpace`] as number) / (medians[`bare${WRITERS}`] as number)),
  medianMs: Object.fromEntries([...large].map(([name, { times }]) => [name, round(median(times))])),
})
