// Load for a server: connections that send requests, each when the last was answered. They read no more of an answer than
// its length, so that they are never what limits.
import { once } from 'node:events'
import { connect } from 'node:net'
import { processorMs } from './processor.ts'

export type Load = { readonly perSecond: number; readonly processorMicroseconds: number }

const END_OF_HEAD = '\r\n\r\n'

/**
 * Sends GET to `url` so many times and expects answers of `status`. `processorMicroseconds` is what the process `pid`
 * and, with PostgreSQL, its server takes for each. It never sleeps: the server's writes would have to wake it, which costs a
 * virtual machine more than a small answer does, and clients elsewhere are not woken by the server.
 */
export async function loadWith(
  url: string,
  headers: Readonly<Record<string, string>>,
  {
    pid,
    connections,
    requests,
    status = 200,
  }: { pid: number; connections: number; requests: number; status?: number },
): Promise<Load> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${toFields({ host, ...headers })}\r\n`)
  let left = requests
  const send = () =>
    new Promise<void>((resolve, fail) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () =>
        socket.write(request),
      )
      let length = 0
      let received = 0
      socket.on('error', fail)
      socket.on('data', chunk => {
        if (received === 0) length = lengthOf(chunk, status)
        received += chunk.length
        if (received < length) return
        if (received > length) throw new Error(`${url}: an answer is longer than it says`)
        received = 0
        left -= 1
        if (left >= connections) return void socket.write(request)
        socket.end()
        resolve()
      })
    })
  let isLoading = true
  const stayAwake = () => {
    if (isLoading) setImmediate(stayAwake)
  }
  stayAwake()
  const [began, spent] = [performance.now(), processorMs(pid)]
  await Promise.all(Array.from({ length: connections }, send))
  isLoading = false
  return {
    perSecond: (requests / (performance.now() - began)) * 1000,
    processorMicroseconds: ((processorMs(pid) - spent) / requests) * 1000,
  }
}

export type Connection = {
  /** Resolves when it was answered with 200. */
  post(path: string, body: unknown): Promise<void>
  close(): void
}

/** A connection for one request after the other. It sleeps meanwhile: a server that writes needs the processors. */
export async function openConnection(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Connection> {
  const { hostname, port, host, pathname } = new URL(url)
  const fields = toFields({ host, ...headers })
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return {
    post(path, body) {
      const json = JSON.stringify(body)
      const head = `POST ${pathname}${path} HTTP/1.1\r\n${fields}content-length: ${Buffer.byteLength(json)}\r\n\r\n`
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let length = 0
      let received = 0
      const take = (chunk: Buffer) => {
        if (received === 0) length = lengthOf(chunk, 200)
        received += chunk.length
        if (received < length) return
        socket.off('data', take).off('error', reject)
        resolve()
      }
      socket.on('data', take).on('error', reject)
      socket.write(head + json)
      return promise
    },
    close: () => void socket.destroy(),
  }
}

const toFields = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

/** Bytes of an answer, by its beginning. */
function lengthOf(beginning: Buffer, status: number): number {
  const head = beginning.toString('latin1', 0, beginning.indexOf(END_OF_HEAD))
  if (!head.startsWith(`HTTP/1.1 ${status} `)) throw new Error(head)
  return head.length + END_OF_HEAD.length + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
}
