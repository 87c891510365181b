// How close do authenticated reads of content come to a server that does nothing but answer the same bytes?
//
//   node bench/reads.ts [--requests 10000]    in each round
//
// The head that is read was made by a merge, and the request log is on. A bare node:http server, in a process of its own,
// answers the bytes that the server answered. Both are pinned to the first processor where the machine has more, and are
// measured in turn, several rounds each; ratios are those of the medians: of answers a second, and of the processor's
// time for an answer, which other work on the machine does not change.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Load, loadWith } from './load.ts'
import { DATABASE, median, report, round, temporaryFolder } from './measure.ts'
import { writeProject } from './prose.ts'
import { end, freePort, startServer, untilReady } from './server.ts'

const PAGES = 1000
const PAGE_BYTES = 4000
const ROUNDS = 5
const CONNECTIONS = 20

const { values } = parseArgs({ options: { requests: { type: 'string', default: '10000' } } })

const folder = temporaryFolder()
writeProject(join(folder, 'project'), PAGES, PAGE_BYTES)
const server = await startServer()
const { call, headers } = server
pin(server.pid)
const space = await server.importFolder(join(folder, 'project'))
const tree = `${space}/content/pages`
const { pages } = await call('GET', tree)
const page = pages[1].pages[3].id
await merge(pages[1].pages[4].id)

const result: Record<string, object> = {}
for (const [name, path, isKnown] of [
  ['page', `${space}/content/page/${page}?format=markdown`, false],
  ['unchangedPage', `${space}/content/page/${page}?format=markdown`, true],
  ['tree', tree, false],
] as const) {
  const answer = await server.send('GET', path)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const etag = answer.headers.get('etag') ?? ''
  const asked = { authorization: headers.authorization ?? '', ...(isKnown ? { 'if-none-match': etag } : {}) }
  const status = isKnown ? 304 : 200
  const bare = await startBare(isKnown ? Buffer.alloc(0) : bytes, status)
  const load = { connections: CONNECTIONS, requests: Number(values.requests), status }
  const octavo: Load[] = []
  const limit: Load[] = []
  const ask = async ({ url, pid }: { url: string; pid: number }) =>
    loadWith(`${url}/v1${path}`, asked, { ...load, pid })
  // The first round compiles code.
  for (const one of [bare, server]) await ask(one)
  for (let round = 0; round < ROUNDS; round++) {
    limit.push(await ask(bare))
    octavo.push(await ask(server))
  }
  await bare.stop()
  result[name] = { bytes: isKnown ? 0 : bytes.length, ...comparisonOf(octavo, limit) }
}
await server.stop()
report('reads', { database: DATABASE, pages: PAGES, connections: CONNECTIONS, ...result })

function comparisonOf(octavo: readonly Load[], bare: readonly Load[]) {
  const of = (loads: readonly Load[], what: keyof Load) => median(loads.map(load => load[what]))
  const [rate, limit] = [of(octavo, 'perSecond'), of(bare, 'perSecond')]
  const [spent, least] = [of(octavo, 'processorMicroseconds'), of(bare, 'processorMicroseconds')]
  return {
    octavoPerSecond: round(rate),
    barePerSecond: round(limit),
    ratio: round(rate / limit),
    octavoProcessorMicroseconds: round(spent),
    bareProcessorMicroseconds: round(least),
    processorRatio: round(least / spent),
  }
}

/** The head becomes one that a merge made. */
async function merge(changed: string): Promise<void> {
  const { id } = await call('POST', `${space}/change-requests`, { subject: 'A change' })
  const request = `${space}/change-requests/${id}`
  await call('POST', `${request}/content`, {
    changes: [{ operation: 'update_page', page: changed, document: { markdown: '# Changed\n\nIt is.\n' } }],
  })
  await call('POST', `${request}/merge`)
}

async function startBare(bytes: Buffer, status: number) {
  const port = await freePort()
  const file = join(folder, 'answer')
  writeFileSync(file, bytes)
  const type = "'content-type': 'application/json; charset=utf-8', 'content-length': body.length"
  const program = `
    const body = require('node:fs').readFileSync(${JSON.stringify(file)})
    require('node:http').createServer((request, reply) => {
      if (request.url === '/readyz') return reply.end()
      reply.writeHead(${status}, {${status === 304 ? '' : type}})
      reply.end(body)
    }).listen(${port}, '127.0.0.1')`
  const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  await untilReady(child, `${url}/readyz`)
  const pid = child.pid ?? 0
  pin(pid)
  return { url, pid, stop: () => end(child) }
}

/** All threads of a process share the first processor, so that the load has another one. */
function pin(pid: number): void {
  if (availableParallelism() > 1) execFileSync('taskset', ['-a', '-c', '-p', '0', String(pid)])
}
