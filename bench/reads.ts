// How close do authenticated content reads come to a server that does nothing but answer?
//
//   node bench/reads.ts
//
// A bare node:http process answers a constant body of the same size. Both are measured in turn, several rounds each,
// with the load from this process; the ratio is that of the medians.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import autocannon from 'autocannon'
import {
  freePort,
  importFolder,
  median,
  print,
  round,
  startServer,
  temporaryFolder,
  writeProject,
} from './measure.ts'

const PAGES = 1000
const PAGE_BYTES = 4000
const ROUNDS = 5
const ROUND_SECONDS = 3
const CONNECTIONS = 20

const folder = temporaryFolder()
const home = join(folder, 'home')
writeProject(join(folder, 'project'), PAGES, PAGE_BYTES)
const server = await startServer(home)
const spaceId = await importFolder(home, join(folder, 'project'))
const headers = { authorization: `Bearer ${server.token}` }
const read = async (path: string) =>
  Buffer.from(await (await fetch(`${server.url}/v1${path}`, { headers })).arrayBuffer())

const tree = `/spaces/${spaceId}/content/pages`
const { pages } = JSON.parse((await read(tree)).toString())
const page = `/spaces/${spaceId}/content/page/${pages[1].pages[3].id}?format=markdown`

const result: Record<string, object> = {}
for (const [name, path] of [
  ['page', page],
  ['tree', tree],
] as const) {
  const bytes = (await read(path)).length
  const bare = await startBare(bytes)
  const octavo: number[] = []
  const limit: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    limit.push(await rate(`${bare.url}${path}`, headers))
    octavo.push(await rate(`${server.url}/v1${path}`, headers))
  }
  bare.stop()
  result[name] = {
    bytes,
    octavoPerSecond: round(median(octavo)),
    barePerSecond: round(median(limit)),
    ratio: round(median(octavo) / median(limit)),
  }
}
await server.stop()
print({ bench: 'reads', pages: PAGES, connections: CONNECTIONS, ...result })

async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const outcome = await autocannon({ url, headers, connections: CONNECTIONS, duration: ROUND_SECONDS })
  if (outcome.non2xx > 0 || outcome.errors > 0)
    throw new Error(`${url}: ${outcome.non2xx} refusals, ${outcome.errors} errors`)
  return outcome.requests.average
}

/** A process of its own, as the server is one. */
async function startBare(bytes: number): Promise<{ url: string; stop(): void }> {
  const port = await freePort()
  const program = `
    const body = Buffer.alloc(${bytes}, 120)
    require('node:http').createServer((request, reply) => {
      reply.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
      reply.end(body)
    }).listen(${port}, '127.0.0.1')`
  const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(url).then(
      answer => answer.ok,
      () => false,
    ))
  )
    await new Promise(resolve => setTimeout(resolve, 10))
  return { url, stop: () => void child.kill() }
}
