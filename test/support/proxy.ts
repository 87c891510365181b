// A plain reverse proxy: it sends each request to the next server whose `/readyz` answered 200 when it last looked, on
// connections that it keeps, and tries nothing twice.
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_MS = 100

export interface ReverseProxy {
  readonly url: string
  /** Resolves once the server of this port gets requests, or gets none any more. */
  sees(port: number, isReady: boolean): Promise<void>
  close(): Promise<void>
}

export async function startProxy(ports: readonly number[]): Promise<ReverseProxy> {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<number>()
  let turn = 0
  let isClosed = false
  const server = createServer((incoming, reply) => {
    const candidates = ports.filter(port => ready.has(port))
    const port = candidates[turn++ % candidates.length]
    if (port === undefined) reply.writeHead(502).end('no server is ready')
    else forward(agent, port, incoming, reply)
  })
  const look = async (port: number) => {
    while (!isClosed) {
      if (await isReady(port)) ready.add(port)
      else ready.delete(port)
      await sleep(LOOK_MS)
    }
  }
  const looks = ports.map(look)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async sees(port, isReady) {
      while (ready.has(port) !== isReady) await sleep(LOOK_MS / 10)
    },
    async close() {
      isClosed = true
      await Promise.all(looks)
      server.closeAllConnections()
      agent.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

function forward(agent: Agent, port: number, incoming: IncomingMessage, reply: ServerResponse): void {
  const { method, url, headers } = incoming
  const { connection: _, ...passed } = headers
  const outgoing = request({ host: '127.0.0.1', port, agent, method, path: url, headers: passed })
  outgoing.on('error', error => {
    if (reply.headersSent) reply.destroy()
    else reply.writeHead(502).end(`the server on ${port}: ${error.message}`)
  })
  outgoing.on('response', answer => {
    const { connection: __, 'keep-alive': ___, ...given } = answer.headers
    reply.writeHead(answer.statusCode ?? 502, given)
    answer.on('error', () => reply.destroy())
    answer.pipe(reply)
  })
  reply.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
